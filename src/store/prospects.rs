//! Prospects: what they asked for, whether they have confirmed it, and what they were told.

use super::Db;
use super::error::unreadable;
use super::in_place::{joined_row, row};
use super::open_days::{CancelMail, cancel_bookings, forget_bookings};
use super::outbox::to_strangers;
use super::query::{Arg, Tx, args};
use crate::{AuditEntry, NewMail, StoreError, Stored};
use domain::language::Language;
use domain::moments::{DAY, Millis};
use domain::program::Program;
use domain::prospect::{Prospect, ProspectCounts, ProspectQuery, ProspectState, Want, Wants};

/// What somebody asks for, until they confirm it.
#[derive(Debug, Clone)]
pub struct NewInquiry {
    /// Of a new prospect.
    pub id: String,
    pub email: String,
    pub first_name: String,
    pub program: Program,
    pub wants: Wants,
    pub language: Language,
    /// Digest of the secret that confirms it, and until when it does.
    pub digest: String,
    pub expires_at: Millis,
    /// The secret in the mails to a new prospect.
    pub unsubscribe_token: String,
    pub at: Millis,
}

/// Writes a mail to a prospect, with the secret that ends such mails.
pub type ProspectMail<'a> = &'a (dyn Fn(&Prospect, &str) -> NewMail + Sync);

/// Columns of `prospects p`, the latest application of whoever they became, and whether it is listed.
macro_rules! prospects {
    () => {
        "SELECT p.id, p.email, p.first_name, p.program, p.wants_openings, p.wants_brochure, p.language, p.created_at, \
         p.confirmed_at, p.applicant_id, a.id AS application_id, l.application_id AS listed_id"
    };
}
macro_rules! from_prospects {
    () => {
        " FROM prospects p LEFT JOIN applications a ON a.id = (SELECT x.id FROM applications x \
         WHERE x.applicant_id = p.applicant_id ORDER BY x.created_at DESC, x.id DESC LIMIT 1) \
         LEFT JOIN listings l ON l.application_id = a.id"
    };
}

row! {
    struct ProspectRow {
        id: String,
        email: String,
        first_name: String,
        program: String,
        wants_openings: i64,
        wants_brochure: i64,
        language: String,
        created_at: i64,
        confirmed_at: Option<i64>,
        applicant_id: Option<String>,
        application_id: Option<String>,
        listed_id: Option<String>,
    }
}

impl TryFrom<ProspectRow> for Prospect {
    type Error = StoreError;

    fn try_from(row: ProspectRow) -> Result<Self, StoreError> {
        Ok(Prospect {
            program: program(&row.program, &row.id)?,
            id: row.id,
            email: row.email,
            first_name: row.first_name,
            wants: Wants { openings: row.wants_openings == 1, brochure: row.wants_brochure == 1 },
            language: Language::parse(&row.language).unwrap_or_default(),
            created_at: row.created_at,
            confirmed_at: row.confirmed_at,
            applicant_id: row.applicant_id,
            application_id: row.application_id,
            application_listed: row.listed_id.is_some(),
        })
    }
}

fn program(stored: &str, id: &str) -> Stored<Program> {
    Program::of_application_type(stored).ok_or_else(|| unreadable("prospects.program", id))
}

/// Columns with what was asked last.
macro_rules! asked {
    () => {
        ", p.asked_at, p.asked_first_name, p.asked_program, p.asked_openings, p.asked_brochure, p.asked_language, \
         p.known_intake, p.unsubscribe_token"
    };
}

row! {
    struct AskedRow {
        asked_at: Option<i64>,
        asked_first_name: Option<String>,
        asked_program: Option<String>,
        asked_openings: Option<i64>,
        asked_brochure: Option<i64>,
        asked_language: Option<String>,
        known_intake: String,
        unsubscribe_token: String,
    }
}

joined_row! {
    struct AskingRow {
        prospect: ProspectRow,
        asked: AskedRow,
    }
}

impl AskedRow {
    fn wants(&self) -> Wants {
        Wants { openings: self.asked_openings == Some(1), brochure: self.asked_brochure == Some(1) }
    }

