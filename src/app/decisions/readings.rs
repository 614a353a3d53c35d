//! Applications read and scored by several people, each blind to the others until they have sent theirs; and the list
//! that a committee goes through.

use jiff::civil::Date;
use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use crate::office::dossiers::Dossier;
use crate::office::staff::asked_to_read;
use domain::body;
use domain::body::{day, texts, wrong};
use domain::clocks::end_of;
use domain::input::{FieldError, Input};
use domain::moments::Millis;
use domain::permission::Permission;
use domain::program::Program;
use domain::reading::{CommitteeEntry, Reading, SentReading};
use domain::rubric::{Rubric, ScoreSheet, SheetKind};
use domain::sentence::Sentence;
use domain::staff::{StaffSession, StaffSummary};
use domain::task::{Task, TaskKind};
use store::NewReading;

/// Maximum number of applications on a committee's list.
pub const MAX_COMMITTEE: usize = 500;
/// Maximum number of readers of one application.
const MAX_READERS: usize = 12;

body! {
    /// Readers to ask, and a deadline.
    #[schema(as = ReadersBody)]
    pub struct ReadersAsked given (today: Date) {
        /// Ids of members of staff: 1 to 12.
        pub readers: Vec<String> = readers,
        #[schema(value_type = Option<String>, required = false, format = Date)]
        pub due_on: Option<Date> = |path: &str, input: Option<&Input>| match input {
            None => Ok(None),
            Some(Input::Text(text)) if text.trim().is_empty() => Ok(None),
            given => match day(given) {
                None => Err(wrong(path, "invalid", "Enter a date like 2026-05-31.")),
                Some(day) if day < today => Err(wrong(path, "past", "Choose a day that is still to come.")),
                Some(day) => Ok(Some(day)),
            },
        },
    }
}

fn readers(path: &str, input: Option<&Input>) -> Result<Vec<String>, FieldError> {
    let readers = texts(path, input)?.unwrap_or_default();
    match readers.iter().filter(|reader| !reader.is_empty()).count() {
        0 => Err(wrong(path, "required", "Choose at least one reader.")),
        count if count > MAX_READERS => {
            let sentence = format!("At most {MAX_READERS} people read one application.");
            Err(wrong(path, "count", Sentence::plain(sentence)))
        }
        _ => Ok(readers),
    }
}

/// One reading, as far as the caller may see it.
#[derive(Debug, Clone)]
pub struct ReadingSeen {
    pub reader_id: String,
    pub asked_at: Millis,
    pub due_on: Option<Date>,
    pub sent_at: Option<Millis>,
    /// The score sheet, if it is sent and may be seen.
    pub sheet: Option<ScoreSheet>,
}

/// The readings of an application, as far as the caller may see them.
#[derive(Debug, Clone)]
pub struct ReadingsSeen {
    pub rubric: Rubric,
    pub readings: Vec<ReadingSeen>,
    /// Whether the caller is asked to read it and has not sent theirs.
    pub is_blind: bool,
    /// Whether it is decided, so that no more readings are sent.
    pub is_over: bool,
    /// Staff whom the caller can ask.
    pub candidates: Vec<StaffSummary>,
}

impl ReadingsSeen {
    /// The mean score of the visible sheets, in thousandths.
    pub fn score(&self) -> Option<i64> {
        let scores: Vec<i64> =
            self.readings.iter().filter_map(|reading| reading.sheet.as_ref()).map(ScoreSheet::score).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<i64>() / scores.len() as i64)
    }
}

