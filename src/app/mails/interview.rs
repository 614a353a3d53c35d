//! Mails about interviews, to both participants, with the calendar entry.

use url::Url;

use super::{Wording, compose, spoken};
use crate::App;
use domain::account::Applicant;
use domain::application::Application;
use domain::clocks::{zone, zoned};
use domain::interview::ics::{self, Entry, Method, Person};
use domain::interview::{Interview, Span};
use domain::language::Language;
use domain::mail::{AttachedContent, Attachment, MailKind};
use domain::merging::MergeField;
use domain::moments;
use domain::moments::Millis;
use domain::sentence::Sentence;
use domain::text;
use store::NewMail;

/// The data for a mail about an interview.
#[derive(Debug, Clone, Copy)]
pub struct Meeting<'a> {
    pub applicant: &'a Applicant,
    pub application: &'a Application,
    /// The interview after the change that the mail is about.
    pub interview: &'a Interview,
}

/// A reminder, by how early it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Day,
    Hour,
}

/// The name of the calendar file, in mails and on the page.
pub const FILE: &str = "interview.ics";
const VIDEO: Sentence = text!("By video. Your interviewer will email you the link.");

pub fn booked(wording: &Wording<'_>, meeting: Meeting<'_>) -> NewMail {
    with(wording.app, to_applicant(wording, meeting, MailKind::InterviewBooked), meeting, Method::Request)
}

pub fn moved(wording: &Wording<'_>, meeting: Meeting<'_>) -> NewMail {
    with(wording.app, to_applicant(wording, meeting, MailKind::InterviewMoved), meeting, Method::Request)
}

pub fn cancelled(wording: &Wording<'_>, meeting: Meeting<'_>) -> NewMail {
    with(wording.app, to_applicant(wording, meeting, MailKind::InterviewCancelled), meeting, Method::Cancel)
}

/// Links to booking again, or, the second time, says where to write to.
pub fn missed(wording: &Wording<'_>, meeting: Meeting<'_>, may_book_again: bool) -> NewMail {
    let kind = if may_book_again { MailKind::InterviewMissed } else { MailKind::InterviewMissedAgain };
    to_applicant(wording, meeting, kind)
}

pub fn reminder(wording: &Wording<'_>, meeting: Meeting<'_>, before: Before) -> NewMail {
    let kind = match before {
        Before::Day => MailKind::InterviewTomorrow,
        Before::Hour => MailKind::InterviewSoon,
    };
    to_applicant(wording, meeting, kind)
}

/// To the interviewer, about a new appointment.
pub fn interviewer_booked(app: &App, meeting: Meeting<'_>) -> NewMail {
    let Meeting { applicant, .. } = meeting;
    let paragraphs = [
        Sentence::plain(format!("You meet {}: {}", whom(meeting), meeting_time_at_institute(app, meeting))),
        Sentence::plain(format!("Please send the link of the video call to {} before then.", applicant.email)),
    ];
    let mail = to_interviewer(app, meeting, "interviewer-booked", "Interview booked", &paragraphs);
    with_interviewer(app, mail, meeting, Method::Request)
}

pub fn interviewer_moved(app: &App, meeting: Meeting<'_>) -> NewMail {
    let paragraphs = [Sentence::plain(format!(
        "You meet {} at another time: {}",
        whom(meeting),
        meeting_time_at_institute(app, meeting)
    ))];
    let mail = to_interviewer(app, meeting, "interviewer-moved", "Interview moved", &paragraphs);
    with_interviewer(app, mail, meeting, Method::Request)
}

pub fn interviewer_cancelled(app: &App, meeting: Meeting<'_>) -> NewMail {
    let time = meeting_time_at_institute(app, meeting);
    let paragraphs = [Sentence::plain(format!("The interview with {} does not take place: {time}", whom(meeting)))];
    let mail = to_interviewer(app, meeting, "interviewer-cancelled", "Interview canceled", &paragraphs);
    with_interviewer(app, mail, meeting, Method::Cancel)
}

/// The calendar entry as a file for the applicant.
pub fn calendar(app: &App, meeting: Meeting<'_>, method: Method) -> String {
    let Meeting { applicant, interview, .. } = meeting;
    let institute = &app.settings.institute;
    let name = format!("{} {}", applicant.profile.first_name, applicant.profile.last_name);
    let attendee = Person { name: &name, email: &applicant.email };
    let translate = |sentence: Sentence| sentence.in_language(applicant.profile.language);
    entry(
        app,
        interview,
        method,
        &translate(text!("Interview, {institute}", institute)),
        &translate(text!("Video call")),
        &translate(VIDEO),
        attendee,
    )
}

