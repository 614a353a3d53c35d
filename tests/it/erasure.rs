//! What is left of a person whose records are erased: every text in the database is checked.

use matricula::domain::role::Role;
use matricula::store::ListView;

use crate::office::hired;
use crate::store_account::closing;
use crate::support::databases::{Database, story};
use crate::support::rows::{entry, id};
use crate::support::server::World;

/// Appended to all texts before the erasure.
const MARK: &str = "zqxj";

/// Columns without anybody's words: names of things, closed lists, digests, days. `*` matches any prefix.
const NO_WORDS: [&str; 86] = [
    "contract_template_drafts.counts",
    "contract_templates.counts",
    "list_layouts.layout",
    "*_by",
    "*_code",
    "*_id",
    "*_key",
    "*_object",
    "*_stage",
    "*digest",
    "*hash",
    "about",
    "account",
    "act",
    "action",
    "actor",
    "applicants.country",
    "applicants.date_of_birth",
    "applicants.state",
    "asked_language",
    "asked_program",
    "assigned_to",
    "cause",
    "code",
    "code_seed",
    "day",
    "decision",
    "due_on",
    "exceptions",
    "expires_on",
    "facets",
    "fingerprint",
    "imports.format",
    "first_due",
    "former_stamp",
    "id",
    "intake",
    "booking_requests.key",
    "card_refunds.key",
    "kind",
    "known_intake",
    "language",
    "left_how",
    "line",
    "listings.name_key",
    "score_sheets.lines",
    "listing_terms.name_key",
    "method",
    "object",
    "open_day_bookings.token",
    "outcome",
    "path",
    "points",
    "program",
    "reasons",
    "recommendation",
    "reference",
    "referees.link",
    "rejection",
    "released_from",
    "reply",
    "role",
    "rule",
    "scim_token",
    "sealed",
    "sections",
    "sha256",
    "slot",
    "stage",
    "stamp",
    "state",
    "status",
    "stopped",
    "strange",
    "audit.subject",
    "audit_chain.subject",
    "audit_heads.subject",
    "jobs.subject",
    "staff_tasks.subject",
    "tab",
    "template",
    "time_zone",
    "traceparent",
    "unsubscribe_token",
    "unsubscribe_url",
    "weekly",
];

/// Columns that must be erased.
const ERASED: [&str; 73] = [
    "applicant_identities.subject",
    "applicants.email",
    "applicants.first_name",
    "applicants.last_name",
    "applicants.phone_number",
    "application_fees.need_refusal",
    "application_fees.need_statement",
    "application_fees.reason",
    "application_notes.body",
    "application_tags.tag",
    "applications.answers",
    "booking_requests.reason",
    "booking_requests.decline_reason",
    "card_charges.checkout_url",
    "change_requests.message",
    "contract_events.address",
    "contract_events.detail",
    "contract_events.name",
    "conversation_messages.body",
    "contracts.body",
    "contracts.countersigned_name",
    "contracts.end_reason",
    "contracts.signed_name",
    "decisions.conditions",
    "decisions.letter",
    "decisions.waiver",
    "decisions.without_documents",
    "deferrals.reason",
    "deferrals.refusal",
    "document_reviews.reason",
    "documents.name",
    "email_changes.email",
    "funding_sources.reason",
    "imported_applications.former_reference",
    "listing_terms.term",
    "listings.email",
    "listings.first_name",
    "listings.last_name",
    "listings.phone_number",
    "offer_conditions.note",
    "offers.reason",
    "open_day_bookings.email",
    "open_day_bookings.first_name",
    "open_day_bookings.last_name",
    "outbox.attachment",
    "outbox.body_html",
    "outbox.body_text",
    "outbox.last_error",
    "outbox.message_text",
    "outbox.recipient",
    "outbox.subject",
    "payment_cards.customer",
    "payment_cards.label",
    "payment_cards.payment_method",
    "prospects.asked_first_name",
    "prospects.email",
    "prospects.first_name",
    "readings.comment",
    "referees.answers",
    "referees.email",
    "referees.letter_name",
    "referees.name",
    "referees.organization",
    "referees.reason",
    "referees.relationship",
    "score_sheets.comment",
    "sessions.address",
    "passkeys.key",
    "passkeys.user_agent",
    "sessions.user_agent",
    "snapshots.answers",
    "staff_tasks.note",
    "stage_changes.reason",
];

