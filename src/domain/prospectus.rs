//! What a program's landing page and its brochure say: what staff have set, and dates that follow from the current day.

use jiff::civil::Date;

use super::application_fee::FeeRules;
use super::intake::Intake;
use super::moments;
use super::money::dollars;
use super::program::Program;
use super::sentence::Sentence;
use super::settings::ProductSettings;
use crate::text;

/// What is said about a program.
#[derive(Debug, Clone)]
pub struct Prospectus {
    pub degree: Sentence,
    pub promise: Sentence,
    pub length: Sentence,
    pub cost: Sentence,
    /// The next one that can be applied for.
    pub intake: Intake,
    /// The application fee for it, if there is one.
    pub fee: Option<Sentence>,
    pub next_intake: Sentence,
    pub deadline: Sentence,
    pub audience: Vec<Sentence>,
    pub needs: Vec<Sentence>,
    pub steps: Vec<Item>,
    pub payment: Vec<Item>,
    pub questions: Vec<Item>,
}

/// A step, a way to pay or a question, and what is said about it.
#[derive(Debug, Clone)]
pub struct Item {
    pub title: Sentence,
    pub text: Sentence,
}

pub fn degree(program: Program) -> Sentence {
    match program {
        Program::Bachelor => text!("Bachelor of Arts in Coaching"),
        Program::Masters => text!("Master of Science in Coaching"),
    }
}

pub fn prospectus(program: Program, settings: &ProductSettings, today: Date) -> Prospectus {
    let intake = settings.deadlines.next(today);
    let item = |title, text| Item { title, text };
    let page = settings.page(program);
    let fees = settings.fee(program);
    Prospectus {
        degree: degree(program),
        promise: page.promise(program),
        length: page.length(program),
        cost: text!("{dollars} in all", dollars = dollars(page.tuition(program))),
        intake,
        fee: fees
            .cents(intake)
            .map(|cents| text!("In addition, there is an application fee of {amount}.", amount = dollars(cents))),
        next_intake: moments::long_date(intake.start),
        deadline: moments::long_date(intake.deadline),
        audience: page.audience(program),
        needs: page.needs(program),
        steps: vec![
            item(text!("Create your account"), text!("Name, birth date, phone and email. It takes two minutes.")),
            item(
                text!("Fill out your application"),
                text!("About thirty minutes. Every answer is saved as you type; stop and come back whenever you like."),
            ),
            item(text!("Meet us"), text!("A forty-minute conversation by video, at a time that suits you.")),
            item(
                text!("Get our decision"),
                text!("We will write to you when there is one, and you can read it on your dashboard."),
            ),
        ],
        payment: vec![
            item(
                text!("Tuition assistance"),
                text!("Active duty, Guard, Reserve and DoD civilians: apply now, hand in the authorization later."),
            ),
            item(text!("GI Bill"), text!("Post-9/11, Montgomery and transferred benefits count toward tuition.")),
            item(
                text!("Employer or scholarship"),
                text!("Tell us who pays and how much. We will invoice them directly."),
            ),
            item(text!("Self-pay"), text!("An amount up front and equal monthly payments, without interest.")),
        ],
        questions: vec![
            item(
                text!("Can I stop and finish later?"),
                text!(
                    "Yes. Your answers are saved as you type, and your draft is kept for twelve months. Log in on any device to continue."
                ),
            ),
            item(
                text!("Does my military training count?"),
                text!(
                    "Often. Tell us about your Joint Services Transcript, CCAF credits or exams in the application; we \
                 look at each of them before your interview."
                ),
            ),
            item(
                text!("Do I need tuition-assistance approval before I apply?"),
                text!("No. Choose tuition assistance in the application and hand the authorization in later."),
            ),
            item(text!("Is there an application fee?"), about_fee(fees, intake)),
            item(
                text!("What if my plans change?"),
                text!(
                    "You can change every answer until you send the application, and move to the other program without \
                 typing anything again."
                ),
            ),
        ],
    }
}

/// Answers whether there is a fee for an application for an intake.
fn about_fee(fees: &FeeRules, intake: Intake) -> Sentence {
    let Some(cents) = fees.cents(intake) else { return text!("No.") };
    let amount = dollars(cents);
    let yes = text!("Yes: {amount}, which you pay after you submit your application.", amount);
    let waived = match (fees.military, fees.dod) {
        (true, true) => Some(text!(
            "Applicants who are affiliated with the military or work for the Department of Defense do not pay it."
        )),
        (true, false) => Some(text!("Applicants who are affiliated with the military do not pay it.")),
        (false, true) => Some(text!("Applicants who work for the Department of Defense do not pay it.")),
        (false, false) => None,
    };
    let need = fees.need.then(|| text!("If you cannot pay it, you can ask us to waive it."));
    [waived, need].into_iter().flatten().fold(yes, Sentence::and)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_fee_is_told_with_whom_it_is_waived_for() {
        let intake = Intake { start: date(2026, 8, 31), deadline: date(2026, 7, 20) };
        let about = |military, dod, need| {
            about_fee(&FeeRules { amount: 7_500, military, dod, need, ..FeeRules::default() }, intake).to_string()
        };
        assert_eq!(about_fee(&FeeRules::default(), intake), "No.");
        let fee = "Yes: $75, which you pay after you submit your application.";
        let military = "Applicants who are affiliated with the military do not pay it.";
        assert_eq!(about(false, false, false), fee);
        assert_eq!(about(true, false, false), format!("{fee} {military}"));
        assert!(about(true, true, false).contains("or work for the Department of Defense"));
        assert!(about(false, false, true).ends_with("If you cannot pay it, you can ask us to waive it."));
    }
}
