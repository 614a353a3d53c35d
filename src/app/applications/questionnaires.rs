//! The questions staff ask the applicants of a program.

use std::sync::{Arc, PoisonError, RwLock};

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::application::Application;
use domain::input::Input;
use domain::moments::Millis;
use domain::permission::Permission;
use domain::program::Program;
use domain::questionnaire::draft::DraftedQuestions;
use domain::questionnaire::{
    self, Definition, ExpectedVersions, QuestionSet, QuestionSets, QuestionnaireDraft, QuestionnaireVersion,
};
use domain::staff::Staff;
use domain::status::Refused;
use store::{AuditEntry, Deleted, NewQuestionSet};

/// How long another process may keep asking what this one has just replaced: ten seconds.
const FRESH: Millis = 10_000;

/// The current questions, cached so that a save does not need the database for them.
#[derive(Debug, Default)]
pub struct QuestionCache(RwLock<Option<(Arc<QuestionSets>, Millis)>>);

impl QuestionCache {
    fn get(&self) -> Option<(Arc<QuestionSets>, Millis)> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, kept: Option<(Arc<QuestionSets>, Millis)>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}

impl App {
    /// The current questions of each program.
    pub async fn question_sets(&self) -> Result<Arc<QuestionSets>, Error> {
        let now = self.clock.now();
        let kept = self.questions.get();
        if let Some((sets, until)) = &kept
            && now < *until
        {
            return Ok(sets.clone());
        }
        let published = match (self.store.published_questions().await, kept) {
            (Ok(published), _) => published,
            // Slightly old questions are better than none.
            (Err(_), Some((sets, _))) => return Ok(sets),
            (Err(error), None) => return Err(error.into()),
        };
        let mut sets = QuestionSets::default();
        for (program, set) in published {
            match program {
                Program::Bachelor => sets.bachelor = Arc::new(set),
                Program::Masters => sets.masters = Arc::new(set),
            }
        }
        let sets = Arc::new(sets);
        self.questions.set(Some((sets.clone(), now + FRESH)));
        Ok(sets)
    }

    /// The questions of an application: the current ones while it can be changed, otherwise those it has answered.
    pub async fn questions_of(&self, application: &Application) -> Result<Arc<QuestionSet>, Error> {
        let now = self.question_sets().await?.of(application.program).clone();
        let answered = application.answers.questionnaire_version();
        if application.stage.is_editable() {
            return Ok(now);
        }
        self.questions_at(application.program, answered).await
    }

    /// The questions of a published version, empty for one that was never published. Versions never change, so the
    /// current one comes from the cache.
    pub(crate) async fn questions_at(&self, program: Program, version: i64) -> Result<Arc<QuestionSet>, Error> {
        let now = self.question_sets().await?.of(program).clone();
        if version == now.version {
            return Ok(now);
        }
        let then = self.store.questions_at(program, version).await?;
        Ok(then.map_or_else(Arc::default, Arc::new))
    }

    /// Asks a program's applicants these questions from now on, in place of version `expected` if given. Drafts show
    /// them; what was submitted stays as it is. Returns the new version.
    ///
    /// # Errors
    /// Errors in the definition, [`Refused::Forbidden`] for staff who may not write questions,
    /// [`Refusal::QuestionnaireStale`].
    pub async fn publish_questions(
        &self,
        staff: &Staff,
        program: Program,
        definition: &Input,
        expected: Option<i64>,
    ) -> Result<QuestionnaireVersion, Error> {
        may_write(staff)?;
        let definition = questionnaire::parse(definition)?;
        let new = self.new_set(staff, program, definition, self.random.id(), None);
        self.publish(new, expected.map(|published| ExpectedVersions { published, draft: None })).await
    }

    /// Publishes the draft at this revision, in place of the current version. Repeated under the same key, it is done
    /// once.
    ///
    /// # Errors
    /// Errors in the draft, [`Refused::Forbidden`], [`Refusal::QuestionnaireStale`].
    pub async fn publish_draft(
        &self,
        staff: &Staff,
        program: Program,
        expected: ExpectedVersions,
        key: &str,
    ) -> Result<QuestionnaireVersion, Error> {
        may_write(staff)?;
        if let Some(done) = self.published_under(key).await? {
            return Ok(done);
        }
        let draft = self.store.questionnaire_draft(program).await?;
        let draft = draft.filter(|draft| Some(draft.revision) == expected.draft);
        let draft = draft.ok_or(Refusal::QuestionnaireStale)?;
        let new = self.new_set(staff, program, draft.draft.check()?, key.to_owned(), None);
        self.publish(new, Some(expected)).await
    }