/// Attaches the applicant's calendar entry to a mail.
pub fn with(app: &App, mail: NewMail, meeting: Meeting<'_>, method: Method) -> NewMail {
    let text = calendar(app, meeting, method);
    NewMail { attachment: Some(attachment(FILE, method, text)), ..mail }
}

fn with_interviewer(app: &App, mail: NewMail, meeting: Meeting<'_>, method: Method) -> NewMail {
    let interview = meeting.interview;
    let email = &interview.slot.interviewer_email;
    let attendee = Person { name: email, email };
    let about = format!("{}\n{}", whom(meeting), meeting.applicant.profile.phone_number);
    let text =
        entry(app, interview, method, &format!("Interview with {}", whom(meeting)), "Video call", &about, attendee);
    NewMail { attachment: Some(attachment(FILE, method, text)), ..mail }
}

/// A calendar entry as a file of this name.
pub(super) fn attachment(name: &str, method: Method, text: String) -> Attachment {
    let content_type = format!("text/calendar; charset=utf-8; method={}", method.as_str());
    Attachment { name: name.to_owned(), content_type, content: AttachedContent::Text(text) }
}

/// The identifier of an interview or a booking in calendars, in mails and feeds.
pub fn uid(app: &App, id: &str) -> String {
    let host = Url::parse(&app.settings.public_url).ok().and_then(|url| Some(url.host_str()?.to_owned()));
    format!("{id}@{}", host.unwrap_or_default())
}

fn entry(
    app: &App,
    interview: &Interview,
    method: Method,
    summary: &str,
    location: &str,
    description: &str,
    attendee: Person<'_>,
) -> String {
    let settings = &app.settings;
    let zone = zone(&settings.time_zone);
    let entry = Entry {
        uid: &uid(app, &interview.id),
        sequence: interview.sequence,
        written_at: app.clock.now(),
        span: interview.slot.span,
        zone: &zone,
        summary,
        description,
        location,
        url: &format!("{}/schedule", settings.public_url),
        organizer: Person { name: &settings.institute, email: &settings.contact_email },
        attendee,
    };
    ics::write(method, &entry)
}

fn to_applicant(wording: &Wording<'_>, meeting: Meeting<'_>, kind: MailKind) -> NewMail {
    let own = [(MergeField::When, meeting_time(wording.app, meeting))];
    wording.write(meeting.applicant, kind, meeting.application.program, "/schedule", own)
}

fn to_interviewer(
    app: &App,
    meeting: Meeting<'_>,
    template: &'static str,
    subject: &'static str,
    paragraphs: &[Sentence],
) -> NewMail {
    let url = format!("{}/admin-panel", app.settings.public_url);
    let link = Some(("To the admin panel".into(), &*url));
    let to = &meeting.interview.slot.interviewer_email;
    let paragraphs = spoken(Language::En, &"Hello,".into(), paragraphs, link);
    let mail = compose(app, to, Language::En, template, subject.to_owned(), &paragraphs);
    NewMail { about: Some(meeting.applicant.id.clone()), ..mail }
}

/// `Demo Applicant (B26-7KX4-M9CT)`
fn whom(meeting: Meeting<'_>) -> String {
    let profile = &meeting.applicant.profile;
    let reference = meeting.application.reference.as_deref().unwrap_or("no number");
    format!("{} {} ({reference})", profile.first_name, profile.last_name)
}

/// Time and length, in the applicant's time zone and the institute's.
fn meeting_time(app: &App, meeting: Meeting<'_>) -> Sentence {
    let own = &meeting.applicant.profile.time_zone;
    let institute = &app.settings.time_zone;
    let span = meeting.interview.slot.span;
    if own.is_empty() || own == institute {
        return meeting_time_at_institute(app, meeting);
    }
    let (own, there) = (when(span.starts_at, own), when(span.starts_at, institute));
    text!(
        "{own}. It takes {minutes} minutes. In the institute’s time zone, that is {there}.",
        own,
        minutes = span.minutes,
        there
    )
}

fn meeting_time_at_institute(app: &App, meeting: Meeting<'_>) -> Sentence {
    let span = meeting.interview.slot.span;
    lasting(span, &app.settings.time_zone)
}

/// Time and length in a time zone.
pub(super) fn lasting(span: Span, zone_name: &str) -> Sentence {
    let when = when(span.starts_at, zone_name);
    text!("{when}. It takes {minutes} minutes.", when, minutes = span.minutes)
}

/// `Tuesday, May 12, 2026, 14:00 CEST (Europe/Berlin)`
fn when(at: Millis, zone_name: &str) -> Sentence {
    let at = zoned(at, zone_name);
    let (date, time) = (moments::loose_date(at.date()), moments::clock_and_zone(&at));
    text!("{date}, {time} ({zone})", date, time, zone = zone_name.replace('_', " "))
}