/// Columns that stay, and why.
const KEPT: [(&str, &str); 63] = [
    ("audit.detail", "the record cannot be changed; it names nobody but by an id"),
    ("card_charges.failure", "the books: why a card was refused, as the provider says it"),
    ("card_refunds.failure", "the books: why a refund was refused, as the provider says it"),
    ("card_refunds.reason", "the books: why money went back"),
    ("contract_template_drafts.body", "the institute's"),
    ("contract_templates.body", "the institute's"),
    ("contract_template_drafts.translations", "the institute's"),
    ("contract_templates.translations", "the institute's"),
    ("directory_groups.name", "the institute's"),
    ("directory_users.display_name", "staff's own"),
    ("directory_users.email", "staff's own"),
    ("directory_users.family_name", "staff's own"),
    ("directory_users.given_name", "staff's own"),
    ("directory_users.user_name", "staff's own"),
    ("fee_codes.note", "the institute's"),
    ("figure_reports.name", "staff's own; figures are of nobody"),
    ("figure_reports.query", "staff's own; figures are of nobody"),
    ("identity_providers.client_secret", "the institute's, sealed"),
    ("identity_providers.issuer", "the institute's"),
    ("identity_providers.name", "the institute's"),
    ("identity_providers.role_claim", "the institute's"),
    ("identity_providers.roles", "the institute's"),
    ("import_rows.cells", "of rows that were not imported; swept a month after they came"),
    ("import_rows.former_reference", "of rows that were not imported; swept a month after they came"),
    ("import_rows.problems", "our own sentences, which repeat nothing"),
    ("imports.headers", "the institute's"),
    ("imports.mapping", "the institute's"),
    ("imports.name", "the institute's"),
    ("jobs.detail", "ids and times"),
    ("jobs.last_error", "what a program said"),
    ("ledger_transactions.note", "the books"),
    ("ledger_transactions.received_on", "a day"),
    ("list_views.name", "staff's own; a view that looks for the applicant goes"),
    ("list_views.query", "staff's own; a view that looks for the applicant goes"),
    ("open_days.place", "the institute's"),
    ("open_days.title", "the institute's"),
    ("open_days.title_es", "the institute's"),
    ("provider_events.note", "the books: where money was placed"),
    ("questionnaire_drafts.content", "the institute's"),
    ("questionnaires.definition", "the institute's"),
    ("settings.name", "the institute's"),
    ("settings.value", "the institute's"),
    ("staff.email", "staff's own"),
    ("staff.name", "staff's own"),
    ("staff_identities.subject", "staff's own"),
    ("staff_invitations.email", "staff's own"),
    ("staff_keys.name", "staff's own"),
    ("staff_passkeys.key", "staff's own"),
    ("staff_passkeys.user_agent", "staff's own"),
    ("staff_sessions.address", "staff's own"),
    ("staff_sessions.provider_session", "ids"),
    ("staff_sessions.user_agent", "staff's own"),
    ("staff_tasks.detail", "ids and closed words"),
    ("webhook_deliveries.last_error", "what a program said"),
    ("webhook_deliveries.queue", "ids"),
    ("webhook_endpoints.events", "closed words"),
    ("webhook_endpoints.former_secret", "the institute's, sealed"),
    ("webhook_endpoints.name", "the institute's"),
    ("webhook_endpoints.pause_reason", "a closed word"),
    ("webhook_endpoints.secret", "the institute's, sealed"),
    ("webhook_endpoints.url", "the institute's"),
    ("webhook_events.body", "ids and closed words"),
    ("throttles.key", "swept when its window ends, within a day"),
];