impl App {
    /// The readers of an application, and their scores.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn readings(&self, who: &StaffSession, dossier: &Dossier) -> Result<ReadingsSeen, Error> {
        who.staff.permit(Permission::Score)?;
        let Dossier { application, all_staff, .. } = dossier;
        let rubric = self.product_settings().await.rubric(SheetKind::Reading, application.program).clone();
        let readings = self.store.readings(&application.id).await?;
        let is_over = !application.stage.is_undecided();
        let me = &who.staff.id;
        let is_blind = !is_over && readings.iter().any(|it| it.reader_id == *me && it.sent.is_none());
        let may_ask = !is_over && who.staff.role.may(Permission::Assign);
        let candidates = all_staff
            .iter()
            .filter(|one| may_ask && can_read(one) && !readings.iter().any(|reading| reading.reader_id == one.id));
        let candidates = candidates.cloned().collect();
        let seen = |Reading { reader_id, asked_at, due_on, sent, .. }: Reading| ReadingSeen {
            sent_at: sent.as_ref().map(|sent| sent.at),
            sheet: sent.map(|sent| sent.sheet).filter(|_| !is_blind),
            reader_id,
            asked_at,
            due_on,
        };
        Ok(ReadingsSeen { rubric, readings: readings.into_iter().map(seen).collect(), is_blind, is_over, candidates })
    }

    /// Asks people to read an application. Those already asked are left alone.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::ReadingOver`] once it is decided,
    /// `readers.unknown` for somebody who cannot read it.
    pub async fn ask_readers(&self, who: &StaffSession, id: &str, asked: &ReadersAsked) -> Result<(), Error> {
        who.staff.permit(Permission::Assign)?;
        let dossier = self.dossier(who, id).await?;
        let Dossier { application, all_staff, .. } = &dossier;
        if !application.stage.is_undecided() {
            return Err(Refusal::ReadingOver.into());
        }
        let now = self.clock.now();
        let due_at = asked.due_on.map(|day| end_of(day, &self.settings.time_zone));
        let mut readers = Vec::new();
        for reader in &asked.readers {
            let staff = all_staff.iter().find(|one| one.id == *reader && can_read(one)).ok_or_else(|| {
                FieldError::new("readers", "readers.unknown", "Somebody of these cannot read applications.")
            })?;
            let task = Task {
                id: self.random.id(),
                kind: TaskKind::Reading,
                subject: format!("application:{id}"),
                detail: json!({ "reader": staff.id }),
                created_at: now,
                due_at,
            };
            let reading = Reading {
                application_id: id.to_owned(),
                reader_id: staff.id.clone(),
                asked_by: who.staff.id.clone(),
                asked_at: now,
                due_on: asked.due_on,
                sent: None,
            };
            let mail = asked_to_read(self, application, staff, &who.staff, asked.due_on);
            readers.push(NewReading { reading, task, mail });
        }
        let audit = self.about_application(who, id, "reading.asked", json!({ "readers": asked.readers }));
        self.store.ask_readers(&readers, &audit).await?;
        Ok(())
    }

    /// Withdraws a request from a reader who has not sent theirs.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoReading`] for somebody who was not
    /// asked, or has already sent theirs.
    pub async fn unask_reader(&self, who: &StaffSession, id: &str, reader_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Assign)?;
        self.dossier(who, id).await?;
        let audit = self.about_application(who, id, "reading.taken_back", json!({ "reader": reader_id }));
        if self.store.unask_reader(id, reader_id, &audit).await? { Ok(()) } else { Err(Refusal::NoReading.into()) }
    }

    /// Sends the caller's own reading of an application. It cannot be changed afterwards.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoReading`] for somebody who was not
    /// asked, [`Refusal::ReadingSent`], [`Refusal::ReadingOver`], and the rubric's errors.
    pub async fn send_reading(&self, who: &StaffSession, id: &str, input: &Input) -> Result<(), Error> {
        who.staff.permit(Permission::Score)?;
        let dossier = self.dossier(who, id).await?;
        let seen = self.readings(who, &dossier).await?;
        let own = seen.readings.iter().find(|reading| reading.reader_id == who.staff.id).ok_or(Refusal::NoReading)?;
        if own.sent_at.is_some() {
            return Err(Refusal::ReadingSent.into());
        }
        if seen.is_over {
            return Err(Refusal::ReadingOver.into());
        }
        let sent = SentReading { at: self.clock.now(), sheet: seen.rubric.parse(input)? };
        let audit = self.about_application(who, id, "reading.sent", json!({}));
        if self.store.send_reading(id, &who.staff.id, &sent, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::ReadingSent.into())
        }
    }

    /// The undecided applications with readers, best scored first. Scores that the caller may not see yet are left out,
    /// and those applications come last.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn committee(&self, who: &StaffSession, program: Option<Program>) -> Result<Vec<CommitteeEntry>, Error> {
        who.staff.permit(Permission::Decide)?;
        let mut entries = self.store.committee(program, &who.staff.id, MAX_COMMITTEE as i64).await?;
        for entry in entries.iter_mut().filter(|entry| entry.is_blind) {
            (entry.score, entry.recommended) = (None, [0; 3]);
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.score));
        Ok(entries)
    }
}

fn can_read(staff: &StaffSummary) -> bool {
    staff.suspended_at.is_none() && staff.role.may(Permission::Score)
}
