//! Demo data, marked as such. Created through the same use cases as real data.

mod fees;
mod references;
mod season;

use serde_json::json;

use crate::accounts::register::Address;
use crate::accounts::sessions::SignedIn;
use crate::applications::saving::Expected;
use crate::error::{Error, Refusal};
use crate::{App, Caller};
use domain::application::Application;
use domain::clocks;
use domain::interview::Span;
use domain::program::Program;
use domain::role::Role;
use domain::staff::Staff;
use store::SessionKey;

const PASSWORD: &str = "only for looking around";
const STATES: [&str; 8] = ["TX", "CA", "VA", "NY", "WA", "FL", "NC", "GA"];

impl App {
    /// Creates six demo applicants with drafts, and interview times of a demo interviewer, unless they exist. Returns a
    /// summary.
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
        let opened = self.seed_demo_slots().await?;
        Ok(format!(
            "{created} demo applicants created: demo1@example.org to demo6@example.org, password \"{PASSWORD}\".\n\
             {opened} demo times for interviews opened."
        ))
    }

    async fn demo_applicant(&self, number: u32, program: Program) -> Result<(), Error> {
        let (who, application) = self.register_demo(number, program).await?;
        if number > 2 {
            let answers = json!({
                "applicationType": program.application_type(),
                "personalInfo": { "isMilitaryAffiliated": number.is_multiple_of(3), "state": "TX" },
            });
            self.save_known(&who, application, &answers.into(), Expected::Nothing).await?;
        }
        self.log_out(&who).await
    }

    /// Registers an applicant with a draft for the program.
    ///
    /// # Errors
    /// [`Refusal::EmailTaken`] for a number that already exists.
    async fn register_demo(&self, number: u32, program: Program) -> Result<(SignedIn, Option<Application>), Error> {
        let body = json!({
            "firstName": "Demo",
            "lastName": format!("Applicant {number}"),
            "dateOfBirth": format!("19{:02}-{:02}-{:02}", 70 + number % 30, 1 + number % 12, 1 + number % 28),
            "phoneNumber": format!("+1555{:07}", 100_100 + number),
            "country": "US",
            "state": STATES[number as usize % STATES.len()],
            "email": format!("demo{number}@example.org"),
            "password": PASSWORD,
        });
        // Each from a different address, so that the limit on registrations is not reached.
        let caller = Caller { address: format!("demo-{number}"), user_agent: "demo data".into(), ..Caller::default() };
        let entered = self.create_account(&body.into(), Some(program), &caller, Address::Confirmed).await?;
        let digest = self.tokens.digest(&entered.secrets.cookie);
        let found = self.store.session(SessionKey::Cookie(&digest), self.clock.now()).await?;
        let (session, applicant) = found.ok_or(Refusal::SessionEnded)?;
        Ok((SignedIn { applicant, session }, entered.application))
    }

    /// A demo member of staff. The password is not disclosed: an Owner can invite people who want to look around.
    async fn demo_staff(&self, name: &str, role: Role) -> Result<Staff, Error> {
        let email = format!("demo.{name}@example.org");
        match self.store.staff_by_email(&email).await? {
            Some(staff) => Ok(staff),
            None => self.create_staff(&email, &self.random.secret(), role).await,
        }
    }

    /// Opens times of a demo interviewer on the next working days, unless they exist. Returns how many were opened.
    async fn seed_demo_slots(&self) -> Result<usize, Error> {
        const DAYS: usize = 15;
        const HOURS: [i8; 5] = [9, 10, 11, 14, 15];
        let staff = self.demo_staff("interviewer", Role::Interviewer).await?;
        let zone = clocks::zone(&self.settings.time_zone);
        let today = clocks::day(self.clock.now(), &self.settings.time_zone);
        let working_days = today.tomorrow().map(|tomorrow| tomorrow.series(jiff::Span::new().days(1)));
        let working_days = working_days.into_iter().flatten().filter(|day| day.weekday().to_monday_one_offset() < 6);
        let mut opened = 0;
        for day in working_days.take(DAYS) {
            let start = |hour: i8| day.at(hour, 0, 0, 0).to_zoned(zone.clone()).ok();
            let spans: Vec<Span> = HOURS
                .into_iter()
                .filter_map(|hour| Some(start(hour)?.timestamp().as_millisecond()))
                .map(|starts_at| Span { starts_at, minutes: 40 })
                .collect();
            match self.open_slots(&staff, &spans).await {
                Ok(()) => opened += spans.len(),
                // They already exist.
                Err(Error::Invalid(errors)) if errors.iter().all(|error| error.code == "slots.overlap") => {}
                Err(error) => return Err(error),
            }
        }
        Ok(opened)
    }
}