    /// Returns the prospect as they asked to be; a first name that was left out stays.
    fn applied(&self, prospect: Prospect) -> Stored<Prospect> {
        let first_name = self.asked_first_name.clone().filter(|asked| !asked.is_empty());
        let language = self.asked_language.as_deref().and_then(Language::parse);
        Ok(Prospect {
            program: program(self.asked_program.as_deref().unwrap_or_default(), &prospect.id)?,
            first_name: first_name.unwrap_or(prospect.first_name),
            wants: self.wants(),
            language: language.unwrap_or(prospect.language),
            ..prospect
        })
    }
}

row! {
    struct CountsRow {
        this_week: i64,
        waiting: i64,
        confirmed: i64,
        applicants: i64,
    }
}

/// What prospects do themselves.
impl Db {
    /// Stores what somebody asks for, in place of what they asked before and have not confirmed. What they have
    /// confirmed stays until they confirm this.
    pub async fn save_inquiry(&self, new: &NewInquiry, audit: &AuditEntry, mail: &NewMail) -> Stored<()> {
        let (email_key, name_key) = (new.email.to_lowercase(), new.first_name.to_lowercase());
        let mut tx = self.begin().await?;
        let sql = "INSERT INTO prospects AS p (id, email, email_key, name_key, first_name, program, wants_openings, \
                   wants_brochure, language, asked_at, asked_first_name, asked_program, asked_openings, \
                   asked_brochure, asked_language, confirm_digest, confirm_until, unsubscribe_token, known_intake, \
                   created_at, last_act_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $5, $6, $7, $8, $9, $11, $12, $13, '', $10, $10) \
                   ON CONFLICT (email_key) DO UPDATE SET \
                   email = CASE WHEN p.confirmed_at IS NULL THEN excluded.email ELSE p.email END, \
                   name_key = CASE WHEN p.confirmed_at IS NULL THEN excluded.name_key ELSE p.name_key END, \
                   first_name = CASE WHEN p.confirmed_at IS NULL THEN excluded.first_name ELSE p.first_name END, \
                   program = CASE WHEN p.confirmed_at IS NULL THEN excluded.program ELSE p.program END, \
                   wants_openings = CASE WHEN p.confirmed_at IS NULL THEN excluded.wants_openings \
                   ELSE p.wants_openings END, \
                   wants_brochure = CASE WHEN p.confirmed_at IS NULL THEN excluded.wants_brochure \
                   ELSE p.wants_brochure END, \
                   language = CASE WHEN p.confirmed_at IS NULL THEN excluded.language ELSE p.language END, \
                   created_at = CASE WHEN p.confirmed_at IS NULL THEN excluded.created_at ELSE p.created_at END, \
                   asked_at = excluded.asked_at, asked_first_name = excluded.asked_first_name, \
                   asked_program = excluded.asked_program, asked_openings = excluded.asked_openings, \
                   asked_brochure = excluded.asked_brochure, asked_language = excluded.asked_language, \
                   confirm_digest = excluded.confirm_digest, confirm_until = excluded.confirm_until RETURNING id";
        let args = args![
            &new.id,
            &new.email,
            &email_key,
            &name_key,
            &new.first_name,
            new.program.application_type(),
            i64::from(new.wants.openings),
            i64::from(new.wants.brochure),
            new.language.as_str(),
            new.at,
            &new.digest,
            new.expires_at,
            &new.unsubscribe_token,
        ];
        let saved: Vec<(String,)> = tx.fetch_all(sql, args).await?;
        for (id,) in saved {
            tx.audit(&AuditEntry { subject: format!("prospect:{id}"), ..audit.clone() }).await?;
        }
        tx.mail(mail).await?;
        tx.commit().await
    }

    /// Returns whose inquiry a mailed secret confirms: as they asked to be, or as they are once it is confirmed.
    pub async fn inquiry(&self, digest: &str, now: Millis) -> Stored<Option<Prospect>> {
        const SQL: &str =
            concat!(prospects!(), asked!(), from_prospects!(), " WHERE p.confirm_digest = $1 AND p.confirm_until > $2");
        let row: Option<AskingRow> = self.fetch_optional(SQL, args![digest, now]).await?;
        let Some(AskingRow { prospect, asked }) = row else { return Ok(None) };
        let prospect = Prospect::try_from(prospect)?;
        match asked.asked_at {
            Some(_) => Ok(Some(Prospect { confirmed_at: None, ..asked.applied(prospect)? })),
            None => Ok(Some(prospect)),
        }
    }

