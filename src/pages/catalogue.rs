//! What the public pages tell about the two programs. Dates follow from the day on which they are asked for.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday, date};

use super::page::{ProgramInfo, ProgramName, Question, Titled};
use crate::domain::program::Program;

/// Tuition of the whole program, in cents.
fn tuition(program: Program) -> i64 {
    match program {
        Program::Bachelor => 2_480_000,
        Program::Masters => 1_690_000,
    }
}

fn degree(program: Program) -> &'static str {
    match program {
        Program::Bachelor => "Bachelor of Arts in Coaching",
        Program::Masters => "Master of Science in Coaching",
    }
}

pub fn name(program: Program) -> ProgramName {
    ProgramName {
        path: program.path(),
        application_type: program.application_type(),
        name: program.name(),
        degree: degree(program),
    }
}

/// The next intake whose deadline has not passed: the second Monday of January or the last Monday of August.
pub fn next_intake(today: Date) -> Intake {
    let candidates = (today.year()..=today.year().saturating_add(1)).flat_map(|year| {
        let january = date(year, 1, 1).nth_weekday_of_month(2, Weekday::Monday);
        let august = date(year, 8, 1).nth_weekday_of_month(-1, Weekday::Monday);
        [january, august]
    });
    candidates
        .filter_map(Result::ok)
        .filter_map(|start| Some(Intake { start, deadline: start.checked_sub(6.weeks()).ok()? }))
        .find(|intake| intake.deadline >= today)
        .unwrap_or(Intake { start: today, deadline: today })
}

/// When studies start, and until when one can apply for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intake {
    pub start: Date,
    pub deadline: Date,
}

/// Until when we write to someone who has submitted on `day`: ten working days. A holiday among them is not known here.
pub fn answer_by(day: Date) -> Date {
    let working = |day: &Date| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    day.series(1.day()).skip(1).filter(working).nth(9).unwrap_or(day)
}

/// `Monday, August 31, 2026`, which breaks only after the weekday.
pub fn long_date(date: Date) -> String {
    date.strftime("%A, %B\u{a0}%-d,\u{a0}%Y").to_string()
}

/// `Aug 31, 2026`
pub fn short_date(date: Date) -> String {
    date.strftime("%b\u{a0}%-d,\u{a0}%Y").to_string()
}

/// `$24,800`
fn dollars(cents: i64) -> String {
    let digits = (cents / 100).to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}")
}

pub fn info(program: Program, today: Date) -> ProgramInfo {
    let intake = next_intake(today);
    let question = |question, answer| Question { question, answer };
    let titled = |title, text| Titled { title, text };
    let name = name(program);
    let (promise, length, audience, needs): (_, _, Vec<_>, Vec<_>) = match program {
        Program::Bachelor => (
            "Turn what you already know about leading people into a degree, at your own pace and from wherever you \
             are stationed.",
            "120 credits, about 36 months part-time",
            vec![
                "You lead, train or mentor people, in uniform or out of it, and want a degree that counts that \
                 experience.",
                "You study beside a job, a deployment or a family, and need a program that bends without breaking.",
                "You have credits from college, service or exams and do not want to repeat what you know.",
            ],
            vec![
                "A high-school diploma or an equivalent.",
                "Your work history: employers, roles, hours a week.",
                "Transcripts, if you want credit for earlier study or service.",
                "An idea of how you will pay. You need no proof to start.",
            ],
        ),
        Program::Masters => (
            "Deepen your practice with research, supervision and a thesis on work that you are already doing.",
            "36 credits, about 18 months part-time",
            vec![
                "You coach already, inside an organization or on your own, and want the science under the craft.",
                "You hold a bachelor’s degree from any country and in any field.",
                "You want evening seminars that a working week and changing time zones allow.",
            ],
            vec![
                "A bachelor’s degree, and the country it comes from.",
                "Your work history and whether you see coaching clients now.",
                "Transcripts of earlier graduate study, if you want it to count.",
                "An idea of how you will pay. You need no proof to start.",
            ],
        ),
    };
    ProgramInfo {
        path: name.path,
        application_type: name.application_type,
        name: name.name,
        degree: name.degree,
        promise,
        length,
        cost: format!("{} in all", dollars(tuition(program))),
        next_intake: long_date(intake.start),
        deadline: long_date(intake.deadline),
        audience,
        needs,
        steps: vec![
            titled("Create your account", "Name, birth date, phone and email. It takes two minutes."),
            titled(
                "Fill in your application",
                "About thirty minutes. Every answer is saved as you type; stop and come back whenever you like.",
            ),
            titled("Meet us", "A conversation of forty minutes, by video, at a time that suits you."),
            titled("Get our decision", "We write to you when there is one, and you read it in your dashboard."),
        ],
        payment: vec![
            titled(
                "Tuition assistance",
                "Active duty, Guard, Reserve and DoD civilians: apply now, hand in the authorization later.",
            ),
            titled("GI Bill", "Post-9/11, Montgomery and transferred benefits count toward tuition."),
            titled("Employer or scholarship", "Name who pays and how much. We invoice them directly."),
            titled("Self-pay", "An amount up front and equal monthly payments, without interest."),
        ],
        questions: vec![
            question(
                "Can I stop and finish later?",
                "Yes. Your answers are saved as you type, and your draft is kept for twelve months. Log in on any \
                 device to go on.",
            ),
            question(
                "Does my military training count?",
                "Often. Tell us about your Joint Services Transcript, CCAF credits or exams in the application; we \
                 look at each of them before your interview.",
            ),
            question(
                "Do I need tuition-assistance approval before I apply?",
                "No. Choose tuition assistance in the application and hand the authorization in later.",
            ),
            question("Is there an application fee?", "No."),
            question(
                "What if my plans change?",
                "You can change every answer until you send the application, and move to the other program without \
                 typing anything again.",
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_intake_is_one_that_can_still_be_applied_for() {
        let intake = |today: Date| next_intake(today);
        assert_eq!(intake(date(2026, 5, 4)), Intake { start: date(2026, 8, 31), deadline: date(2026, 7, 20) });
        assert_eq!(intake(date(2026, 7, 20)).start, date(2026, 8, 31));
        assert_eq!(intake(date(2026, 7, 21)).start, date(2027, 1, 11));
        assert_eq!(intake(date(2026, 12, 31)).start, date(2027, 8, 30));
        assert_eq!(long_date(date(2026, 8, 31)), "Monday, August\u{a0}31,\u{a0}2026");
    }

    #[test]
    fn ten_working_days_are_two_weeks_or_a_little_more() {
        // A Monday, a Friday, a Saturday, a Sunday.
        for (day, by) in [(4, 18), (8, 22), (9, 22), (10, 22)] {
            assert_eq!(answer_by(date(2026, 5, day)), date(2026, 5, by), "{day}");
        }
    }

    #[test]
    fn amounts_are_grouped() {
        assert_eq!(dollars(2_480_000), "$24,800");
        assert_eq!(dollars(99_900), "$999");
        assert_eq!(dollars(123_456_700), "$1,234,567");
    }
}
