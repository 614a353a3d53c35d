//! Every form on the office's pages has corresponding calls.

use std::collections::BTreeSet;

use matricula::http::admins;
use matricula::pages::admin::table;

/// A form's path, and the calls that do what its buttons do.
const FORMS: &[(&str, &[&str])] = &[
    ("/admin-panel/login", &["POST /login"]),
    // Gives the scripts of a page a token, as logging in by call does.
    ("/admin-panel/token", &["POST /login"]),
    ("/admin-panel/invitation", &["POST /invitations/accept"]),
    ("/admin-panel/logout", &["POST /logout"]),
    ("/admin-panel/step-up", &["POST /step-up"]),
    (
        "/admin-panel/applications",
        &["POST /bulk/assign/look", "POST /bulk/assign", "POST /bulk/tag/look", "POST /bulk/tag"],
    ),
    ("/admin-panel/applications/{id}/presence", &["DELETE /applications/{id}/presence"]),
    (
        "/admin-panel/work",
        &[
            "POST /work/next",
            "POST /applications/{id}/tasks/{task}/take",
            "POST /applications/{id}/tasks/{task}/put-back",
        ],
    ),
    ("/admin-panel/applications/views", &["POST /views", "PATCH /views/{id}", "DELETE /views/{id}"]),
    (
        "/admin-panel/applications/figures",
        &[
            "POST /figures/reports",
            "DELETE /figures/reports/{id}",
            "POST /figures/reports/{id}/mails",
            "DELETE /figures/reports/{id}/mails",
        ],
    ),
    ("/admin-panel/applications/mail", &["POST /bulk/mail/look", "POST /bulk/mail"]),
    ("/admin-panel/applications/ask", &["POST /bulk/ask/look", "POST /bulk/ask"]),
    ("/admin-panel/applications/draft", &["POST /bulk/draft/look", "POST /bulk/draft"]),
    (
        "/admin-panel/decisions",
        &["POST /decisions/release", "POST /decisions/recall", "DELETE /applications/{id}/decision/release"],
    ),
    ("/admin-panel/waitlist", &["POST /applications/{id}/waitlist/offer", "POST /applications/{id}/waitlist/move"]),
    ("/admin-panel/prospects", &["DELETE /prospects/{id}"]),
    ("/admin-panel/open-days", &["POST /open-days"]),
    (
        "/admin-panel/open-days/{id}",
        &["PATCH /open-days/{id}", "POST /open-days/{id}/cancel", "PATCH /open-days/{id}/bookings/{booking}"],
    ),
    ("/admin-panel/questionnaires", &["PATCH /questionnaires/{id}", "DELETE /questionnaires/{id}"]),
    // API callers keep the draft themselves.
    ("/admin-panel/questionnaires/{id}", &["POST /questionnaires"]),
    ("/admin-panel/questionnaires/{id}/publish", &["POST /questionnaires"]),
    ("/admin-panel/settings/webhooks", &["POST /webhooks"]),
    (
        "/admin-panel/settings/webhooks/{id}",
        &[
            "PATCH /webhooks/{id}",
            "DELETE /webhooks/{id}",
            "POST /webhooks/{id}/pause",
            "POST /webhooks/{id}/secret",
            "POST /webhooks/{id}/test",
            "POST /webhooks/{id}/deliveries/resend",
            "POST /webhooks/{id}/deliveries/{eventId}/resend",
            "POST /webhooks/{id}/deliveries/{eventId}/skip",
        ],
    ),
    ("/admin-panel/settings/deliveries", &["POST /deliveries/mails/{id}/retry", "POST /deliveries/jobs/{id}/retry"]),
    ("/admin-panel/settings/{id}", &["PATCH /settings/{id}", "POST /settings/{id}/restore"]),
    ("/admin-panel/forgot-password", &["POST /forgot-password"]),
    ("/admin-panel/reset-password", &["POST /reset-password"]),
    ("/admin-panel/applications/{id}/enrolment", &["PATCH /applications/{id}"]),
    ("/admin-panel/applications/{id}/conditions", &["POST /applications/{id}/conditions/{number}"]),
    (
        "/admin-panel/applications/{id}/contract",
        &[
            "POST /applications/{id}/contracts",
            "POST /contracts/{id}/send",
            "POST /contracts/{id}/void",
            "POST /contracts/{id}/paper",
        ],
    ),
    ("/admin-panel/applications/{id}/contract/countersign", &["POST /contracts/{id}/countersign"]),
    // API callers keep the draft themselves.
    ("/admin-panel/contracts/templates/{id}", &["POST /contract-templates"]),
    (
        "/admin-panel/applications/{id}/funding",
        &[
            "POST /applications/{id}/funding",
            "POST /applications/{id}/funding/verdict",
            "POST /applications/{id}/ledger",
            "POST /applications/{id}/ledger/requests/{request}/approve",
            "POST /applications/{id}/ledger/requests/{request}/decline",
            "POST /applications/{id}/ledger/requests/{request}/withdraw",
            "POST /applications/{id}/refund/close",
        ],
    ),
    ("/admin-panel/applications/{id}/fee", &["POST /applications/{id}/fee"]),
    ("/admin-panel/finance", &["POST /finance/unmatched/{id}/place", "POST /finance/refunds/{id}/done"]),
    ("/admin-panel/applications/{id}/fee", &["POST /applications/{id}/fee"]),
    ("/admin-panel/fee-codes", &["POST /fee-codes", "DELETE /fee-codes/{id}"]),
    (
        "/admin-panel/applications/{id}/tasks",
        &["POST /applications/{id}/tasks/{task}/done", "DELETE /applications/{id}/tasks/{task}/done"],
    ),
    (
        "/admin-panel/applications/{id}/mark",
        &["POST /applications/{id}/owner", "POST /applications/{id}/tags", "DELETE /applications/{id}/tags/{tag}"],
    ),
    (
        "/admin-panel/applications/{id}/act",
        &[
            "POST /applications/{id}/request-changes",
            "POST /applications/{id}/drop-changes",
            "POST /applications/{id}/withdraw",
            "POST /applications/{id}/undo-withdraw",
            "POST /applications/{id}/resume",
            "DELETE /applications/{id}/waitlist",
            // Defers.
            "PATCH /applications/{id}",
        ],
    ),
    (
        "/admin-panel/applications/{id}/duplicates",
        &[
            "POST /applications/{id}/duplicates/merge",
            "POST /applications/{id}/duplicates/tell-apart",
            "POST /applications/{id}/duplicates/undo",
        ],
    ),
    (
        "/admin-panel/applications/{id}/documents",
        &["POST /applications/{id}/documents/{slot}", "POST /applications/{id}/references/{referee}/remind"],
    ),
    (
        "/admin-panel/applications/{id}/notes",
        &[
            "POST /applications/{id}/notes",
            "PATCH /applications/{id}/notes/{note}",
            "DELETE /applications/{id}/notes/{note}",
            "POST /applications/{id}/notes/{note}/pin",
            "DELETE /applications/{id}/notes/{note}/pin",
        ],
    ),
    ("/admin-panel/applications/{id}/emails", &["POST /applications/{id}/mails/{mail}/resend"]),
    (
        "/admin-panel/applications/{id}/readings",
        &[
            "POST /applications/{id}/readings",
            "POST /applications/{id}/readings/own",
            "DELETE /applications/{id}/readings/{reader}",
        ],
    ),
    ("/admin-panel/applications/{id}/messages", &["POST /applications/{id}/conversation"]),
    (
        "/admin-panel/applications/{id}/decision",
        &[
            "POST /applications/{id}/decision",
            "DELETE /applications/{id}/decision",
            "POST /applications/{id}/decision/release",
            "DELETE /applications/{id}/decision/release",
            "POST /applications/{id}/decision/recall",
            "POST /applications/{id}/decision/reverse",
            "POST /applications/{id}/decision/reopen",
            "POST /applications/{id}/waitlist",
            // Shows the letter before it is stored.
            "POST /bulk/draft/look",
        ],
    ),
    (
        "/admin-panel/applications/{id}/interview",
        &[
            "POST /applications/{id}/interview",
            "POST /applications/{id}/interview/wish",
            "POST /applications/{id}/interview/cancel",
            "POST /applications/{id}/interview/held",
            "POST /applications/{id}/interview/no-show",
            "POST /applications/{id}/interview/undo",
            "POST /applications/{id}/interview/scores",
        ],
    ),
    ("/admin-panel/interviews", &["POST /interviews/rules/{id}", "POST /interviews/feed", "DELETE /interviews/feed"]),
    ("/admin-panel/account", &["PATCH /me", "POST /password", "DELETE /sessions", "DELETE /sessions/{id}"]),
    ("/admin-panel/account/leave", &["DELETE /me"]),
    ("/admin-panel/account/second-factor", &["POST /second-factor", "POST /second-factor/confirm"]),
    ("/admin-panel/account/second-factor/off", &["DELETE /second-factor"]),
    ("/admin-panel/account/keys", &["POST /keys", "DELETE /keys/{id}"]),
    // Only a browser on our own page can make one.
    ("/admin-panel/account/passkeys", &["DELETE /passkeys/{id}"]),
    ("/admin-panel/account/recovery-codes", &["POST /second-factor/recovery-codes"]),
    ("/admin-panel/settings/sign-on", &["POST /identity-providers"]),
    (
        "/admin-panel/settings/sign-on/{id}",
        &[
            "PATCH /identity-providers/{id}",
            "DELETE /identity-providers/{id}",
            "POST /identity-providers/{id}/check",
            "POST /identity-providers/{id}/scim-token",
            "DELETE /identity-providers/{id}/scim-token",
        ],
    ),
    ("/admin-panel/imports", &["POST /imports/files"]),
    (
        "/admin-panel/imports/{id}",
        &["PUT /imports/{id}/mapping", "POST /imports/{id}/start", "POST /imports/{id}/undo", "DELETE /imports/{id}"],
    ),
    ("/admin-panel/admins", &["POST /admins", "POST /invitations/{id}/resend", "DELETE /invitations/{id}"]),
    ("/admin-panel/admins/second-factor", &["PATCH /settings/second-factor"]),
    ("/admin-panel/admins/applicants-second-factor", &["POST /applicants/second-factor/reset"]),
    ("/admin-panel/admins/{id}", &["PATCH /admins/{id}", "DELETE /admins/{id}", "DELETE /admins/{id}/second-factor"]),
];

#[test]
fn every_form_of_the_office_has_its_calls() {
    let calls = admins::calls();
    let told: BTreeSet<&str> = FORMS.iter().map(|(form, _)| *form).collect();
    for route in table::routes().iter().filter(|route| route.method == "POST") {
        assert!(told.contains(route.path), "POST {} has no call: write one, and its line above", route.path);
    }
    for (form, names) in FORMS {
        let route = table::routes().iter().find(|route| (route.method, route.path) == ("POST", *form));
        let route = route.unwrap_or_else(|| panic!("there is no form {form}"));
        for name in *names {
            let call = calls.iter().find(|call| format!("{} {}", call.method, call.path) == *name);
            let call = call.unwrap_or_else(|| panic!("{form}: there is no call {name}"));
            assert!(call.gate.step_up || !route.gate.step_up, "{name}: {form} asks for the password again");
        }
    }
}
