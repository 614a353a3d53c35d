//! Demo references: the master's program asks for one, and most have come.

use serde_json::json;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use domain::application::Application;
use domain::input::Input;
use domain::moments::{DAY, Millis};
use domain::program::Program;
use domain::questionnaire::LetterRule;
use domain::referee::Referee;
use domain::staff::Staff;

impl App {
    /// Lets the master's program ask for references, unless staff have changed its questions.
    pub(super) async fn demo_references_asked(&self, owner: &Staff) -> Result<(), Error> {
        let sets = self.question_sets().await?;
        let set = sets.of(Program::Masters);
        if set.version != 1 || set.references.is_some() {
            return Ok(());
        }
        let text = |key: &str, label: &str, spanish: &str| {
            json!({
                "key": key, "type": "longText", "label": label, "maxLength": 2000,
                "translations": { "es": { "label": spanish } },
            })
        };
        let references = json!({
            "needed": 1,
            "most": 2,
            "letter": LetterRule::Optional,
            "questions": [
                text("acquaintance", "How do you know the applicant, and since when?", "¿De qué conoce a esta persona, y desde cuándo?"),
                text("strengths", "What would make them a good coach?", "¿Qué haría de esta persona un buen coach?"),
            ],
        });
        let definition = Input::from(json!({ "questions": set.questions, "references": references }));
        self.publish_questions(owner, Program::Masters, &definition, Some(set.version)).await?;
        Ok(())
    }

    /// Names a referee, if the program asks for one.
    pub(super) async fn demo_referee(
        &self,
        who: &SignedIn,
        application: &Application,
        number: u32,
    ) -> Result<Option<Referee>, Error> {
        if self.reference_set(application).await?.references.is_none() {
            return Ok(None);
        }
        let referee = json!({
            "name": format!("Demo Referee {number}"),
            "email": format!("demo.referee{number}@example.org"),
            "relationship": "Demo supervisor",
            "organization": format!("Demo Employer {}", number % 12),
            "waived": !number.is_multiple_of(4),
        });
        Ok(Some(self.name_referee(who, Some(application), &referee.into()).await?))
    }

    /// Gives the reference some days after `asked`, if that is not ahead; some never answer.
    pub(super) async fn demo_reference(
        &self,
        referee: &Referee,
        number: u32,
        asked: Millis,
        now: Millis,
    ) -> Result<(), Error> {
        let at = asked + i64::from(1 + number % 5) * DAY;
        if at > now || number.is_multiple_of(5) {
            return Ok(());
        }
        let link = self.store.referee_link(&referee.id).await?;
        if let Some(token) = link.and_then(|sealed| self.sealing.open(&referee.id, &sealed)) {
            let answers = json!({
                "answers": {
                    "acquaintance": format!("Demo: we worked together for {} years.", 1 + number % 9),
                    "strengths": format!("Demo strength {number}."),
                },
            });
            self.then(at).send_reference(&token, &answers.into()).await?;
        }
        Ok(())
    }
}