/// Rows that no demo season has, of the application `$a`, its applicant `$p`, its interview `$i`, its decision `$d` and
/// the member of staff `$s`.
const ROWS: [&str; 27] = [
    "imports (id, name, format, headers, mapping, state, created_at, created_by) \
     VALUES ('im', 'Demo', 'csv', '[]', '{}', 'done', 1, '$s')",
    "imported_applications (application_id, import_id, row_number, former_reference, made_account, imported_at) \
     VALUES ('$a', 'im', 2, 'Words', 0, 1)",
    "identity_providers (id, name, issuer, client_id, client_secret, role_claim, roles, second_factor, verified_emails, \
     created_at, created_by) VALUES ('ip', 'Demo', 'Demo', 'Demo', 'Demo', 'groups', '{}', 0, 0, 1, '$s')",
    "applicant_identities (provider_id, subject, applicant_id, linked_at) VALUES ('ip', 'Words', '$p', 1)",
    "application_fees (application_id, cents, intake, state, waived_by, rule, reason, need_statement, need_at, need_refusal, \
     need_refused_at, need_refused_by, decided_at, decided_by, created_at) \
     VALUES ('$a', 1, '2026-08', 'waived', 'staff', 'need', 'Words', 'Words', 1, 'Words', 1, '$s', 1, 'staff:$s', 1)",
    "application_notes VALUES ('n', '$a', '$s', 'Words', 1, NULL, 1, NULL)",
    "application_tags VALUES ('$a', 'Words')",
    "booking_requests VALUES ('r', '$a', 'k', 'waiver', 'instalment-1', NULL, 1, 'Words', 1, '$s', 'waiting', NULL, NULL, \
     'Words')",
    "card_charges (application_id, line, cents, state, round, saves_card, checkout_url, failures, changed_at, revision) \
     VALUES ('$a', 'instalment-1', 1, 'open', 1, 0, 'Words', 0, 1, 1)",
    "contracts (id, application_id, number, state, revision, code, template_version, body, changed_at, signed_name, \
     on_paper, countersigned_name, end_reason) VALUES ('c', '$a', 1, 'signed', 1, 'code', 1, 'Words', 1, 'Words', 0, \
     'Words', 'Words')",
    "contract_events VALUES ('c', 1, 'signed', 1, 'staff', 'Words', 'Words', 'Words', '', '')",
    "conversation_messages VALUES ('m', '$a', NULL, 'Words', 1, NULL)",
    "deferrals (id, application_id, state, intake, reason, created_at, refusal) \
     VALUES ('f', '$a', 'asked', '2027-01', 'Words', 1, 'Words')",
    "document_reviews VALUES ('$a', 'identity', 'accepted', 'Words', '$s', 1)",
    "documents (id, applicant_id, slot, name, state, received, lease_until, created_at, updated_at) \
     VALUES ('o', '$p', 'identity', 'Words', 'received', 1, 1, 1, 1)",
    "email_changes VALUES ('$p', 'Words', 'one', 'other', NULL, NULL, 1, 1)",
    "funding_plans VALUES ('$a', 1, 1, 1, 1, '2027-01-01', 1, 'staff')",
    "funding_sources VALUES ('$a', 'employer', 1, 'asked', 'Words', NULL, NULL)",
    "open_days (id, title, starts_at, minutes, place, places, sequence, created_at, created_by) \
     VALUES ('od', 'Demo', 1, 1, 'Demo', 9, 0, 1, '$s')",
    "open_day_bookings (id, open_day_id, email, email_key, first_name, last_name, people, language, token, sequence, created_at) \
     SELECT 'ob', 'od', email, email_key, 'Words', 'Words', 1, 'en', 'one', 0, 1 FROM applicants WHERE id = '$p'",
    "offer_conditions VALUES ('$d', 1, 'met', 'Words', 1, '$s', 1)",
    "passkeys VALUES ('k', '$p', 'c', 'Words', 'Words', 1, NULL)",
    "payment_cards VALUES ('$a', 'Words', 'Words', 'Words', 1)",
    "prospects (id, email, email_key, name_key, first_name, program, wants_openings, wants_brochure, language, \
     asked_first_name, asked_program, asked_openings, asked_brochure, asked_language, confirm_digest, confirm_until, \
     unsubscribe_token, known_intake, created_at, confirmed_at, last_act_at, applicant_id) SELECT 'w', email, email_key, \
     'words', 'Words', 'ba', 1, 0, 'en', 'Words', 'ba', 1, 0, 'en', 'd', 1, 't', '2026-08', 1, 1, 1, id FROM applicants \
     WHERE id = '$p'",
    "readings VALUES ('$a', '$s', '$s', 1, NULL, 1, 5, '[]', 500, 'accept', 'Words')",
    "referees (id, application_id, name, email, email_key, relationship, organization, language, waived, state, created_at, \
     asked_at, reminders, finished_at, digest, link, version, answers, reason, letter_name, letter_object, letter_size, \
     letter_hash) VALUES ('rf', '$a', 'Words', 'Words', 'words', 'Words', 'Words', 'en', 1, 'received', 1, 1, 0, 1, 'rd', \
     'sealed', 1, '{}', 'Words', 'words.pdf', 'documents/rf/rf', 1, 'h')",
    "score_sheets VALUES ('$i', '[]', 'accept', 'Words', 1, '$s', 1, 5, '[]')",
];

