//! The questions asked until staff have written their own.

use serde_json::{Value, json};

use super::{Definition, parse};
use crate::input::Input;
use crate::program::Program;

/// Returns the initial questions of a program. No references are asked for.
pub fn starter(program: Program) -> Definition {
    let questions = match program {
        Program::Bachelor => bachelor(),
        Program::Masters => masters(),
    };
    parse(&Input::from(json!({ "questions": questions }))).expect("the first questions are well defined")
}

fn option(value: &str, label: &str, spanish: &str) -> Value {
    json!({ "value": value, "label": label, "translations": { "es": spanish } })
}

fn hours_a_week() -> Value {
    json!({
        "key": "hoursPerWeek",
        "type": "number",
        "label": "How many hours a week can you study?",
        "help": "Most people need between 8 and 15.",
        "translations": { "es": {
            "label": "¿Cuántas horas a la semana puede estudiar?",
            "help": "La mayoría necesita entre 8 y 15.",
        } },
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
            "translations": { "es": {
                "label": "¿Hay algo que debamos preparar para que pueda estudiar y ser entrevistado en buenas condiciones?",
                "help": "Por ejemplo, subtítulos, más tiempo u horarios fuera de sus turnos. No influye en nuestra decisión.",
            } },
        }),
        json!({
            "key": "accommodation",
            "type": "longText",
            "label": "What should we arrange?",
            "translations": { "es": { "label": "¿Qué debemos preparar?" } },
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
            "translations": { "es": {
                "label": "¿Por qué quiere estudiar coaching?",
                "help": "Bastan unas pocas frases.",
            } },
            "maxLength": 2000,
        }),
        json!({
            "key": "studyMode",
            "type": "choice",
            "label": "How do you want to study?",
            "options": [
                option("full_time", "Full time", "A tiempo completo"),
                option("part_time", "Part time, beside work or service", "A tiempo parcial, junto al trabajo o el servicio"),
                option("undecided", "I have not decided yet", "Todavía no lo he decidido"),
            ],
            "translations": { "es": { "label": "¿Cómo quiere estudiar?" } },
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
                option("leadership", "Leadership and executive coaching", "Coaching directivo y de liderazgo"),
                option("career", "Career and transition", "Carrera profesional y transiciones"),
                option("health", "Health and well-being", "Salud y bienestar"),
                option("team", "Teams and groups", "Equipos y grupos"),
            ],
            "translations": { "es": { "label": "¿En qué tipos de coaching quiere profundizar?" } },
        }),
        json!({
            "key": "practice",
            "type": "longText",
            "label": "Tell us about a coaching conversation that taught you something.",
            "help": "Leave out names and anything that would show who it was with.",
            "translations": { "es": {
                "label": "Cuéntenos una conversación de coaching que le haya enseñado algo.",
                "help": "Omita los nombres y todo lo que permita reconocer a la otra persona.",
            } },
            "maxLength": 3000,
        }),
        hours_a_week(),
        json!({
            "key": "hasCredential",
            "type": "yesNo",
            "label": "Do you hold a coaching credential?",
            "translations": { "es": { "label": "¿Tiene alguna acreditación de coaching?" } },
        }),
        json!({
            "key": "credential",
            "type": "text",
            "label": "Which credential, and from whom?",
            "translations": { "es": { "label": "¿Qué acreditación, y de quién?" } },
            "onlyIf": { "question": "hasCredential", "is": true },
        }),
        needs,
        what,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn every_first_question_is_asked_in_every_language() {
        for program in Program::ALL {
            let starter = starter(program).questions;
            for language in Language::default().others() {
                assert!(starter.iter().all(|question| question.translations.contains_key(&language)), "{program:?}");
            }
        }
    }

    #[test]
    fn every_program_begins_with_a_few_questions_and_a_condition() {
        for program in Program::ALL {
            let questions = starter(program).questions;
            assert!((4..=7).contains(&questions.len()), "{program:?}");
            assert!(questions.iter().any(|question| question.only_if.is_some()), "{program:?}");
        }
    }
}
