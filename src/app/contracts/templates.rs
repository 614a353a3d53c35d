//! Contract templates: drafted, previewed with real data, published, and restored.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::application::ApplicationKey;
use domain::contract::{LanguageText, TemplateDraft, TemplateText, TemplateVersion, starter};
use domain::input::FieldError;
use domain::language::Language;
use domain::permission::Permission;
use domain::program::Program;
use domain::staff::Staff;
use store::{AuditEntry, NewTemplate};

/// The template from which a program's contracts are written.
#[derive(Debug, Clone)]
pub struct CurrentTemplate {
    /// 0 for the one built into the product.
    pub version: i64,
    pub text: TemplateText,
}

impl App {
    /// The current template.
    ///
    /// # Errors
    /// Store errors.
    pub async fn current_template(&self, program: Program) -> Result<CurrentTemplate, Error> {
        let newest = self.store.template_versions(program).await?.into_iter().next();
        Ok(newest.map_or_else(
            || CurrentTemplate { version: 0, text: starter(program) },
            |newest| CurrentTemplate { version: newest.version, text: newest.text },
        ))
    }

    /// Every published version, newest first; without the one built into the product.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn template_versions(&self, staff: &Staff, program: Program) -> Result<Vec<TemplateVersion>, Error> {
        staff.permit(Permission::Contracts)?;
        Ok(self.store.template_versions(program).await?)
    }

    /// The draft, if there is one.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn template_draft(&self, staff: &Staff, program: Program) -> Result<Option<TemplateDraft>, Error> {
        staff.permit(Permission::ManageContracts)?;
        Ok(self.store.template_draft(program).await?)
    }

    /// Saves the draft, mistakes included, on top of the revision its writer has seen; 0 for none. The same draft sent
    /// again is saved once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TemplateStale`], `contract.too_long`.
    pub async fn write_template_draft(
        &self,
        staff: &Staff,
        program: Program,
        seen: i64,
        text: TemplateText,
    ) -> Result<TemplateDraft, Error> {
        staff.permit(Permission::ManageContracts)?;
        text.check_size()?;
        let revision = seen.checked_add(1).filter(|revision| *revision > 0).ok_or(Refusal::TemplateStale)?;
        let changed_by = (staff.id.clone(), staff.called().to_owned());
        let draft = TemplateDraft { program, revision, text, changed_at: self.clock.now(), changed_by };
        let audit =
            self.about_template(staff, program, "contract_template.draft_changed", json!({ "revision": revision }));
        if self.store.write_template_draft(&draft, &audit).await? {
            return Ok(draft);
        }
        match self.store.template_draft(program).await? {
            Some(now) if now.text == draft.text => Ok(now),
            _ => Err(Refusal::TemplateStale.into()),
        }
    }

    /// Discards the draft at the revision the caller has seen. Does nothing if there is no draft.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TemplateStale`]
    pub async fn discard_template_draft(&self, staff: &Staff, program: Program, seen: i64) -> Result<(), Error> {
        staff.permit(Permission::ManageContracts)?;
        let audit =
            self.about_template(staff, program, "contract_template.draft_discarded", json!({ "revision": seen }));
        if self.store.discard_template_draft(program, seen, &audit).await?
            || self.store.template_draft(program).await?.is_none()
        {
            return Ok(());
        }
        Err(Refusal::TemplateStale.into())
    }

    /// The texts filled in for an application, as they would be sent today, in every language. Nothing is stored.
    ///
    /// # Errors
    /// Errors in the text, `reference.unknown`, and as for sending.
    pub async fn preview_template(
        &self,
        staff: &Staff,
        program: Program,
        text: &TemplateText,
        reference: &str,
    ) -> Result<Vec<LanguageText>, Error> {
        staff.permit(Permission::ManageContracts)?;
        text.check()?;
        let unknown = |sentence: &'static str| FieldError::new("reference", "reference.unknown", sentence);
        let reference = reference.trim().to_uppercase();
        let found = self.store.application(ApplicationKey::Reference(&reference)).await?;
        let (applicant, application) =
            found.ok_or_else(|| unknown("There is no application with this reference number."))?;
        if application.program != program {
            return Err(unknown("This application is for the other program.").into());
        }
        let written = async {
            let sheet = self.likely_cost_sheet(&application).await?;
            self.write_contract(text, &Language::ALL, &applicant, &application, sheet).await
        };
        match written.await {
            Ok(written) => Ok(written.text.texts),
            Err(Error::Refused(Refusal::NoContractYet)) => {
                Err(unknown("This application has no offer yet, so that nothing is known to fill in.").into())
            }
            Err(error) => Err(error),
        }
    }

    /// Publishes the draft at this revision, replacing the version that was seen; contracts already sent stay as they
    /// are. Repeated under the same key, it is done once.
    ///
    /// # Errors
    /// Errors in the text, [`Refusal::RoleForbidden`], [`Refusal::TemplateStale`].
    pub async fn publish_template_draft(
        &self,
        staff: &Staff,
        program: Program,
        published: i64,
        draft: i64,
        key: &str,
    ) -> Result<(), Error> {
        staff.permit(Permission::ManageContracts)?;
        if self.is_template_there(program, key).await? {
            return Ok(());
        }
        let found = self.store.template_draft(program).await?.filter(|found| found.revision == draft);
        let text = found.ok_or(Refusal::TemplateStale)?.text;
        text.check()?;
        self.publish_template(staff, program, published, text, key, None, Some(draft)).await
    }

    /// Publishes a text, replacing the version that was seen.
    ///
    /// # Errors
    /// Errors in the text, [`Refusal::RoleForbidden`], [`Refusal::TemplateStale`].
    pub async fn publish_template_text(
        &self,
        staff: &Staff,
        program: Program,
        published: i64,
        text: TemplateText,
    ) -> Result<(), Error> {
        staff.permit(Permission::ManageContracts)?;
        text.check()?;
        let key = self.random.id();
        self.publish_template(staff, program, published, text, &key, None, None).await
    }

    /// Publishes an earlier version again, as a new one; 0 for the one built into the product.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TemplateStale`], also for a version that does not exist.
    pub async fn restore_template(
        &self,
        staff: &Staff,
        program: Program,
        version: i64,
        published: i64,
        key: &str,
    ) -> Result<(), Error> {
        staff.permit(Permission::ManageContracts)?;
        if self.is_template_there(program, key).await? {
            return Ok(());
        }
        let text = match version {
            0 => starter(program),
            version => {
                let versions = self.store.template_versions(program).await?;
                versions.into_iter().find(|then| then.version == version).ok_or(Refusal::TemplateStale)?.text
            }
        };
        self.publish_template(staff, program, published, text, key, Some(version), None).await
    }

    async fn is_template_there(&self, program: Program, key: &str) -> Result<bool, Error> {
        Ok(self.store.template_versions(program).await?.iter().any(|version| version.id == key))
    }

    #[expect(clippy::too_many_arguments, reason = "a publication is all of this")]
    async fn publish_template(
        &self,
        staff: &Staff,
        program: Program,
        published: i64,
        text: TemplateText,
        key: &str,
        restored_from: Option<i64>,
        draft: Option<i64>,
    ) -> Result<(), Error> {
        let version = published.checked_add(1).filter(|version| *version > 0).ok_or(Refusal::TemplateStale)?;
        let new = NewTemplate {
            id: key.to_owned(),
            program,
            version,
            text,
            at: self.clock.now(),
            by: staff.id.clone(),
            restored_from,
            draft,
        };
        let detail = json!({ "version": version, "restoredFrom": restored_from });
        let audit = self.about_template(staff, program, "contract_template.published", detail);
        if self.store.publish_template(&new, &audit).await? || self.is_template_there(program, key).await? {
            return Ok(());
        }
        Err(Refusal::TemplateStale.into())
    }

    fn about_template(
        &self,
        staff: &Staff,
        program: Program,
        action: &'static str,
        detail: serde_json::Value,
    ) -> AuditEntry {
        let subject = format!("contract_template:{}", program.application_type());
        self.audit_entry(format!("staff:{}", staff.id), subject, action, detail)
    }
}
