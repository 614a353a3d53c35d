//! Referees, the requests to them, and their references.

use serde_json::Value;

use super::Db;
use super::error::unreadable;
use super::in_place::row;
use super::listings::relist;
use super::query::{Tx, args};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::documents::FileName;
use domain::language::Language;
use domain::moments::{DAY, Millis};
use domain::program::Program;
use domain::questionnaire::Entry;
use domain::referee::{REMIND_AFTER_DAYS, REMINDER_DAYS, Referee, RefereeState, ReferenceLetter, takes_references};
use domain::status::Stage;

/// A request to a referee, with the secret of its link.
#[derive(Debug, Clone)]
pub struct RefereeRequest {
    pub referee_id: String,
    /// Digest of the secret.
    pub digest: String,
    /// The secret, sealed.
    pub link: String,
    pub mail: NewMail,
    pub audit: AuditEntry,
}

macro_rules! referees {
    () => {
        "SELECT r.id, r.application_id, r.name, r.email, r.relationship, r.organization, r.language, r.waived, r.state, \
         r.created_at, r.asked_at, r.reminded_at, r.reminders, r.opened_at, r.finished_at, r.program, r.version, r.answers, \
         r.reason, r.letter_name, r.letter_object, r.letter_size, r.letter_hash FROM referees r"
    };
}

row! {
    struct RefereeRow {
        id: String,
        application_id: String,
        name: String,
        email: String,
        relationship: String,
        organization: String,
        language: String,
        waived: i64,
        state: String,
        created_at: i64,
        asked_at: Option<i64>,
        reminded_at: Option<i64>,
        reminders: i64,
        opened_at: Option<i64>,
        finished_at: Option<i64>,
        program: Option<String>,
        version: Option<i64>,
        answers: String,
        reason: String,
        letter_name: Option<String>,
        letter_object: Option<String>,
        letter_size: Option<i64>,
        letter_hash: Option<String>,
    }
}

impl TryFrom<RefereeRow> for Referee {
    type Error = StoreError;

    fn try_from(row: RefereeRow) -> Result<Self, StoreError> {
        let unreadable = |column: &str| unreadable(column, &row.id);
        let letter = match (&row.letter_name, row.letter_object, row.letter_size, row.letter_hash) {
            (Some(name), Some(object), Some(size), Some(sha256)) => Some(ReferenceLetter {
                name: FileName::parse(name).map_err(|_| unreadable("referees.letter_name"))?,
                object,
                size: size.cast_unsigned(),
                sha256,
            }),
            _ => None,
        };
        let program = row
            .program
            .as_deref()
            .map(|program| Program::of_application_type(program).ok_or_else(|| unreadable("referees.program")));
        Ok(Referee {
            questionnaire: program.transpose()?.zip(row.version),
            state: RefereeState::parse(&row.state).ok_or_else(|| unreadable("referees.state"))?,
            answers: serde_json::from_str::<Entry>(&row.answers).map_err(|_| unreadable("referees.answers"))?,
            language: Language::parse(&row.language).unwrap_or_default(),
            letter,
            id: row.id,
            application_id: row.application_id,
            name: row.name,
            email: row.email,
            relationship: row.relationship,
            organization: row.organization,
            waived: row.waived == 1,
            created_at: row.created_at,
            asked_at: row.asked_at,
            reminded_at: row.reminded_at,
            reminders: row.reminders,
            opened_at: row.opened_at,
            finished_at: row.finished_at,
            reason: row.reason,
        })
    }
}

fn read(rows: Vec<RefereeRow>) -> Stored<Vec<Referee>> {
    rows.into_iter().map(Referee::try_from).collect()
}

/// The stages at which references are of use, as a list in SQL; `also` restricts them.
fn stages(also: impl Fn(Stage) -> bool) -> String {
    let names = Stage::ALL.into_iter().filter(|stage| takes_references(*stage) && also(*stage));
    let names: Vec<String> = names.map(|stage| format!("'{}'", stage.as_str())).collect();
    names.join(", ")
}