    /// Confirms what was asked; what was wanted before stays wanted. They know the intake with this code from now on.
    /// If they asked for the brochure, `brochure` writes its mail. Confirming again changes nothing. Returns `None` if
    /// the secret no longer works.
    pub async fn confirm_inquiry(
        &self,
        digest: &str,
        intake: &str,
        audit: &AuditEntry,
        brochure: ProspectMail<'_>,
    ) -> Stored<Option<Prospect>> {
        const SQL: &str = concat!(prospects!(), asked!(), from_prospects!(), " WHERE p.confirm_digest = $1");
        let mut tx = self.begin().await?;
        // Of two at once, the second waits for the row and then finds that it is done.
        let lock =
            "UPDATE prospects SET confirm_until = confirm_until WHERE confirm_digest = $1 AND confirm_until > $2";
        if tx.execute(lock, args![digest, audit.at]).await? == 0 {
            return Ok(None);
        }
        let rows: Vec<AskingRow> = tx.fetch_all(SQL, args![digest]).await?;
        let Some(AskingRow { prospect, asked }) = rows.into_iter().next() else { return Ok(None) };
        let before = Prospect::try_from(prospect)?;
        if asked.asked_at.is_none() {
            return Ok(Some(before));
        }
        let wanted = asked.wants();
        let kept = before.confirmed_at.map_or(Wants::default(), |_| before.wants);
        let confirmed = Prospect {
            wants: Wants { openings: kept.openings || wanted.openings, brochure: kept.brochure || wanted.brochure },
            confirmed_at: before.confirmed_at.or(Some(audit.at)),
            ..asked.applied(before)?
        };
        let name_key = confirmed.first_name.to_lowercase();
        let sql = "UPDATE prospects SET asked_at = NULL, asked_first_name = NULL, asked_program = NULL, \
                   asked_openings = NULL, asked_brochure = NULL, asked_language = NULL, \
                   first_name = $2, name_key = $3, program = $4, wants_openings = $5, wants_brochure = $6, \
                   language = $7, confirmed_at = $8, last_act_at = $9, known_intake = $10, \
                   applicant_id = COALESCE((SELECT x.id FROM applicants x WHERE x.email_key = prospects.email_key), \
                   applicant_id) WHERE id = $1";
        let args = args![
            &confirmed.id,
            &confirmed.first_name,
            &name_key,
            confirmed.program.application_type(),
            i64::from(confirmed.wants.openings),
            i64::from(confirmed.wants.brochure),
            confirmed.language.as_str(),
            confirmed.confirmed_at,
            audit.at,
            // A deadline that was extended makes an earlier intake the next one again.
            intake.max(asked.known_intake.as_str()),
        ];
        tx.execute(sql, args).await?;
        tx.audit(audit).await?;
        if wanted.brochure {
            tx.mail(&brochure(&confirmed, &asked.unsubscribe_token)).await?;
        }
        tx.commit().await?;
        Ok(Some(confirmed))
    }

    /// Returns whom the mails with this secret go to.
    pub async fn subscription(&self, token: &str) -> Stored<Option<Prospect>> {
        const SQL: &str =
            concat!(prospects!(), from_prospects!(), " WHERE p.unsubscribe_token = $1 AND p.confirmed_at IS NOT NULL");
        let row: Option<ProspectRow> = self.fetch_optional(SQL, args![token]).await?;
        row.map(Prospect::try_from).transpose()
    }

