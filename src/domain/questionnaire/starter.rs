//! The questions that a new product asks until staff have written their own.

use serde_json::{Value, json};

use super::{Question, parse};
use crate::domain::input::Input;
use crate::domain::program::Program;

/// The first questions of a program.
pub fn starter(program: Program) -> Vec<Question> {
    let questions = match program {
        Program::Bachelor => bachelor(),
        Program::Masters => masters(),
    };
    parse(&Input::from(json!({ "questions": questions }))).expect("the first questions are well defined")
}

fn hours_a_week() -> Value {
    json!({
        "key": "hoursPerWeek",
        "type": "number",
        "label": "How many hours a week can you study?",
        "help": "Most people need between 8 and 15.",
        "min": 1,
        "max": 80,
    })
}

fn accommodation() -> [Value; 2] {
    [
        json!({
            "key": "needsAccommodation",
            "type": "yesNo",
            "label": "Is there anything we should arrange so that you can study and be interviewed well?",
            "help": "For example captions, more time, or times outside of shifts. It has no part in our decision.",
        }),
        json!({
            "key": "accommodation",
            "type": "longText",
            "label": "What should we arrange?",
            "maxLength": 1000,
            "onlyIf": { "question": "needsAccommodation", "is": true },
        }),
    ]
}

fn bachelor() -> Vec<Value> {
    let [needs, what] = accommodation();
    vec![
        json!({
            "key": "motivation",
            "type": "longText",
            "label": "Why do you want to study coaching?",
            "help": "A few sentences are enough.",
            "maxLength": 2000,
        }),
        json!({
            "key": "studyMode",
            "type": "choice",
            "label": "How do you want to study?",
            "options": [
                { "value": "full_time", "label": "Full time" },
                { "value": "part_time", "label": "Part time, beside work or service" },
                { "value": "undecided", "label": "I have not decided yet" },
            ],
        }),
        hours_a_week(),
        needs,
        what,
    ]
}

fn masters() -> Vec<Value> {
    let [needs, what] = accommodation();
    vec![
        json!({
            "key": "focus",
            "type": "several",
            "label": "Which kinds of coaching do you want to go deeper into?",
            "options": [
                { "value": "leadership", "label": "Leadership and executive coaching" },
                { "value": "career", "label": "Career and transition" },
                { "value": "health", "label": "Health and well-being" },
                { "value": "team", "label": "Teams and groups" },
            ],
        }),
        json!({
            "key": "practice",
            "type": "longText",
            "label": "Tell us about a coaching conversation that taught you something.",
            "help": "Leave out names and anything that would show who it was with.",
            "maxLength": 3000,
        }),
        hours_a_week(),
        json!({
            "key": "hasCredential",
            "type": "yesNo",
            "label": "Do you hold a coaching credential?",
        }),
        json!({
            "key": "credential",
            "type": "text",
            "label": "Which credential, and from whom?",
            "onlyIf": { "question": "hasCredential", "is": true },
        }),
        needs,
        what,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_begins_with_a_few_questions_and_a_condition() {
        for program in Program::ALL {
            let questions = starter(program);
            assert!((4..=7).contains(&questions.len()), "{program:?}");
            assert!(questions.iter().any(|question| question.only_if.is_some()), "{program:?}");
        }
    }
}