impl Db {
    /// Returns all referees of an application, removed ones included, in the order in which they were named.
    pub async fn referees(&self, application_id: &str) -> Stored<Vec<Referee>> {
        let sql = concat!(referees!(), " WHERE r.application_id = $1 ORDER BY r.created_at, r.id");
        read(self.fetch_all(sql, args![application_id]).await?)
    }

    /// Returns the referee whose link has the secret with this digest.
    pub async fn referee_by_digest(&self, digest: &str) -> Stored<Option<Referee>> {
        let sql = concat!(referees!(), " WHERE r.digest = $1");
        let row: Option<RefereeRow> = self.fetch_optional(sql, args![digest]).await?;
        row.map(Referee::try_from).transpose()
    }

    /// Returns the version of the questionnaire with which an application was submitted, which says what referees are
    /// asked for; `None` before the first submission.
    pub async fn references_version(&self, application_id: &str) -> Stored<Option<i64>> {
        let sql = "SELECT references_version FROM applications WHERE id = $1";
        let row: Option<(Option<i64>,)> = self.fetch_optional(sql, args![application_id]).await?;
        Ok(row.and_then(|(version,)| version))
    }

    /// Returns the sealed secret of a referee's link; `None` before they are asked.
    pub async fn referee_link(&self, id: &str) -> Stored<Option<String>> {
        let row: Option<(Option<String>,)> =
            self.fetch_optional("SELECT link FROM referees WHERE id = $1", args![id]).await?;
        Ok(row.and_then(|(link,)| link))
    }