    /// Deletes whom the mails with this secret go to, with their bookings that are over or cancelled; with `cancel`,
    /// their other bookings are cancelled first. Returns false if there is nobody.
    pub async fn unsubscribe(&self, token: &str, audit: &AuditEntry, cancel: Option<CancelMail<'_>>) -> Stored<bool> {
        let mut tx = self.begin().await?;
        // Days and bookings before the prospect, in the order of whoever books.
        let sql = "SELECT email_key FROM prospects WHERE unsubscribe_token = $1 AND confirmed_at IS NOT NULL";
        let found: Vec<(String,)> = tx.fetch_all(sql, args![token]).await?;
        let Some((email_key,)) = found.first() else { return Ok(false) };
        if let Some(cancel) = cancel {
            cancel_bookings(&mut tx, email_key, audit.at, cancel).await?;
        }
        forget_bookings(&mut tx, email_key, audit.at).await?;
        forget_mails(&mut tx, email_key).await?;
        if tx.execute("DELETE FROM prospects WHERE unsubscribe_token = $1", args![token]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Returns who an applicant was before.
    pub async fn prospect_of(&self, applicant_id: &str) -> Stored<Vec<Prospect>> {
        const SQL: &str = concat!(prospects!(), from_prospects!(), " WHERE p.applicant_id = $1 ORDER BY p.id");
        let rows: Vec<ProspectRow> = self.fetch_all(SQL, args![applicant_id]).await?;
        rows.into_iter().map(Prospect::try_from).collect()
    }
}

/// What they are told.
impl Db {
    /// Tells up to `limit` prospects that the intake with this code can be applied for: those who want to hear it, have
    /// not heard of it or a later one, and have no application. Returns how many there were to tell.
    pub async fn tell_of_intake(&self, intake: &str, now: Millis, limit: i64, mail: ProspectMail<'_>) -> Stored<usize> {
        const SQL: &str = concat!(
            prospects!(),
            asked!(),
            from_prospects!(),
            " WHERE p.confirmed_at IS NOT NULL AND p.wants_openings = 1 AND p.known_intake < $1 AND a.id IS NULL \
             AND NOT EXISTS (SELECT 1 FROM applicants x JOIN applications y ON y.applicant_id = x.id \
             WHERE x.email_key = p.email_key) ORDER BY p.id LIMIT $2"
        );
        let mut tx = self.begin().await?;
        let rows: Vec<AskingRow> = tx.fetch_all(SQL, args![intake, limit]).await?;
        let count = rows.len();
        for AskingRow { prospect, asked } in rows {
            let prospect = Prospect::try_from(prospect)?;
            // Another process may be telling them, and they may have ended it.
            let sql = "UPDATE prospects SET known_intake = $2, told_at = $3 \
                       WHERE id = $1 AND known_intake < $2 AND wants_openings = 1";
            if tx.execute(sql, args![&prospect.id, intake, now]).await? > 0 {
                tx.mail(&mail(&prospect, &asked.unsubscribe_token)).await?;
            }
        }
        tx.commit().await?;
        Ok(count)
    }
}

/// For the office.
impl Db {
    /// Returns a page of prospects, newest first.
    pub async fn prospects(&self, query: &ProspectQuery, limit: Option<i64>) -> Stored<Vec<Prospect>> {
        let search = query.search.to_lowercase();
        let mut given: Vec<Arg<'_>> = Vec::new();
        let mut wanted: Vec<String> = vec!["1 = 1".into()];
        if !search.is_empty() {
            given.push(search.as_str().into());
            let begins = |column: &str| format!("SUBSTR({column}, 1, LENGTH($1)) = $1");
            wanted.push(format!("({} OR {})", begins("p.email_key"), begins("p.name_key")));
        }
        if let Some(program) = query.program {
            given.push(program.application_type().into());
            wanted.push(format!("p.program = ${}", given.len()));
        }
        wanted.extend(query.wants.map(|want| match want {
            Want::Openings => "p.wants_openings = 1".to_owned(),
            Want::Brochure => "p.wants_brochure = 1".to_owned(),
        }));
        wanted.extend(query.state.map(|state| match state {
            ProspectState::Waiting => "p.confirmed_at IS NULL".to_owned(),
            ProspectState::Confirmed => "p.confirmed_at IS NOT NULL AND p.applicant_id IS NULL".to_owned(),
            ProspectState::Applicant => "p.applicant_id IS NOT NULL".to_owned(),
        }));
        if let Some((at, id)) = query.place() {
            given.extend([Arg::from(at), Arg::from(id)]);
            let (at, id) = (given.len() - 1, given.len());
            wanted.push(format!("p.created_at <= ${at} AND (p.created_at < ${at} OR p.id < ${id})"));
        }
        let mut sql = format!(
            "{}{} WHERE {} ORDER BY p.created_at DESC, p.id DESC",
            prospects!(),
            from_prospects!(),
            wanted.join(" AND ")
        );
        if let Some(limit) = limit {
            given.push(limit.into());
            sql.push_str(&format!(" LIMIT ${}", given.len()));
        }
        let rows: Vec<ProspectRow> = self.scan(&sql, &given).await?;
        rows.into_iter().map(Prospect::try_from).collect()
    }

    pub async fn prospect_counts(&self, now: Millis) -> Stored<ProspectCounts> {
        let sql = "SELECT COUNT(CASE WHEN created_at > $1 THEN 1 END) AS this_week, \
                   COUNT(CASE WHEN confirmed_at IS NULL THEN 1 END) AS waiting, \
                   COUNT(CASE WHEN confirmed_at IS NOT NULL AND applicant_id IS NULL THEN 1 END) AS confirmed, \
                   COUNT(applicant_id) AS applicants FROM prospects";
        let rows: Vec<CountsRow> = self.scan(sql, args![now - 7 * DAY]).await?;
        let counts = |CountsRow { this_week, waiting, confirmed, applicants }| ProspectCounts {
            this_week,
            waiting,
            confirmed,
            applicants,
        };
        Ok(rows.into_iter().next().map(counts).unwrap_or_default())
    }

    /// Returns false if there is no such prospect.
    pub async fn delete_prospect(&self, id: &str, audit: &AuditEntry) -> Stored<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT email_key FROM prospects WHERE id = $1";
        let found: Vec<(String,)> = tx.fetch_all(sql, args![id]).await?;
        let Some((email_key,)) = found.first() else { return Ok(false) };
        forget_mails(&mut tx, email_key).await?;
        if tx.execute("DELETE FROM prospects WHERE id = $1", args![id]).await? == 0 {
            return Ok(false);
        }
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Links the prospect with the account's address to it. Whoever has not confirmed the address is none.
pub(super) async fn become_applicant(tx: &mut Tx, applicant_id: &str, email_key: &str, now: Millis) -> Stored<()> {
    let sql =
        "UPDATE prospects SET applicant_id = $1, last_act_at = $3 WHERE email_key = $2 AND confirmed_at IS NOT NULL";
    tx.execute(sql, args![applicant_id, email_key, now]).await?;
    Ok(())
}

/// Deletes who an applicant was before, and their bookings that are over, if the address of the account is confirmed:
/// whoever registers an address need not be the one who reads its mail. Call it before the account's row is changed:
/// whoever confirms an inquiry locks both in this order.
pub(super) async fn forget_prospect(tx: &mut Tx, applicant_id: &str, now: Millis) -> Stored<()> {
    let sql = "SELECT email_key FROM applicants WHERE id = $1 AND email_confirmed_at IS NOT NULL AND closed_at IS NULL";
    let confirmed: Vec<(String,)> = tx.fetch_all(sql, args![applicant_id]).await?;
    match confirmed.first() {
        Some((email_key,)) => {
            forget_bookings(tx, email_key, now).await?;
            forget_mails(tx, email_key).await?;
            let sql = "DELETE FROM prospects WHERE applicant_id = $1 OR (email_key = $2 AND confirmed_at IS NOT NULL)";
            tx.execute(sql, args![applicant_id, email_key]).await?;
        }
        None => {
            let sql = "UPDATE prospects SET applicant_id = NULL WHERE applicant_id = $1";
            tx.execute(sql, args![applicant_id]).await?;
        }
    }
    Ok(())
}

/// Deletes what was written to somebody as a prospect, so that nothing is sent any more.
async fn forget_mails(tx: &mut Tx, email_key: &str) -> Stored<()> {
    // The whole list, by which the index is found, without those about bookings.
    let sql = concat!(
        "DELETE FROM outbox WHERE template IN (",
        to_strangers!(),
        ") AND template NOT LIKE 'open-day-%' AND LOWER(recipient) = $1"
    );
    tx.execute(sql, args![email_key]).await?;
    Ok(())
}
