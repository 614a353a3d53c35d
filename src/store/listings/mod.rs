//! The office's list: the row of each application, what it can be found by, and pages of rows.
//!
//! A row is written in the transaction that changes what it is derived from ([`relist`]); reading never looks into
//! answers.

mod figures;
mod ordered;
mod select;
mod statement;

use super::Db;
use super::in_place::joined_row;
use super::query::{Tx, args};
use super::referees::lacks_references;
use super::rows::{ApplicantRow, ApplicationRow, applicant_columns, application_columns};
use crate::{AuditEntry, Stored};
use domain::account::Applicant;
use domain::application::Application;
use domain::application_fee::FeeState;
use domain::documents::{Need, SlotKind, SlotState, StoredDocument, StoredFile, called_for, state_of};
use domain::listing::figures::Counts;
use domain::listing::{
    Counted, Facet, FiguresQuery, Listed, Listing, ListingPage, ListingQuery, MAX_TAGS, Mark, Marked, Tab, is_word,
    name_key,
};
use domain::moments::Millis;
use domain::reference;
use domain::status::Stage;
use domain::task::{Appointment, Circumstances, Drafted};

super::in_place::row! {
    struct ExtrasRow {
        assigned_to: Option<String>,
        changed_at: Option<i64>,
        intake: Option<String>,
        former_reference: Option<String>,
    }
}

super::in_place::row! {
    struct AppointmentRow {
        booked_at: i64,
        starts_at: i64,
        interviewer_id: String,
    }
}

joined_row! {
    struct ListedRow {
        applicant: ApplicantRow,
        application: ApplicationRow,
        extras: ExtrasRow,
    }
}

impl Db {
    pub async fn listings(&self, query: &ListingQuery) -> Stored<ListingPage> {
        self.select_listings(query).await
    }

    /// Returns a page, and the number of rows wherever the page begins.
    pub async fn counted_listings(&self, query: &ListingQuery) -> Stored<(ListingPage, Counted)> {
        self.select_and_count(query).await
    }

    /// Counts the rows of a query, wherever its page begins.
    pub async fn count_listings(&self, query: &ListingQuery) -> Stored<Counted> {
        self.select_count(query).await
    }

    /// Returns the ids of the applications right before and after the query's cursor.
    pub async fn listings_beside(&self, query: &ListingQuery) -> Stored<(Option<String>, Option<String>)> {
        self.select_beside(query).await
    }

    /// Counts the applications in each tab.
    pub async fn tab_counts(&self) -> Stored<Vec<(Tab, Counted)>> {
        self.count_tabs().await
    }

    /// Returns the rows of these applications, in the order of last names.
    pub async fn listings_of(&self, ids: &[String]) -> Stored<Vec<Listing>> {
        self.select_these(ids).await
    }

    /// Returns the counts from which the figures are made.
    pub async fn figures(&self, query: &FiguresQuery) -> Stored<Counts> {
        self.count_figures(query).await
    }

    /// Returns the codes of the intakes that listed applications are for.
    pub async fn listed_intakes(&self) -> Stored<Vec<String>> {
        self.select_intakes().await
    }

    /// Records something that changes nothing.
    pub async fn note(&self, audit: &AuditEntry) -> Stored<()> {
        let mut tx = self.begin().await?;
        tx.audit(audit).await?;
        tx.commit().await
    }

    /// Returns the tags in use, in alphabetical order.
    pub async fn tags(&self, limit: i64) -> Stored<Vec<String>> {
        // From one tag to the next in the index, however many applications have it.
        let sql = "WITH RECURSIVE used(tag) AS (SELECT MIN(tag) FROM application_tags UNION ALL \
                   SELECT (SELECT MIN(n.tag) FROM application_tags n WHERE n.tag > used.tag) FROM used \
                   WHERE used.tag IS NOT NULL) SELECT tag FROM used WHERE tag IS NOT NULL LIMIT $1";
        let rows: Vec<(String,)> = self.fetch_all(sql, args![limit]).await?;
        Ok(rows.into_iter().map(|(tag,)| tag).collect())
    }

    /// Returns when an owner was last given an application: when it was submitted, or its fee settled.
    pub async fn last_given(&self, staff_id: &str) -> Stored<Option<Millis>> {
        // However many the owner has, only the newest are looked at: a fee is settled soon, or others came meanwhile.
        let sql = "SELECT CASE WHEN f.decided_at > t.submitted_at THEN f.decided_at ELSE t.submitted_at END \
                   AS given_at FROM (SELECT application_id, submitted_at FROM listing_terms WHERE term = $1 \
                   ORDER BY submitted_at DESC LIMIT 100) t \
                   LEFT JOIN application_fees f ON f.application_id = t.application_id ORDER BY given_at DESC LIMIT 1";
        let rows: Vec<(i64,)> = self.fetch_all(sql, args![&Facet::Owner.term(staff_id)]).await?;
        Ok(rows.first().map(|(at,)| *at))
    }