    /// Adds a referee, and asks them with `request`. Returns false if `most` are named already.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("referee")` if the address is named already.
    pub async fn name_referee(
        &self,
        new: &Referee,
        email_key: &str,
        most: i64,
        audit: &AuditEntry,
        request: Option<&RefereeRequest>,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Concurrent naming for the same application waits here, so that the count holds.
        let sql = "UPDATE applications SET stage = stage WHERE id = $1";
        if tx.execute(sql, args![&new.application_id]).await? == 0 {
            return Ok(false);
        }
        let sql = "SELECT COUNT(*) FROM referees WHERE application_id = $1 AND state IN ('named', 'asked', 'received')";
        let counted: Vec<(i64,)> = tx.fetch_all(sql, args![&new.application_id]).await?;
        if counted.first().is_some_and(|(count,)| *count >= most) {
            return Ok(false);
        }
        let sql = "INSERT INTO referees (id, application_id, name, email, email_key, relationship, organization, \
                   language, waived, state, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'named', $10)";
        let args = args![
            &new.id,
            &new.application_id,
            &new.name,
            &new.email,
            email_key,
            &new.relationship,
            &new.organization,
            new.language.as_str(),
            i64::from(new.waived),
            new.created_at,
        ];
        tx.execute(sql, args).await?;
        tx.audit(audit).await?;
        if let Some(request) = request {
            tx.ask_referee(request).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Asks a referee of an application who was only named. Returns false if they are no longer.
    pub async fn ask_referee(&self, application_id: &str, request: &RefereeRequest) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // First, as a submission that asks the same referee does.
        tx.execute("UPDATE applications SET stage = stage WHERE id = $1", args![application_id]).await?;
        if !tx.ask_referee(request).await? {
            return Ok(false);
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Notes a reminder, if we wait for the referee and have not just written to them ([`REMIND_AFTER_DAYS`]). A
    /// scheduled one is counted.
    pub async fn remind_referee(
        &self,
        id: &str,
        is_scheduled: bool,
        mail: &NewMail,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE referees SET reminded_at = $2, reminders = reminders + $3 \
                   WHERE id = $1 AND state = 'asked' AND COALESCE(reminded_at, asked_at) <= $4";
        let before = audit.at - REMIND_AFTER_DAYS * DAY;
        if tx.execute(sql, args![id, audit.at, i64::from(is_scheduled), before]).await? == 0 {
            return Ok(false);
        }
        tx.mail(mail).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Counts a scheduled reminder that cannot be written.
    pub async fn skip_reminder(&self, id: &str) -> Stored<()> {
        self.execute("UPDATE referees SET reminders = reminders + 1 WHERE id = $1", args![id]).await?;
        Ok(())
    }

    /// Removes a referee from whom nothing has come. Of one who was asked, what they have begun is deleted, and the rest
    /// stays on record. Returns false if there is none.
    pub async fn remove_referee(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let mut removed = tx.execute("DELETE FROM referees WHERE id = $1 AND state = 'named'", args![id]).await?;
        if removed == 0 {
            let sql = "UPDATE referees SET state = 'removed', finished_at = NULL, reason = '', answers = '{}', \
                       letter_name = NULL, letter_object = NULL, letter_size = NULL, letter_hash = NULL \
                       WHERE id = $1 AND state IN ('asked', 'declined')";
            removed = tx.execute(sql, args![id]).await?;
        }
        if removed == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes that the link was opened for the first time.
    pub async fn note_opened(&self, id: &str, at: Millis) -> Stored<()> {
        self.execute("UPDATE referees SET opened_at = $2 WHERE id = $1 AND opened_at IS NULL", args![id, at]).await?;
        Ok(())
    }

    /// Keeps what a referee has written so far. Returns false if we no longer wait for them.
    pub async fn save_reference(&self, id: &str, questionnaire: (Program, i64), answers: &Entry) -> Stored<bool> {
        let (program, version) = questionnaire;
        let answers = Value::Object(answers.clone()).to_string();
        let sql = "UPDATE referees SET program = $2, version = $3, answers = $4 WHERE id = $1 AND state = 'asked'";
        Ok(self.execute(sql, args![id, program.application_type(), version, &answers]).await? == 1)
    }

    /// Takes a reference as final, and tells the applicant. It must still have the letter `letter`, or none. Returns
    /// false if it has another one, or if we no longer wait for it.
    pub async fn receive_reference(
        &self,
        referee: &Referee,
        (program, version): (Program, i64),
        answers: &Entry,
        mail: &NewMail,
        audit: &AuditEntry,
    ) -> Stored<bool> {
        let answers = Value::Object(answers.clone()).to_string();
        let object = referee.letter.as_ref().map_or("", |letter| letter.object.as_str());
        let mut tx = self.begin().await?;
        let sql = "UPDATE referees SET state = 'received', program = $2, version = $3, answers = $4, finished_at = $5 \
                   WHERE id = $1 AND state = 'asked' AND COALESCE(letter_object, '') = $6";
        let args = args![&referee.id, program.application_type(), version, &answers, audit.at, object];
        if tx.execute(sql, args).await? == 0 {
            return Ok(false);
        }
        // Before the record, in the order in which whatever changes a row of the list locks the two.
        relist(&mut tx, &referee.application_id).await?;
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.reference_event(&audit.id, &referee.application_id, &referee.id, audit.at).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Notes that a referee gives no reference, and tells the applicant. Returns false if we do not wait for them.
    pub async fn decline_reference(&self, id: &str, reason: &str, mail: &NewMail, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE referees SET state = 'declined', reason = $2, finished_at = $3 \
                   WHERE id = $1 AND state = 'asked'";
        if tx.execute(sql, args![id, reason, audit.at]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.mail(mail).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Takes back that a referee declined, unless their place is taken by now: `most` can be named.
    ///
    /// # Errors
    /// [`StoreError::Taken`]`("referee")` if the address was named again.
    pub async fn reopen_reference(&self, referee: &Referee, most: i64, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        tx.execute("UPDATE applications SET stage = stage WHERE id = $1", args![&referee.application_id]).await?;
        let sql = "UPDATE referees SET state = 'asked', reason = '', finished_at = NULL \
                   WHERE id = $1 AND state = 'declined' AND (SELECT COUNT(*) FROM referees o \
                   WHERE o.application_id = $2 AND o.state IN ('named', 'asked', 'received')) < $3";
        if tx.execute(sql, args![&referee.id, &referee.application_id, most]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Replaces the letter `former`, or none, while we wait for the reference. Returns false if another one is there.
    pub async fn set_letter(
        &self,
        id: &str,
        former: Option<&ReferenceLetter>,
        letter: Option<&ReferenceLetter>,
    ) -> Stored<bool> {
        let sql = "UPDATE referees SET letter_name = $2, letter_object = $3, letter_size = $4, letter_hash = $5 \
                   WHERE id = $1 AND state = 'asked' AND COALESCE(letter_object, '') = $6";
        let args = args![
            id,
            letter.map(|letter| letter.name.as_str()),
            letter.map(|letter| letter.object.as_str()),
            letter.map(|letter| letter.size.cast_signed()),
            letter.map(|letter| letter.sha256.as_str()),
            former.map_or("", |letter| letter.object.as_str()),
        ];
        Ok(self.execute(sql, args).await? == 1)
    }

    /// Returns referees of submitted applications who are not asked yet though the applicant's address is confirmed.
    pub async fn referees_to_ask(&self, limit: i64) -> Stored<Vec<Referee>> {
        let stages = stages(|stage| stage != Stage::Draft);
        let sql = format!(
            "{} JOIN applications a ON a.id = r.application_id JOIN applicants p ON p.id = a.applicant_id \
             WHERE r.state = 'named' AND a.stage IN ({stages}) AND p.email_confirmed_at IS NOT NULL \
             AND p.closed_at IS NULL ORDER BY r.created_at, r.id LIMIT $1",
            referees!()
        );
        read(self.fetch_built(&sql, args![limit]).await?)
    }

    /// Returns referees who are to be reminded at `now`.
    pub async fn referees_to_remind(&self, now: Millis, limit: i64) -> Stored<Vec<Referee>> {
        let stages = stages(|_| true);
        let due: Vec<String> = REMINDER_DAYS
            .iter()
            .enumerate()
            .map(|(number, days)| format!("(r.reminders = {number} AND r.asked_at <= $1 - {})", days * DAY))
            .collect();
        let due = due.join(" OR ");
        let sql = format!(
            "{} JOIN applications a ON a.id = r.application_id WHERE r.state = 'asked' AND ({due}) \
             AND COALESCE(r.reminded_at, r.asked_at) <= $1 - {} AND a.stage IN ({stages}) \
             ORDER BY r.asked_at, r.id LIMIT $2",
            referees!(),
            REMIND_AFTER_DAYS * DAY
        );
        read(self.fetch_built(&sql, args![now, limit]).await?)
    }
}

impl Tx {
    /// Asks a referee who was only named. Returns false if they are no longer.
    pub(super) async fn ask_referee(&mut self, request: &RefereeRequest) -> Stored<bool> {
        let RefereeRequest { referee_id, digest, link, mail, audit } = request;
        let sql = "UPDATE referees SET state = 'asked', asked_at = $2, digest = $3, link = $4 \
                   WHERE id = $1 AND state = 'named'";
        if self.execute(sql, args![referee_id, audit.at, digest, link]).await? == 0 {
            return Ok(false);
        }
        self.mail(mail).await?;
        self.audit(audit).await?;
        Ok(true)
    }
}

/// Whether an application lacks references that it needs.
pub(super) async fn lacks_references(tx: &mut Tx, application_id: &str) -> Stored<bool> {
    let sql = "SELECT a.references_needed, (SELECT COUNT(*) FROM referees r WHERE r.application_id = a.id \
               AND r.state = 'received') AS received FROM applications a WHERE a.id = $1";
    let found: Vec<(i64, i64)> = tx.fetch_all(sql, args![application_id]).await?;
    Ok(found.first().is_some_and(|(needed, received)| received < needed))
}
