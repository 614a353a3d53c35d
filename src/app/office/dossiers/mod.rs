//! One application, as staff work on it.
//!
//! Every listed application has a dossier: those submitted and not taken back. A draft is private to its applicant.

mod acts;
mod answers;
mod documents;
mod duplicates;
mod emails;
mod funding;
mod notes;
mod payments;
mod presence;
mod second_person;
mod tasks;
mod timeline;

use jiff::civil::Date;
use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::account::Applicant;
use domain::application::{Application, ApplicationKey};
use domain::listing::{Facet, Listing, ListingQuery, Mark, Marked, NOBODY, View};
use domain::merging::MergeField;
use domain::moments::MINUTE;
use domain::permission::Permission;
use domain::staff::{StaffSession, StaffSummary};
use domain::status::{Act, ActorKind, Ended, Facts, Guard, Stage, TABLE, decide};

pub use acts::{ActReason, Resumption, Since, StaffAct};
pub use answers::{ComparedSection, Version, VersionName, chosen};
pub use duplicates::PossibleDuplicate;
pub use emails::Letter;
pub(crate) use emails::{letter_subject, letter_text};
pub use funding::SourceJudgment;
pub use notes::{MAX_NOTE_LENGTH, NoteText};
pub(crate) use payments::booking_scope;
pub use payments::{Booked, FinanceBooking};
pub use presence::PRESENT;
pub use second_person::{Clearance, DeclineReason, SecondPerson};
pub use tasks::TaskNote;
pub use timeline::{Event, Who, act_in_words, stage_of};

/// Replaces a text that the role may not read.
pub const HIDDEN: &str = "Hidden for your role";

/// An application with everything around it.
#[derive(Debug, Clone)]
pub struct Dossier {
    pub applicant: Applicant,
    pub application: Application,
    /// Its row in the list.
    pub listing: Listing,
    /// Everybody who can own an application.
    pub all_staff: Vec<StaffSummary>,
    /// The acts open to the caller now, assuming that what they choose or type is valid.
    pub acts: Vec<Act>,
}

impl Dossier {
    /// The dossier for roles that may not see personal data: named by its reference.
    fn without_person(mut self) -> Dossier {
        self.listing = self.listing.without_person();
        let Applicant { email, profile, email_confirmed_at, .. } = &mut self.applicant;
        (*email, *email_confirmed_at) = (String::new(), None);
        profile.first_name = String::new();
        profile.last_name.clone_from(&self.listing.last_name);
        profile.phone_number = String::new();
        profile.country = String::new();
        profile.state = None;
        profile.date_of_birth = Date::default();
        self
    }

    /// The id of its owner.
    pub fn owner(&self) -> Option<&str> {
        self.listing.values(Facet::Owner).next().filter(|owner| *owner != NOBODY)
    }

    /// The value of a field of [`OF_APPLICANT`](domain::merging::OF_APPLICANT) in texts for the applicant.
    pub(crate) fn merge_value(&self, field: MergeField) -> String {
        let profile = &self.applicant.profile;
        match field {
            MergeField::FirstName => profile.first_name.clone(),
            MergeField::LastName => profile.last_name.clone(),
            MergeField::Reference => self.application.reference.clone().unwrap_or_default(),
            _ => self.application.program.name().in_language(profile.language),
        }
    }

    /// The applicant's name; a placeholder if the records were erased.
    pub fn name(&self) -> String {
        let profile = &self.applicant.profile;
        let name = format!("{} {}", profile.first_name, profile.last_name);
        if name.trim().is_empty() { "Erased".to_owned() } else { name.trim().to_owned() }
    }
}

/// The applications before and after one in a view of the list.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    pub previous: Option<String>,
    pub next: Option<String>,
}

impl App {
    /// One application, for staff.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], also for one that is not listed.
    pub async fn dossier(&self, who: &StaffSession, id: &str) -> Result<Dossier, Error> {
        who.staff.permit(Permission::Applications)?;
        // Our ids are letters, digits and dashes; nothing else is looked up.
        let is_id = (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let listed = if is_id { self.store.listings_of(&[id.to_owned()]).await? } else { Vec::new() };
        let listing = listed.into_iter().next().ok_or(Refusal::ApplicationNotFound)?;
        let found = self.store.application(ApplicationKey::Id(id)).await?;
        let (applicant, application) = found.ok_or(Refusal::ApplicationNotFound)?;
        let acts = self.open_acts(who, &applicant, &application, &listing).await?;
        let all_staff = self.store.all_staff().await?;
        let dossier = Dossier { applicant, application, listing, all_staff, acts };
        Ok(if who.staff.role.may(Permission::PersonalData) { dossier } else { dossier.without_person() })
    }

    /// The applications before and after it in a view of the list, whether or not it is still part of that view.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn neighbours(&self, who: &StaffSession, view: &View, listing: &Listing) -> Result<Neighbours, Error> {
        who.staff.permit(Permission::Applications)?;
        let query = self.listing_query(who, view);
        let cursor = query.order.cursor(listing);
        let query = ListingQuery { cursor: Some(cursor), limit: 1, ..query };
        let (previous, next) = self.store.listings_beside(&query).await?;
        Ok(Neighbours { previous, next })
    }