    pub async fn mark(&self, application_id: &str, mark: &Mark, audit: &AuditEntry) -> Stored<Marked> {
        let mut tx = self.begin().await?;
        // The application first, as in every change of it, to avoid deadlocks.
        let there = tx
            .execute(
                "UPDATE applications SET assigned_to = assigned_to WHERE id = $1 \
                 AND EXISTS (SELECT 1 FROM listings l WHERE l.application_id = applications.id)",
                args![application_id],
            )
            .await?;
        if there == 0 {
            return Ok(Marked::Missing);
        }
        let changed = match mark {
            Mark::Owner(owner) => {
                let sql = "UPDATE applications SET assigned_to = $2 WHERE id = $1 \
                           AND COALESCE(assigned_to, '') <> COALESCE($2, '')";
                let changed = tx.execute(sql, args![application_id, owner.as_deref()]).await?;
                if changed > 0 {
                    tx.hand_over_tasks(application_id, owner.as_deref()).await?;
                }
                changed
            }
            Mark::AddTag(tag) => {
                let tags: Vec<(String,)> = tx
                    .fetch_all("SELECT tag FROM application_tags WHERE application_id = $1", args![application_id])
                    .await?;
                if tags.len() >= MAX_TAGS && !tags.iter().any(|(one,)| one == tag) {
                    return Ok(Marked::Full);
                }
                let sql = "INSERT INTO application_tags (application_id, tag) VALUES ($1, $2) ON CONFLICT DO NOTHING";
                tx.execute(sql, args![application_id, tag]).await?
            }
            Mark::RemoveTag(tag) => {
                let sql = "DELETE FROM application_tags WHERE application_id = $1 AND tag = $2";
                tx.execute(sql, args![application_id, tag]).await?
            }
        };
        if changed == 0 {
            return Ok(Marked::Unchanged);
        }
        relist(&mut tx, application_id).await?;
        tx.audit(audit).await?;
        tx.commit().await?;
        Ok(Marked::Done)
    }

    /// Lists up to `limit` applications that were submitted and are not listed, or not with everything that this
    /// version lists. Returns how many.
    pub async fn list_missing(&self, limit: i64) -> Stored<usize> {
        let sql = "SELECT a.id FROM applications a LEFT JOIN listings l ON l.application_id = a.id \
                   WHERE (l.application_id IS NULL OR l.stage = '' OR l.program = '') AND a.submitted_at IS NOT NULL \
                   AND a.stage <> 'draft' ORDER BY a.id LIMIT $1";
        let missing: Vec<(String,)> = self.scan(sql, args![limit]).await?;
        let mut tx = self.begin().await?;
        for (application_id,) in &missing {
            relist(&mut tx, application_id).await?;
        }
        tx.commit().await?;
        Ok(missing.len())
    }

    /// Writes the standing tasks of up to `limit` applications that were listed by a version without them, in the order
    /// of their ids after `after`. Returns the id of the last one, `None` at the end.
    pub async fn list_tasks(&self, after: &str, limit: i64) -> Stored<Option<String>> {
        let sql = "SELECT application_id FROM listings WHERE has_tasks = 0 AND application_id > $1 \
                   ORDER BY application_id LIMIT $2";
        let without: Vec<(String,)> = self.scan(sql, args![after, limit]).await?;
        let mut tx = self.begin().await?;
        for (application_id,) in &without {
            relist(&mut tx, application_id).await?;
        }
        tx.commit().await?;
        Ok(without.into_iter().last().map(|(application_id,)| application_id))
    }
}

/// Lists the applications of an applicant again, when the applicant has changed.
pub(super) async fn relist_applicant(tx: &mut Tx, applicant_id: &str) -> Stored<()> {
    let sql = "SELECT a.id FROM applications a JOIN listings l ON l.application_id = a.id WHERE a.applicant_id = $1";
    let listed: Vec<(String,)> = tx.fetch_all(sql, args![applicant_id]).await?;
    for (application_id,) in listed {
        relist(tx, &application_id).await?;
    }
    Ok(())
}