    /// Asks the questions of an earlier version again, as a new version. Repeated under the same key, it is done once.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refusal::NoSuchQuestionnaire`], [`Refusal::QuestionnaireStale`].
    pub async fn restore_questions(
        &self,
        staff: &Staff,
        program: Program,
        version: i64,
        published: i64,
        key: &str,
    ) -> Result<QuestionnaireVersion, Error> {
        may_write(staff)?;
        if let Some(done) = self.published_under(key).await? {
            return Ok(done);
        }
        let earlier = self.store.questions_at(program, version).await?.ok_or(Refusal::NoSuchQuestionnaire)?;
        let QuestionSet { questions, references, .. } = earlier;
        let new = self.new_set(staff, program, Definition { questions, references }, key.to_owned(), Some(version));
        self.publish(new, Some(ExpectedVersions { published, draft: None })).await
    }

    fn new_set(
        &self,
        staff: &Staff,
        program: Program,
        definition: Definition,
        key: String,
        restored_from: Option<i64>,
    ) -> NewQuestionSet {
        NewQuestionSet { id: key, program, definition, at: self.clock.now(), by: Some(staff.id.clone()), restored_from }
    }

    async fn publish(
        &self,
        new: NewQuestionSet,
        expected: Option<ExpectedVersions>,
    ) -> Result<QuestionnaireVersion, Error> {
        let by = new.by.as_deref().unwrap_or_default();
        let detail = json!({ "questions": new.definition.questions.len(), "restoredFrom": new.restored_from });
        let audit = self.audit_entry(format!("staff:{by}"), subject(new.program), "questionnaire.published", detail);
        if !self.store.publish_questions(&new, expected, &audit).await? {
            return Err(Refusal::QuestionnaireStale.into());
        }
        self.questions.set(None);
        Ok(self.published_under(&new.id).await?.ok_or(Refusal::NoSuchQuestionnaire)?)
    }

    async fn published_under(&self, key: &str) -> Result<Option<QuestionnaireVersion>, Error> {
        Ok(self.store.questionnaire_versions().await?.into_iter().find(|version| version.id == key))
    }

    /// Every version that is or was published, newest first.
    ///
    /// # Errors
    /// [`Refused::Forbidden`]
    pub async fn questionnaire_versions(&self, staff: &Staff) -> Result<Vec<QuestionnaireVersion>, Error> {
        may_write(staff)?;
        Ok(self.store.questionnaire_versions().await?)
    }

    /// A program's draft, if there is one.
    ///
    /// # Errors
    /// [`Refused::Forbidden`]
    pub async fn questionnaire_draft(
        &self,
        staff: &Staff,
        program: Program,
    ) -> Result<Option<QuestionnaireDraft>, Error> {
        may_write(staff)?;
        Ok(self.store.questionnaire_draft(program).await?)
    }

    /// Stores the draft on top of the revision its writer has seen; 0 for none. Returns the new revision. The same
    /// draft sent again is stored once.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refusal::QuestionnaireStale`] when somebody else has changed it since.
    pub async fn write_questionnaire_draft(
        &self,
        staff: &Staff,
        program: Program,
        seen: i64,
        draft: DraftedQuestions,
    ) -> Result<i64, Error> {
        may_write(staff)?;
        let revision = seen.checked_add(1).filter(|revision| *revision > 0).ok_or(Refusal::QuestionnaireStale)?;
        let changed_by = (staff.id.clone(), String::new());
        let draft = QuestionnaireDraft { program, revision, draft, changed_at: self.clock.now(), changed_by };
        let detail = json!({ "revision": revision, "questions": draft.draft.questions.len() });
        let by = format!("staff:{}", staff.id);
        let audit = self.audit_entry(by, subject(program), "questionnaire.draft_changed", detail);
        if self.store.write_questionnaire_draft(&draft, &audit).await? {
            return Ok(revision);
        }
        match self.store.questionnaire_draft(program).await? {
            Some(now) if now.draft == draft.draft => Ok(now.revision),
            _ => Err(Refusal::QuestionnaireStale.into()),
        }
    }