    /// Assigns an application to somebody, or to nobody. `seen` is the owner that the caller saw.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::StaffNotFound`] for an invalid owner,
    /// [`Refusal::ApplicationChanged`] when somebody else has assigned it since.
    pub async fn hand_over(
        &self,
        who: &StaffSession,
        id: &str,
        seen: Option<&str>,
        owner: Option<&str>,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::Assign)?;
        let dossier = self.dossier(who, id).await?;
        let is_active = |one: &StaffSummary| Some(one.id.as_str()) == owner && one.suspended_at.is_none();
        if owner.is_some() && !dossier.all_staff.iter().any(is_active) {
            return Err(Refusal::StaffNotFound.into());
        }
        if dossier.owner() == owner {
            return Ok(());
        }
        let detail = json!({ "from": seen, "owner": owner });
        let audit = self.about_application(who, id, "application.assigned", detail);
        if self.store.hand_over(id, seen, owner, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::ApplicationChanged.into())
        }
    }

    /// Adds a tag to an application, or removes one.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], an invalid tag or one too many.
    pub async fn tag_application(&self, who: &StaffSession, id: &str, mark: &Mark) -> Result<(), Error> {
        self.dossier(who, id).await?;
        let results = self.mark_applications(who, &[id.to_owned()], mark).await?;
        match results.first().map(|result| result.marked) {
            Some(Marked::Done | Marked::Unchanged) => Ok(()),
            Some(Marked::Full) => {
                let sentence = "It has 20 tags. Take one off first.";
                Err(domain::input::FieldError::new("newTag", "newTag.full", sentence).into())
            }
            Some(Marked::Missing) => Err(Refusal::ApplicationNotFound.into()),
            Some(Marked::Unavailable) | None => Err(Error::Unavailable(None)),
        }
    }

    /// An audit entry about what a member of staff did with an application.
    pub(crate) fn about_application(
        &self,
        who: &StaffSession,
        id: &str,
        action: &'static str,
        detail: serde_json::Value,
    ) -> store::AuditEntry {
        self.audit_entry(format!("staff:{}", who.staff.id), format!("application:{id}"), action, detail)
    }

    /// The acts of the table open to this person at this stage, assuming that what they choose or type is valid.
    async fn open_acts(
        &self,
        who: &StaffSession,
        applicant: &Applicant,
        application: &Application,
        listing: &Listing,
    ) -> Result<Vec<Act>, Error> {
        let actor = ActorKind::Staff(who.staff.role);
        let is_theirs = |act: &Act| {
            TABLE.iter().any(|rule| {
                rule.act == *act
                    && rule.from.contains(&application.stage)
                    && rule.who.iter().any(|who| who.includes(actor))
            })
        };
        let theirs: Vec<Act> = Act::ALL.into_iter().filter(is_theirs).collect();
        if theirs.is_empty() {
            return Ok(theirs);
        }
        let facts = self.facts_of_stage(applicant, application, listing).await?;
        Ok(theirs.into_iter().filter(|act| decide(application.stage, *act, actor, &facts).is_ok()).collect())
    }

    async fn facts_of_stage(
        &self,
        applicant: &Applicant,
        application: &Application,
        listing: &Listing,
    ) -> Result<Facts, Error> {
        let now = self.clock.now();
        let stage = application.stage;
        let asks = |guard| TABLE.iter().any(|rule| rule.from.contains(&stage) && rule.guards.contains(&guard));
        let drafted = match asks(Guard::AcceptanceDrafted) || asks(Guard::RejectionDrafted) {
            true => self.drafted(&application.id).await?,
            false => None,
        };
        let place_left = match &drafted {
            Some(decision) => self.has_place(application.program, decision.intake).await?,
            None => asks(Guard::PlaceLeft) && self.has_place_again(application).await?,
        };
        let drafted = drafted.map(|decision| decision.ruling.outcome());
        let former = match asks(Guard::FormerKnown) {
            true => self.store.former_stage(&application.id).await?,
            false => None,
        };
        let mut facts = Facts {
            sections_named: true,
            due_date_ahead: true,
            fee_settled: !listing.fee_due(),
            slot_free: true,
            minutes_until_slot: Some(i64::MAX),
            moves_so_far: Some(0),
            no_shows: Some(0),
            interview_waived: true,
            documents_there: true,
            second_person: true,
            place_left,
            letter_fits: true,
            rejection_reason_chosen: true,
            shown_reasons_chosen: true,
            months_until_intake: Some(1),
            conditions_rechecked: true,
            reason_given: true,
            minutes_until_interview: listing.interview_at.map(|at| (at - now).div_euclid(MINUTE)),
            drafted,
            former,
            ..Facts::default()
        };
        if application.stage == Stage::Confirmed {
            facts = self.facts_of_enrolment(application, facts).await?;
        }
        if application.stage == Stage::Archived {
            let (ended_by, no_other_active) = self.how_it_ended(application).await?;
            // Nothing can be restored to a closed account.
            let ended_by = ended_by.filter(|_| !applicant.email.is_empty());
            facts = Facts { ended_by, no_other_active, ..facts };
        }
        Ok(application.released_facts(facts, now))
    }

    /// How an application ended, and whether its applicant has no other active one.
    async fn how_it_ended(&self, application: &Application) -> Result<(Option<Ended>, bool), Error> {
        let ended = self.store.ended_application(&application.applicant_id).await?;
        let ended = ended.filter(|ended| ended.application.id == application.id);
        let ended_by = ended.and_then(|ended| match ended.act {
            Act::Withdraw => Some(Ended::Withdrawn),
            Act::Decline => Some(Ended::Declined),
            _ => None,
        });
        let active = self.store.active_application(&application.applicant_id).await?;
        Ok((ended_by, active.is_none()))
    }
}