/// Rewrites the row of an application, within the transaction that changes what it is derived from. Drafts are the
/// applicant's own: they are not listed.
pub(super) async fn relist(tx: &mut Tx, application_id: &str) -> Stored<()> {
    let sql = concat!(
        "SELECT ",
        applicant_columns!(),
        ", ",
        application_columns!(),
        ", applications.assigned_to, \
         (SELECT MAX(happened_at) FROM stage_changes c WHERE c.application_id = applications.id) AS changed_at, \
         COALESCE((SELECT intake FROM deferrals d WHERE d.application_id = applications.id AND d.state = 'granted'), \
         (SELECT intake FROM decisions d WHERE d.application_id = applications.id AND d.state = 'released'), \
         (SELECT intake FROM waitlist w WHERE w.application_id = applications.id AND w.left_at IS NULL), \
         (SELECT intake FROM imported_applications m WHERE m.application_id = applications.id)) AS intake, \
         (SELECT former_reference FROM imported_applications m WHERE m.application_id = applications.id) \
         AS former_reference FROM applications JOIN applicants ON applicants.id = applications.applicant_id WHERE applications.id = $1"
    );
    // Concurrent listing of the same application waits here, and then sees what was changed.
    tx.execute("UPDATE listings SET tab = tab WHERE application_id = $1", args![application_id]).await?;
    let rows: Vec<ListedRow> = tx.fetch_all(sql, args![application_id]).await?;
    let Some(ListedRow { applicant, application, extras }) = rows.into_iter().next() else { return Ok(()) };
    let (applicant, application) = (Applicant::try_from(applicant)?, Application::try_from(application)?);
    let stage = application.stage;
    let (Some(submitted_at), true) = (application.submitted_at, stage != Stage::Draft) else {
        tx.execute("DELETE FROM listing_terms WHERE application_id = $1", args![application_id]).await?;
        tx.execute("DELETE FROM listings WHERE application_id = $1", args![application_id]).await?;
        return tx.stand_tasks(application_id, &[], None, None).await;
    };
    let sql = "SELECT tag FROM application_tags WHERE application_id = $1 ORDER BY tag";
    let tags: Vec<(String,)> = tx.fetch_all(sql, args![application_id]).await?;
    let tags: Vec<String> = tags.into_iter().map(|(tag,)| tag).collect();
    let data = application.answers.data();
    let profile = &applicant.profile;
    let dial = reference::country(&profile.country).and_then(|country| country.dial.first());
    let number = profile.phone_number.trim_start_matches('+');
    let documents = documents_of(tx, &application).await?;
    let fee = tx.fee_state(application_id).await?;
    let terms = Listed {
        first_name: &profile.first_name,
        last_name: &profile.last_name,
        email: &applicant.email,
        phone_number: &profile.phone_number,
        national_number: dial.and_then(|dial| number.strip_prefix(dial.as_str())).unwrap_or(number),
        country: &profile.country,
        reference: application.reference.as_deref(),
        former_reference: extras.former_reference.as_deref(),
        program: application.program,
        stage,
        intake: extras.intake.as_deref(),
        owner: extras.assigned_to.as_deref(),
        lacks_documents: documents.lacks_required,
        fee: fee.map(|(state, _)| state),
        tags: &tags,
        data: &data,
    }
    .terms();
    let name_key = name_key(&profile.first_name, &profile.last_name);
    // It waits for its reader from the moment at which its fee is settled.
    let settled_at = fee.and_then(|(_, settled_at)| settled_at).filter(|_| stage == Stage::Submitted);
    let waiting_since = extras.changed_at.unwrap_or(submitted_at).max(settled_at.unwrap_or_default());
    let appointment = "SELECT i.booked_at, s.starts_at, s.staff_id AS interviewer_id FROM interviews i \
                       JOIN interview_slots s ON s.id = i.slot_id \
                       WHERE i.application_id = $1 AND i.freed_at IS NULL ORDER BY i.booked_at DESC, i.id DESC LIMIT 1";
    let appointment: Vec<AppointmentRow> = tx.fetch_all(appointment, args![application_id]).await?;
    let appointment = appointment.into_iter().next();
    let draft = "SELECT drafted_at, release_at, outcome FROM decisions WHERE application_id = $1 AND state = 'draft'";
    let draft: Vec<(i64, Option<i64>, String)> = tx.fetch_all(draft, args![application_id]).await?;
    let overpaid = "SELECT MAX(t.recorded_at) FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id \
                    WHERE t.application_id = $1 AND e.account = 'unapplied' HAVING SUM(e.cents) < 0";
    let overpaid: Vec<(i64,)> = tx.fetch_all(overpaid, args![application_id]).await?;
    let circumstances = Circumstances {
        stage,
        stage_since: waiting_since,
        fee_due: fee.is_some_and(|(state, _)| state == FeeState::Due),
        unchecked_since: documents.unchecked_since,
        interview: appointment.as_ref().map(|row| Appointment { booked_at: row.booked_at, starts_at: row.starts_at }),
        draft: draft.first().map(|(at, release_at, outcome)| Drafted {
            at: *at,
            is_planned: release_at.is_some(),
            is_acceptance: outcome == "accept",
        }),
        overpaid_since: overpaid.first().map(|(since,)| *since),
    };
    let interviewer = appointment.as_ref().map(|row| row.interviewer_id.as_str());
    tx.stand_tasks(application_id, &circumstances.tasks(), extras.assigned_to.as_deref(), interviewer).await?;
    // An application that is over has no tab; its tasks about money are in the list of tasks.
    let needs_action = Tab::of(stage).is_some() && tx.has_open_task(application_id).await?;
    let facets: Vec<&str> = terms.iter().map(String::as_str).filter(|term| !is_word(term)).collect();
    tx.execute(
        "INSERT INTO listings (application_id, tab, needs_action, name_key, submitted_at, waiting_since, interview_at, \
         stage, program, reference, first_name, last_name, email, phone_number, assigned_to, facets, has_tasks) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 1) \
         ON CONFLICT (application_id) DO UPDATE SET tab = excluded.tab, needs_action = excluded.needs_action, \
         name_key = excluded.name_key, submitted_at = excluded.submitted_at, waiting_since = excluded.waiting_since, \
         interview_at = excluded.interview_at, stage = excluded.stage, program = excluded.program, \
         reference = excluded.reference, first_name = excluded.first_name, last_name = excluded.last_name, \
         email = excluded.email, phone_number = excluded.phone_number, assigned_to = excluded.assigned_to, \
         facets = excluded.facets, has_tasks = 1",
        args![
            application_id,
            Tab::of(stage).map_or("over", Tab::as_str),
            i64::from(needs_action),
            &name_key,
            submitted_at,
            waiting_since,
            appointment.as_ref().map(|row| row.starts_at),
            stage.as_str(),
            application.program.application_type(),
            application.reference.as_deref(),
            &profile.first_name,
            &profile.last_name,
            &applicant.email,
            &profile.phone_number,
            extras.assigned_to.as_deref(),
            &facets.join("\n"),
        ],
    )
    .await?;
    let sql = "SELECT term FROM listing_terms WHERE application_id = $1";
    let there: Vec<(String,)> = tx.fetch_all(sql, args![application_id]).await?;
    for (gone,) in there.iter().filter(|(term,)| !terms.contains(term)) {
        let sql = "DELETE FROM listing_terms WHERE term = $1 AND application_id = $2";
        tx.execute(sql, args![gone, application_id]).await?;
    }
    for new in terms.iter().filter(|term| !there.iter().any(|(one,)| one == *term)) {
        let sql = "INSERT INTO listing_terms (term, application_id, submitted_at, waiting_since, name_key) \
                   VALUES ($1, $2, $3, $4, $5)";
        tx.execute(sql, args![new, application_id, submitted_at, waiting_since, &name_key]).await?;
    }
    let sql = "UPDATE listing_terms SET submitted_at = $2, waiting_since = $3, name_key = $4 WHERE application_id = $1 \
               AND (submitted_at <> $2 OR waiting_since <> $3 OR name_key <> $4)";
    tx.execute(sql, args![application_id, submitted_at, waiting_since, &name_key]).await?;
    Ok(())
}

