//! Mails about bookings of open days, with the calendar entry. One booking is one entry in a calendar, whatever changes
//! about it or the day.

use super::interview::{attachment, lasting, uid};
use super::prospects::greeting;
use super::{compose, spoken};
use crate::App;
use domain::clocks::zone;
use domain::interview::ics::{self, Entry, Method, Person};
use domain::open_day::{OpenDay, OpenDayBooking};
use domain::program::Program;
use domain::sentence::Sentence;
use domain::text;
use store::NewMail;

/// The name of the calendar file.
const FILE: &str = "open-day.ics";

/// What is mailed about a booking.
struct Written {
    template: &'static str,
    subject: Sentence,
    paragraphs: Vec<Sentence>,
    link: (Sentence, String),
    method: Method,
}

/// The confirmation of a booking or of another number of people.
pub fn booked(app: &App, day: &OpenDay, booking: &OpenDayBooking, token: &str) -> NewMail {
    let title = day.title();
    let places = match booking.people {
        1 => text!("One place is booked for you: “{title}”.", title = &title),
        people => text!("{people} places are booked for you: “{title}”.", people, title = &title),
    };
    let otherwise =
        text!("If you cannot come, or if it was not you who booked, please cancel it, so that others can come.");
    let written = Written {
        template: "open-day-booked",
        subject: text!("Your booking: {title}", title),
        paragraphs: vec![places, when(app, day), place(day), otherwise],
        link: (see_or_cancel(), booking_url(app, token)),
        method: Method::Request,
    };
    write(app, day, booking, written)
}

/// The day has another time or place.
pub fn changed(app: &App, day: &OpenDay, booking: &OpenDayBooking, token: &str) -> NewMail {
    let title = day.title();
    let subject = text!("Changed: {title}", title = &title);
    let first = text!("We have changed an open day that you have booked, “{title}”. This is how it is now.", title);
    write(app, day, booking, as_it_is(app, day, token, "open-day-changed", (subject, first)))
}

/// The day is near.
pub fn reminder(app: &App, day: &OpenDay, booking: &OpenDayBooking, token: &str) -> NewMail {
    let title = day.title();
    let subject = text!("Reminder: {title}", title = &title);
    let first = text!("We look forward to seeing you soon: “{title}”.", title);
    write(app, day, booking, as_it_is(app, day, token, "open-day-reminder", (subject, first)))
}

/// When and where it is, for somebody who booked some time ago.
fn as_it_is(
    app: &App,
    day: &OpenDay,
    token: &str,
    template: &'static str,
    (subject, first): (Sentence, Sentence),
) -> Written {
    let otherwise = text!("If you cannot come any more, please cancel your booking, so that others can come.");
    Written {
        template,
        subject,
        paragraphs: vec![first, when(app, day), place(day), otherwise],
        link: (see_or_cancel(), booking_url(app, token)),
        method: Method::Request,
    }
}

/// The day does not take place.
pub fn cancelled(app: &App, day: &OpenDay, booking: &OpenDayBooking) -> NewMail {
    let title = day.title();
    let program = day.program.unwrap_or(Program::Bachelor);
    let written = Written {
        template: "open-day-cancelled",
        subject: text!("Canceled: {title}", title = &title),
        paragraphs: vec![
            text!("We are sorry: “{title}”, which you have booked, does not take place.", title),
            text!("It was planned for this time: {when}", when = lasting(day.span(), &app.settings.time_zone)),
        ],
        link: (text!("See other open days"), format!("{}/{}/apply", app.settings.public_url, program.path())),
        method: Method::Cancel,
    };
    write(app, day, booking, written)
}

/// The confirmation that somebody has cancelled their booking.
pub fn booking_cancelled(app: &App, day: &OpenDay, booking: &OpenDayBooking) -> NewMail {
    let title = day.title();
    let written = Written {
        template: "open-day-booking-cancelled",
        subject: text!("Booking canceled: {title}", title = &title),
        paragraphs: vec![text!("Your booking of “{title}” is canceled, and your places are free for others.", title)],
        link: (text!("Book again"), page(app, day)),
        method: Method::Cancel,
    };
    write(app, day, booking, written)
}

fn write(app: &App, day: &OpenDay, booking: &OpenDayBooking, written: Written) -> NewMail {
    let Written { template, subject, paragraphs, link, method } = written;
    let language = booking.language;
    let (label, url) = link;
    let paragraphs = spoken(language, &greeting(&booking.first_name), &paragraphs, Some((label, &url)));
    let mail = compose(app, &booking.email, language, template, subject.in_language(language), &paragraphs);
    let entry = calendar(app, day, booking, method);
    NewMail { attachment: Some(attachment(FILE, method, entry)), ..mail }
}

/// The calendar entry of a booking, whose number increases with each change of the booking or the day.
fn calendar(app: &App, day: &OpenDay, booking: &OpenDayBooking, method: Method) -> String {
    let settings = &app.settings;
    let zone = zone(&settings.time_zone);
    let title = day.title().in_language(booking.language);
    let people = booking.people_text().in_language(booking.language);
    let entry = Entry {
        uid: &uid(app, &booking.id),
        sequence: day.sequence + booking.sequence,
        written_at: app.clock.now(),
        span: day.span(),
        zone: &zone,
        summary: &title,
        description: &people,
        location: &day.place,
        url: &page(app, day),
        organizer: Person { name: &settings.institute, email: &settings.contact_email },
        attendee: Person { name: &format!("{} {}", booking.first_name, booking.last_name), email: &booking.email },
    };
    ics::write(method, &entry)
}

fn when(app: &App, day: &OpenDay) -> Sentence {
    text!("When: {when}", when = lasting(day.span(), &app.settings.time_zone))
}

fn place(day: &OpenDay) -> Sentence {
    text!("Where: {place}", place = &day.place)
}

fn see_or_cancel() -> Sentence {
    text!("See or cancel your booking")
}

fn booking_url(app: &App, token: &str) -> String {
    format!("{}/open-days/booking?token={token}", app.settings.public_url)
}

fn page(app: &App, day: &OpenDay) -> String {
    format!("{}/open-days/{}", app.settings.public_url, day.id)
}
