//! Every call of the office: its path, its gate and its handler.

use axum::routing::{MethodRouter, delete, get, patch, post};

use super::{
    acts, applications, bulk, decisions, deliveries, documents, duplicates, interview, interviews, invitations,
    listings, login, mails, marks, me, notes, questionnaires, record, second_factor, sessions, settings, step_up, team,
    views,
};
use crate::domain::permission::{Gate, Permission};
use crate::http::ApiState;

/// A call of the office and who may make it.
pub struct Call {
    pub method: &'static str,
    /// Below `/api/admins`.
    pub path: &'static str,
    pub gate: Gate,
    pub(super) handler: MethodRouter<ApiState>,
}

/// Every call there is.
pub fn calls() -> Vec<Call> {
    let call = |method, path, gate, handler| Call { method, path, gate, handler };
    let staff = Gate::may(Permission::Staff);
    let (decide, release) = (Gate::may(Permission::Decide), Gate::may(Permission::Release));
    let questions = Gate::may(Permission::Questionnaires);
    let see = Gate::may(Permission::Applications);
    let (review, assign) = (Gate::may(Permission::Review), Gate::may(Permission::Assign));
    let (note, write) = (Gate::may(Permission::Notes), Gate::may(Permission::WriteToApplicants));
    let review_documents = Gate::may(Permission::ReviewDocuments);
    let (meet, set) = (Gate::may(Permission::Interview), Gate::may(Permission::Settings));
    vec![
        call("POST", "/login", Gate::OPEN, post(login::login)),
        call("POST", "/invitations/accept", Gate::OPEN, post(invitations::accept)),
        call("POST", "/step-up", Gate::IDLE, post(step_up::step_up)),
        call("POST", "/logout", Gate::IDLE, post(login::logout)),
        call("GET", "/me", Gate::UNREADY, get(me::me)),
        call("PATCH", "/me", Gate::UNREADY, patch(me::change)),
        call("POST", "/password", Gate::UNREADY, post(me::change_password)),
        call("POST", "/second-factor", Gate::UNREADY.and_step_up(), post(second_factor::begin)),
        call("POST", "/second-factor/confirm", Gate::UNREADY.and_step_up(), post(second_factor::confirm)),
        call("DELETE", "/second-factor", Gate::STAFF.and_step_up(), delete(second_factor::remove)),
        call("POST", "/second-factor/recovery-codes", Gate::STAFF.and_step_up(), post(second_factor::renew_codes)),
        call("GET", "/applications", see, get(listings::list)),
        call("GET", "/sessions", Gate::STAFF, get(sessions::list)),
        call("DELETE", "/sessions", Gate::STAFF, delete(sessions::end_others)),
        call("DELETE", "/sessions/{id}", Gate::STAFF, delete(sessions::end)),
        call("GET", "/applications/{id}", see, get(applications::load)),
        call("PATCH", "/applications/{id}", review, patch(applications::change)),
        call("GET", "/admins", staff, get(team::list)),
        call("POST", "/admins", staff.and_step_up(), post(team::invite)),
        call("PATCH", "/admins/{id}", staff.and_step_up(), patch(team::change)),
        call("DELETE", "/admins/{id}", staff.and_step_up(), delete(team::remove)),
        call("DELETE", "/admins/{id}/second-factor", staff.and_step_up(), delete(second_factor::reset)),
        call("POST", "/invitations/{id}/resend", staff.and_step_up(), post(invitations::resend)),
        call("DELETE", "/invitations/{id}", staff.and_step_up(), delete(invitations::revoke)),
        call("GET", "/questionnaires", questions, get(questionnaires::list)),
        call("POST", "/questionnaires", questions, post(questionnaires::publish)),
        call("PATCH", "/questionnaires/{id}", questions, patch(questionnaires::change)),
        call("DELETE", "/questionnaires/{id}", questions, delete(questionnaires::delete)),
        call("GET", "/settings/second-factor", set, get(settings::load)),
        call("PATCH", "/settings/second-factor", set.and_step_up(), patch(settings::change)),
        call("GET", "/applications/{id}/decision", decide, get(decisions::load)),
        call("POST", "/applications/{id}/decision", decide, post(decisions::draft)),
        call("DELETE", "/applications/{id}/decision", decide, delete(decisions::discard)),
        call("POST", "/applications/{id}/decision/release", release, post(decisions::release)),
        call("DELETE", "/applications/{id}/decision/release", release, delete(decisions::drop_planned)),
        call("POST", "/applications/{id}/decision/recall", release, post(decisions::recall)),
        call("POST", "/applications/{id}/decision/reverse", decide, post(decisions::reverse)),
        call("POST", "/applications/{id}/decision/reopen", release, post(decisions::reopen)),
        call("GET", "/decisions", release, get(decisions::several::list)),
        call("POST", "/decisions/release", release, post(decisions::several::release)),
        call("POST", "/decisions/recall", release, post(decisions::several::recall)),
        call("GET", "/applications/{id}/answers", see, get(record::answers)),
        call("GET", "/applications/{id}/timeline", see, get(record::timeline)),
        call("GET", "/applications/{id}/presence", see, get(record::presence)),
        call("POST", "/applications/{id}/request-changes", review, post(acts::request_changes)),
        call("POST", "/applications/{id}/drop-changes", review, post(acts::drop_changes)),
        call("POST", "/applications/{id}/withdraw", review, post(acts::withdraw)),
        call("POST", "/applications/{id}/undo-withdraw", review, post(acts::undo_withdraw)),
        call("POST", "/applications/{id}/resume", review, post(acts::resume)),
        call("POST", "/applications/{id}/owner", assign, post(marks::hand_over)),
        call("POST", "/applications/{id}/tags", assign, post(marks::tag)),
        call("DELETE", "/applications/{id}/tags/{tag}", assign, delete(marks::untag)),
        call("GET", "/applications/{id}/duplicates", review, get(duplicates::list)),
        call("POST", "/applications/{id}/duplicates/merge", review, post(duplicates::merge)),
        call("POST", "/applications/{id}/duplicates/tell-apart", review, post(duplicates::tell_apart)),
        call("POST", "/applications/{id}/duplicates/undo", review, post(duplicates::undo)),
        call("GET", "/applications/{id}/documents", Gate::may(Permission::Documents), get(documents::list)),
        call("POST", "/applications/{id}/documents/{slot}", review_documents, post(documents::review)),
        call("GET", "/applications/{id}/files/{file}", Gate::may(Permission::Documents), get(documents::file)),
        call("GET", "/applications/{id}/interview", see, get(interview::load)),
        call("POST", "/applications/{id}/interview", meet, post(interview::arrange)),
        call("POST", "/applications/{id}/interview/wish", meet, post(interview::offer)),
        call("POST", "/applications/{id}/interview/cancel", meet, post(interview::cancel)),
        call("POST", "/applications/{id}/interview/held", meet, post(interview::held)),
        call("POST", "/applications/{id}/interview/no-show", meet, post(interview::no_show)),
        call("POST", "/applications/{id}/interview/undo", meet, post(interview::undo)),
        call("GET", "/applications/{id}/interview/scores", Gate::may(Permission::Score), get(interview::scores)),
        call("POST", "/applications/{id}/interview/scores", Gate::may(Permission::Score), post(interview::score)),
        call("GET", "/interviews", meet, get(interviews::own)),
        call("GET", "/interviews/calendar/{id}", meet, get(interviews::calendar)),
        call("GET", "/interviews/rules/{id}", meet, get(interviews::rules)),
        call("POST", "/interviews/rules/{id}", meet, post(interviews::change_rules)),
        call("GET", "/interviews/feed", meet, get(interviews::feed)),
        call("POST", "/interviews/feed", meet, post(interviews::open_feed)),
        call("DELETE", "/interviews/feed", meet, delete(interviews::close_feed)),
        call("GET", "/applications/{id}/notes", note, get(notes::list)),
        call("POST", "/applications/{id}/notes", note, post(notes::write)),
        call("PATCH", "/applications/{id}/notes/{note}", note, patch(notes::edit)),
        call("DELETE", "/applications/{id}/notes/{note}", note, delete(notes::delete)),
        call("POST", "/applications/{id}/notes/{note}/pin", note, post(notes::pin)),
        call("DELETE", "/applications/{id}/notes/{note}/pin", note, delete(notes::unpin)),
        call("GET", "/applications/{id}/mails", write, get(mails::list)),
        call("POST", "/applications/{id}/mails", write, post(mails::write)),
        call("POST", "/applications/{id}/mails/{mail}/resend", write, post(mails::resend)),
        call("POST", "/bulk/assign/look", assign, post(bulk::marks::look_at_assigning)),
        call("POST", "/bulk/assign", assign, post(bulk::marks::assign)),
        call("POST", "/bulk/tag/look", assign, post(bulk::marks::look_at_tagging)),
        call("POST", "/bulk/tag", assign, post(bulk::marks::tag)),
        call("POST", "/bulk/mail/look", write, post(bulk::letters::look_at_mailing)),
        call("POST", "/bulk/mail", write, post(bulk::letters::mail)),
        call("POST", "/bulk/ask/look", review_documents, post(bulk::letters::look_at_asking)),
        call("POST", "/bulk/ask", review_documents, post(bulk::letters::ask)),
        call("POST", "/bulk/draft/look", decide, post(bulk::drafts::look)),
        call("POST", "/bulk/draft", decide, post(bulk::drafts::draft)),
        call("GET", "/colleagues", see, get(marks::colleagues)),
        call("GET", "/views", see, get(views::list)),
        call("POST", "/views", see, post(views::save)),
        call("PATCH", "/views/{id}", see, patch(views::rename)),
        call("DELETE", "/views/{id}", see, delete(views::delete)),
        call("GET", "/figures", see, get(views::figures)),
        call("GET", "/deliveries", set, get(deliveries::list)),
        call("POST", "/deliveries/mails/{id}/retry", set.and_step_up(), post(deliveries::retry_mail)),
        call("POST", "/deliveries/jobs/{id}/retry", set.and_step_up(), post(deliveries::retry_job)),
    ]
}