/// The state of an application's documents.
struct Documents {
    /// Whether one without which nothing can be decided is missing, or a reference.
    lacks_required: bool,
    /// When the oldest unchecked one arrived.
    unchecked_since: Option<Millis>,
}

async fn documents_of(tx: &mut Tx, application: &Application) -> Stored<Documents> {
    let files: Vec<StoredDocument> = super::documents::documents_of(tx, &application.applicant_id).await?;
    let reviews = super::documents::reviews_of(tx, &application.id).await?;
    let data = application.answers.data();
    let files_of = |kind: SlotKind| files.iter().filter(move |file| file.slot == kind);
    let state_of = |kind: SlotKind| {
        let review = reviews.iter().find(|review| review.slot == kind).map(|review| &review.review);
        let stored = |file: &StoredDocument| StoredFile { state: file.state, created_at: file.created_at };
        state_of(review, &files_of(kind).map(stored).collect::<Vec<_>>())
    };
    let lacks_references = lacks_references(tx, &application.id).await?;
    let mut documents = Documents { lacks_required: lacks_references, unchecked_since: None };
    let asked_by_staff = files.iter().map(|file| file.slot).filter(|slot| matches!(slot, SlotKind::Question(_)));
    let called_for: Vec<_> = called_for(application.program, &data).map(|slot| (slot.kind, slot.need)).collect();
    for (kind, need) in called_for.into_iter().chain(asked_by_staff.map(|slot| (slot, Need::Later))) {
        let state = state_of(kind);
        documents.lacks_required |= need.is_missing(state);
        if state == SlotState::Received {
            let came = files_of(kind).map(|file| file.created_at).max();
            documents.unchecked_since = [documents.unchecked_since, came].into_iter().flatten().min();
        }
    }
    Ok(documents)
}