fn has_no_words(column: &str) -> bool {
    let name = column.split_once('.').unwrap().1;
    NO_WORDS.iter().any(|known| match known.strip_prefix('*') {
        Some(end) => name.ends_with(end),
        None => *known == name || *known == column,
    })
}

/// All text columns.
pub async fn columns(world: &World, database: &Database) -> Vec<String> {
    database
        .texts(if world.store.kind() == "sqlite" {
            "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' \
             AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE '_sqlx%' AND c.type = 'TEXT' ORDER BY 1"
        } else {
            "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' \
             AND table_name NOT LIKE '_sqlx%' AND data_type IN ('text', 'json', 'jsonb') ORDER BY 1"
        })
        .await
}

async fn marked(database: &Database, column: &str) -> i64 {
    let (table, name) = column.split_once('.').unwrap();
    database.count(&format!("{table} WHERE {name} LIKE '%{MARK}%'")).await
}

story! {
    async fn every_text_is_erased_or_is_listed_with_the_reason_why_it_stays(database: Database) {
        let world = World::start(database.db()).await;
        let columns = columns(&world, &database).await;
        for column in &columns {
            let listed = [has_no_words(column), ERASED.contains(&column.as_str()), KEPT.iter().any(|(kept, _)| kept == column)];
            assert_eq!(listed.iter().filter(|is| **is).count(), 1, "{column} is to be erased, to be kept or holds no words");
        }
        for listed in ERASED.iter().chain(KEPT.iter().map(|(column, _)| column)) {
            assert!(columns.iter().any(|column| column == listed), "{listed} is no column");
        }

        world.app.seed_questions().await.unwrap();
        world.app.seed_season(60, |_| {}).await.unwrap();
        let staff = hired(&world, Role::Owner).await;
        let one = async |sql: &str| database.texts(sql).await.remove(0);
        let interview = one("SELECT id FROM interviews ORDER BY id LIMIT 1").await;
        let application = one(&format!("SELECT application_id FROM interviews WHERE id = '{interview}'")).await;
        let applicant = one(&format!("SELECT applicant_id FROM applications WHERE id = '{application}'")).await;
        let decision = one("SELECT id FROM decisions ORDER BY id LIMIT 1").await;
        for row in ROWS {
            let names = [("$a", &application), ("$p", &applicant), ("$i", &interview), ("$d", &decision), ("$s", &staff.id)];
            let row = names.iter().fold(row.to_owned(), |row, (name, value)| row.replace(name, value));
            database.run(&format!("INSERT INTO {row}")).await.unwrap();
        }
        let mut applicants = Vec::new();
        for email in database.texts("SELECT email_key FROM applicants").await {
            applicants.push(world.store.applicant_by_email(&email).await.unwrap().unwrap());
        }
        for column in ERASED {
            let (table, name) = column.split_once('.').unwrap();
            let set = match name {
                // It must remain valid JSON.
                "answers" => format!(r#"UPDATE {table} SET answers = '{{"personalInfo":{{"state":"{MARK}"}}}}'"#),
                "name" if table == "documents" => format!("UPDATE documents SET name = '{MARK}.pdf'"),
                "letter_name" => format!("UPDATE {table} SET letter_name = '{MARK}.pdf'"),
                _ => format!("UPDATE {table} SET {name} = COALESCE({name}, '') || ' {MARK}'"),
            };
            database.run(&set).await.unwrap_or_else(|error| panic!("{column}: {error}"));
            assert!(marked(&database, column).await > 0, "{column} has no rows to be erased");
        }
        let view = |name: &str, query: &str| ListView {
            id: id(), staff_id: staff.id.clone(), name: name.into(), query: query.into(), shared: false,
        };
        let someone = &applicants[0].profile;
        let looked_for = format!("tab=all&q={}+{}", someone.first_name, someone.last_name.to_uppercase()).replace(" ", "+");
        for view in [view("Somebody", &looked_for), view("Others", "tab=all&q=unknown")] {
            world.store.save_view(&view, 100, &entry()).await.unwrap();
        }

        for applicant in &applicants {
            world.store.close_account(&closing(applicant)).await.unwrap();
            world.store.erase_records(&applicant.id, &entry()).await.unwrap();
        }
        let mut left = Vec::new();
        for column in &columns {
            if marked(&database, column).await > 0 {
                left.push(column);
            }
        }
        assert!(left.is_empty(), "not erased: {left:?}");
        assert_eq!(database.texts("SELECT name FROM list_views").await, ["Others"]);
    }
}
