//! Filling in a contract for one applicant.

use jiff::ToSpan;
use jiff::civil::Date;

use super::full_name;
use crate::App;
use crate::error::{Error, Refusal};
use domain::account::Applicant;
use domain::application::Application;
use domain::clocks::{day, end_of};
use domain::contract::{Contract, ContractText, Field, Filling, LanguageClause, Template, TemplateText, Unfilled};
use domain::funding::{CostSheet, Funding, PaymentPlan, Source, SourceKind};
use domain::input::FieldError;
use domain::language::Language;
use domain::moments;
use domain::moments::Millis;
use domain::money::dollars;
use domain::sentence::Sentence;

/// The text of a contract, if it were sent now.
pub(super) struct Written {
    pub text: ContractText,
    pub expires_at: Millis,
}

impl App {
    /// Fills in the template for an application whose offer is accepted: in the language that counts, and in those of
    /// `readers` that it is translated into.
    ///
    /// # Errors
    /// [`Refusal::NoContractYet`], `contract.unfilled` for a field without a value.
    pub(super) async fn write_contract(
        &self,
        template: &TemplateText,
        readers: &[Language],
        applicant: &Applicant,
        application: &Application,
        cost_sheet: CostSheet,
    ) -> Result<Written, Error> {
        let decided = self.store.decided(&application.id).await?.ok_or(Refusal::NoContractYet)?;
        let intake = decided.intake(self.store.deferral(&application.id).await?.as_ref());
        let product = self.product_settings().await;
        let zone = &self.settings.time_zone;
        let today = day(self.clock.now(), zone);
        let last_day = today.saturating_add(product.contracts.open.days());
        let page = product.page(application.program);
        let self_pay = cost_sheet.sources.iter().find(|source| source.kind == SourceKind::SelfPay);
        let self_pay = dollars(self_pay.map_or(0, |source| source.cents));
        let texts = |language: Language| {
            let say = |sentence: Sentence| sentence.in_language(language);
            let date = |date: Date| say(moments::plain_date(date));
            let text = |field: &Field| match field {
                Field::ApplicantName => full_name(applicant),
                Field::DateOfBirth => date(applicant.profile.date_of_birth),
                Field::Reference => application.reference.clone().unwrap_or_default(),
                Field::Program => say(application.program.name()),
                Field::Institute => self.settings.institute.clone(),
                Field::ContactEmail => self.settings.contact_email.clone(),
                Field::Date => date(today),
                Field::SignBy => date(last_day),
                Field::Intake => say(intake.name()),
                Field::Start => date(intake.start),
                Field::Length => say(page.length(application.program)),
                Field::TotalCost => dollars(cost_sheet.tuition),
                Field::SelfPay => self_pay.clone(),
            };
            Field::ALL.iter().map(|field| (*field, text(field))).collect()
        };
        let templates: Vec<_> = template
            .check()?
            .into_iter()
            .filter(|(language, _)| *language == template.counts || readers.contains(language))
            .collect();
        // If there are two, each says which of them counts.
        let translation = templates.iter().map(|(language, _)| *language).find(|language| *language != template.counts);
        let fill = |(language, parsed): &(Language, Template)| {
            let clause = translation.map(|translation| {
                if *language == template.counts {
                    LanguageClause::Counts { translation }
                } else {
                    LanguageClause::Translates { original: template.counts }
                }
            });
            parsed.fill(&Filling {
                language: *language,
                clause,
                texts: texts(*language),
                cost_sheet: cost_sheet.clone(),
                conditions: decided.decision.ruling.conditions().to_vec(),
            })
        };
        let texts: Result<Vec<_>, Unfilled> = templates.iter().map(fill).collect();
        let texts = texts.map_err(|Unfilled(field)| {
            let sentence = format!("Nothing is known for {{{}}}: {}.", field.name(), field.meaning());
            FieldError::new("", "contract.unfilled", Sentence::plain(sentence))
        })?;
        Ok(Written { text: ContractText { texts }, expires_at: end_of(last_day, zone) })
    }

    /// Tuition, who pays it and when, as the applicant has planned it.
    ///
    /// # Errors
    /// `contract.funding` if there is no plan that adds up.
    pub(super) async fn planned_cost_sheet(&self, application: &Application) -> Result<CostSheet, Error> {
        let view = self.funding(application).await?;
        if view.is_planned() {
            return Ok(view.funding.cost_sheet());
        }
        let sentence = "How tuition is paid is not planned yet, or does not add up. Ask the applicant to plan it on their \
                        dashboard, or do it for them in the tab “Funding”.";
        Err(FieldError::new("", "contract.funding", Sentence::plain(sentence)).into())
    }

    /// The same for previewing a template: without a plan, as if the applicant paid everything before they start.
    pub(super) async fn likely_cost_sheet(&self, application: &Application) -> Result<CostSheet, Error> {
        if let Ok(planned) = self.planned_cost_sheet(application).await {
            return Ok(planned);
        }
        let decided = self.store.decided(&application.id).await?.ok_or(Refusal::NoContractYet)?;
        let tuition = self.product_settings().await.page(application.program).tuition(application.program);
        let plan = PaymentPlan { up_front: tuition, monthly: 0, first_due: decided.decision.intake.start };
        let sources = vec![Source::named(SourceKind::SelfPay, tuition)];
        Ok(Funding { tuition, sources, plan, pauses: Vec::new() }.cost_sheet())
    }

    /// Whether a contract's payment terms match the current plan. Dates moved by a deferral do not make another plan.
    pub(super) async fn fits_the_plan(&self, contract: &Contract) -> Result<bool, Error> {
        let Some(plan) = self.store.funding_plan(&contract.application_id).await? else { return Ok(false) };
        let text = contract.text.as_deref().and_then(ContractText::parse);
        Ok(text.is_some_and(|text| plan.funding.cost_sheets().any(|sheet| text.ends_with(&sheet))))
    }

    /// # Errors
    /// [`Refusal::ContractOutdated`]
    pub(super) async fn expect_planned(&self, contract: &Contract) -> Result<(), Error> {
        if self.fits_the_plan(contract).await? { Ok(()) } else { Err(Refusal::ContractOutdated.into()) }
    }
}
