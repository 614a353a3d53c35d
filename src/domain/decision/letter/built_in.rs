//! The built-in letters, paragraph by paragraph. Fields in braces are filled in when a letter is written.

use super::{AcceptanceLetter, Letter, RejectionLetter};
use crate::sentence::Sentence;
use crate::text;

const GREETING: Sentence = text!("Dear {name},");
const CONDITIONS: Sentence = Sentence::new("{conditions}");
const REASONS: Sentence = Sentence::new("{reasons}");
const NOT_CLEAR: Sentence =
    text!("If something in this letter is not clear, write to us and give your reference number, {reference}.");
const NO: Sentence = text!(
    "Thank you for applying to the {program}, and for the time you put into your application. We have read it carefully. We cannot offer you a place in the {intake} intake."
);
const GOODBYE: Sentence = text!("We wish you well.");

pub(super) fn text(letter: Letter) -> Vec<Sentence> {
    match letter {
        Letter::Acceptance(AcceptanceLetter::Offer) => vec![
            GREETING,
            text!(
                "Thank you for applying to the {program}, and for the time you put into your application. We have read it carefully, and we would like you to study with us. We offer you a place in the {intake} intake."
            ),
            CONDITIONS,
            text!(
                "Please reply on your dashboard, which shows the deadline. Once you have accepted, we will prepare your contract and go over the ways to pay with you."
            ),
            NOT_CLEAR,
            text!("We look forward to working with you."),
        ],
        Letter::Rejection(RejectionLetter::NoPlace) => vec![
            GREETING,
            NO,
            REASONS,
            text!(
                "We know that this is not the answer that you hoped for. If something in this letter is not clear, write to us and give your reference number, {reference}."
            ),
            GOODBYE,
        ],
        Letter::Rejection(RejectionLetter::ApplyAgain) => vec![
            GREETING,
            NO,
            REASONS,
            text!(
                "We would be glad to read another application from you for a later intake. If something in this letter is not clear, write to us and give your reference number, {reference}."
            ),
            GOODBYE,
        ],
    }
}
