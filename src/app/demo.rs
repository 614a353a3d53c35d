//! Data to look at, which says of itself that it is demo data. Made through the same use cases as everyone's.

use super::applications::Expected;
use super::error::{Error, Refusal};
use super::sessions::SignedIn;
use super::{App, Caller};
use crate::app::ports::SessionKey;
use crate::domain::input::Input;
use crate::domain::program::Program;

const PASSWORD: &str = "only for looking around";

impl App {
    /// Creates six demo applicants with drafts, unless they are there. What was done, in words.
    pub async fn seed_demo(&self) -> Result<String, Error> {
        let mut created = 0;
        for number in 1..=6 {
            let program = if number % 2 == 1 { Program::Bachelor } else { Program::Masters };
            match self.demo_applicant(number, program).await {
                Ok(()) => created += 1,
                Err(Error::Refused(Refusal::EmailTaken)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(format!(
            "{created} demo applicants created: demo1@example.org to demo6@example.org, password \"{PASSWORD}\"."
        ))
    }

    async fn demo_applicant(&self, number: u32, program: Program) -> Result<(), Error> {
        let text = |value: &str| Input::Text(value.to_owned());
        let fields = [
            ("firstName", text("Demo")),
            ("lastName", text(&format!("Applicant {number}"))),
            ("dateOfBirth", text("1990-01-01")),
            ("phoneNumber", text(&format!("+1555010010{number}"))),
            ("country", text("US")),
            ("state", text("TX")),
            ("email", text(&format!("demo{number}@example.org"))),
            ("password", text(PASSWORD)),
        ];
        let body = Input::Map(fields.map(|(name, value)| (name.to_owned(), value)).to_vec());
        // Each from an address of its own, so that the limit on registrations is not met.
        let caller = Caller { address: format!("demo-{number}"), user_agent: "demo data".into() };
        let entered = self.register(&body, Some(program), &caller).await?;

        let digest = self.tokens.digest(&entered.secrets.cookie);
        let found = self.store.session(SessionKey::Cookie(&digest), self.clock.now()).await?;
        let (session, applicant) = found.ok_or(Refusal::SessionEnded)?;
        let who = SignedIn { applicant, session };
        if number > 2 {
            let military = Input::Bool(number.is_multiple_of(3));
            let about = [("isMilitaryAffiliated", military), ("state", text("TX"))];
            let section = Input::Map(about.map(|(name, value)| (name.to_owned(), value)).to_vec());
            let answers = [("applicationType", text(program.application_type())), ("personalInfo", section)];
            let answers = Input::Map(answers.map(|(name, value)| (name.to_owned(), value)).to_vec());
            self.save_known(&who, entered.application, &answers, Expected::Nothing).await?;
        }
        self.log_out(&who).await
    }
}