    /// Discards the draft at the revision the caller has seen. Does nothing if there is no draft.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refusal::QuestionnaireStale`]
    pub async fn discard_questionnaire_draft(&self, staff: &Staff, program: Program, seen: i64) -> Result<(), Error> {
        may_write(staff)?;
        let by = format!("staff:{}", staff.id);
        let detail = json!({ "revision": seen });
        let audit = self.audit_entry(by, subject(program), "questionnaire.draft_discarded", detail);
        if self.store.discard_questionnaire_draft(program, seen, &audit).await?
            || self.store.questionnaire_draft(program).await?.is_none()
        {
            return Ok(());
        }
        Err(Refusal::QuestionnaireStale.into())
    }

    /// Archives a version that is no longer asked, or restores it from the archive.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refusal::NoSuchQuestionnaire`], [`Refusal::QuestionnairePublished`]
    pub async fn archive_questionnaire(&self, staff: &Staff, id: &str, archived: bool) -> Result<(), Error> {
        let version = self.earlier_version(staff, id).await?;
        if version.archived_at.is_some() == archived {
            return Ok(());
        }
        let action = if archived { "questionnaire.archived" } else { "questionnaire.unarchived" };
        let audit = self.about_version(staff, &version, action);
        let at = archived.then(|| self.clock.now());
        if self.store.archive_questionnaire(id, at, &audit).await? {
            return Ok(());
        }
        Err(Refusal::NoSuchQuestionnaire.into())
    }

    /// Deletes a version that is no longer asked and that nobody has answered.
    ///
    /// # Errors
    /// [`Refused::Forbidden`], [`Refusal::NoSuchQuestionnaire`], [`Refusal::QuestionnairePublished`],
    /// [`Refusal::QuestionnaireInUse`]
    pub async fn delete_questionnaire(&self, staff: &Staff, id: &str) -> Result<(), Error> {
        let version = self.earlier_version(staff, id).await?;
        // Another process may still ask it and accept an answer, until it learns of the next version.
        let versions = self.store.questionnaire_versions().await?;
        let now = versions.iter().find(|other| other.program == version.program && other.is_published);
        if now.is_some_and(|now| self.clock.now() - now.published_at < 2 * FRESH) {
            return Err(Refusal::QuestionnaireInUse.into());
        }
        let audit = self.about_version(staff, &version, "questionnaire.deleted");
        match self.store.delete_questionnaire(id, &audit).await? {
            Deleted::Done => Ok(()),
            Deleted::InUse => Err(Refusal::QuestionnaireInUse.into()),
            Deleted::NotThere => Err(Refusal::NoSuchQuestionnaire.into()),
        }
    }

    /// A version that is no longer asked.
    async fn earlier_version(&self, staff: &Staff, id: &str) -> Result<QuestionnaireVersion, Error> {
        may_write(staff)?;
        let version = self.published_under(id).await?.ok_or(Refusal::NoSuchQuestionnaire)?;
        if !version.is_published {
            return Ok(version);
        }
        Err(Refusal::QuestionnairePublished.into())
    }

    fn about_version(&self, staff: &Staff, version: &QuestionnaireVersion, action: &'static str) -> AuditEntry {
        let detail = json!({ "version": version.set.version });
        self.audit_entry(format!("staff:{}", staff.id), subject(version.program), action, detail)
    }

    /// The number of applications whose questions would change.
    pub async fn editable_applications(&self, program: Program) -> Result<i64, Error> {
        Ok(self.store.editable_applications(program).await?)
    }

    /// Gives every program without questions its first ones. Returns how many got some.
    pub async fn seed_questions(&self) -> Result<usize, Error> {
        let mut begun = 0;
        for program in Program::ALL {
            let new = NewQuestionSet {
                id: self.random.id(),
                program,
                definition: questionnaire::starter(program),
                at: self.clock.now(),
                by: None,
                restored_from: None,
            };
            begun += usize::from(self.store.begin_questions(&new).await?);
        }
        if begun > 0 {
            self.questions.set(None);
        }
        Ok(begun)
    }
}

fn may_write(staff: &Staff) -> Result<(), Error> {
    if staff.role.may(Permission::Questionnaires) { Ok(()) } else { Err(Error::NotAllowed(Refused::Forbidden)) }
}

/// The subject in the record for a program's questions.
fn subject(program: Program) -> String {
    format!("questionnaire:{}", program.application_type())
}
