//! The dashboard in each stage, its forms, the letter and past applications.

use matricula::app::applications::acts::Preconditions;
use matricula::app::documents::ReviewVerdict;
use matricula::domain::application::ApplicationKey;
use matricula::domain::documents::SlotKind;
use matricula::domain::intake::Intake;
use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::documents::{applicant, send};
use crate::decisions::{acceptance, advance, decide, rejection, seen, staff, submitted};
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::server::{Answer, Client, PASSWORD, World};

async fn see(client: &Client, path: &str) -> Answer {
    client.without_token().get(path).with_cookie(client).send().await
}

async fn dashboard(client: &Client) -> Value {
    see(client, "/dashboard").await.assert_document(200, "dashboard")["props"].clone()
}

async fn post(client: &Client, fields: &[(&str, &str)]) -> Answer {
    client.without_token().post("/dashboard").form(fields).with_cookie(client).send().await
}

/// The fields that identify the application as shown, and the act.
fn known(props: &Value) -> Vec<(&'static str, String)> {
    let known = if props["application"].is_null() { &props["undo"] } else { &props["application"]["known"] };
    vec![
        ("revision", known["revision"].to_string()),
        ("key", known["idempotencyKey"].as_str().unwrap_or_default().into()),
    ]
}

async fn do_it(client: &Client, action: &str, more: &[(&str, &str)]) -> Answer {
    let known = known(&dashboard(client).await);
    let mut fields: Vec<(&str, &str)> = known.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fields.push(("_action", action));
    fields.extend_from_slice(more);
    post(client, &fields).await
}

story! {
    async fn an_offer_is_replied_to_on_the_dashboard(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Decider).await;
        see(&client, "/dashboard/letter").await.assert_redirect(302, "/dashboard");
        decide(&world, &client, &decider, acceptance(&["A diploma by June"])).await;
        // Held: nothing reveals it, neither words nor guards.
        let held = see(&client, "/dashboard").await;
        let props = held.assert_document(200, "dashboard")["props"].clone();
        assert_eq!((&props["application"]["title"], &props["decision"]), (&json!("Submitted"), &Value::Null));
        assert_eq!(props["timeline"][2], json!({ "label": "Decision", "state": "upcoming", "date": null }));
        for word in ["accepted", "offer", "diploma"] {
            assert!(!held.text.to_lowercase().contains(word), "{word}");
        }
        see(&client, "/dashboard/letter").await.assert_redirect(302, "/dashboard");
        see(&client, "/bachelor/application").await.assert_document(200, "application");
        let login = [("email", client.email.as_str()), ("password", PASSWORD)];
        let login = async || world.visitor().post("/auth/login").form(&login).send().await;
        login().await.assert_redirect(303, "/bachelor/application");

        advance(&world, 15 * MINUTE).await;
        let props = dashboard(&client).await;
        assert_eq!(props["nextStep"]["title"], "Reply to our offer");
        login().await.assert_redirect(303, "/dashboard");
        assert_eq!(
            props["nextStep"]["text"],
            "We offer you a place. Read our letter, then accept the offer or decline it. You can reply until Wednesday, \
             June\u{a0}3,\u{a0}2026, 11:59\u{a0}PM Central Time."
        );
        assert_eq!(props["application"]["byWhen"], Value::Null);
        assert_eq!(props["decision"]["conditions"], json!(["A diploma by June"]));
        assert_eq!(props["timeline"][1]["date"], "Not needed");
        assert_eq!(props["timeline"][2], json!({ "label": "Decision", "state": "done", "date": "Decided May\u{a0}4,\u{a0}2026" }));
        see(&client, "/bachelor/application").await.assert_redirect(302, "/dashboard");
        let letter = see(&client, "/dashboard/letter").await;
        letter.assert_document(200, "letter");
        assert!(letter.text.contains("<li>A diploma by June</li>"), "{letter:?}");

        // Declined, and the decline undone.
        let long = "x".repeat(1001);
        let refused = do_it(&client, "decline-offer", &[("declineReason", &long)]).await;
        let form = refused.assert_document(422, "dashboard")["props"]["form"].clone();
        assert_eq!(form["errors"], json!({ "declineReason": "The reason must be at most 1000 characters." }));
        assert_eq!((&form["action"], &form["values"]["declineReason"]), (&json!("decline-offer"), &json!(long)));
        do_it(&client, "decline-offer", &[("declineReason", "")]).await.assert_redirect(303, "/dashboard");
        let props = dashboard(&client).await;
        assert_eq!((&props["application"], &props["undo"]["action"]), (&Value::Null, &json!("undo-decline")));
        assert_eq!(props["past"][0]["endedText"], "Offer declined on Monday, May\u{a0}4,\u{a0}2026");
        do_it(&client, "undo-decline", &[]).await.assert_redirect(303, "/dashboard");

        // A later start is requested; another tab has an older revision.
        let none = do_it(&client, "ask-deferral", &[("intake", "")]).await.assert_document(422, "dashboard");
        assert_eq!(none["props"]["form"]["errors"]["intake"], "Choose the intake that you want to start with.");
        do_it(&client, "ask-deferral", &[("intake", "2027-01"), ("deferralReason", "Deployment")]).await.assert_redirect(303, "/dashboard");
        let props = dashboard(&client).await;
        assert!(props["decision"]["deferral"]["asked"].as_str().unwrap().contains("January\u{a0}2027"), "{props}");
        let stale = post(&client, &[("revision", "1"), ("_action", "accept-offer")]).await.assert_document(409, "dashboard");
        assert!(stale["props"]["form"]["error"].as_str().unwrap().contains("another tab"));

        do_it(&client, "accept-offer", &[]).await.assert_redirect(303, "/dashboard");
        let props = dashboard(&client).await;
        assert_eq!(props["application"]["title"], "Offer accepted");
        assert_eq!(props["nextStep"]["text"], "The place is yours. Tell us who will pay for your studies. Then we will send you the contract.");
        assert_eq!((&props["decision"]["offer"], &props["timeline"][3]["date"]), (&Value::Null, &json!("Offer accepted May\u{a0}4,\u{a0}2026")));
        see(&client, "/dashboard/letter").await.assert_document(200, "letter");
        let anonymous = world.visitor().post("/dashboard").form(&[("_action", "accept-offer")]).send().await;
        anonymous.assert_redirect(303, "/bachelor/apply?dialog=login&redirect=%2Fdashboard");
    }

    async fn who_was_rejected_reads_why_and_applies_again(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        // Not rejected yet: a form of a page that was never shown does nothing.
        do_it(&client, "apply-again", &[]).await.assert_redirect(303, "/bachelor/apply");
        assert_eq!(dashboard(&client).await["application"]["title"], "Submitted");
        decide(&world, &client, &staff(&world, Role::Decider).await, rejection()).await;
        advance(&world, 15 * MINUTE).await;
        let props = dashboard(&client).await;
        assert_eq!((&props["nextStep"]["href"], &props["decision"]["canApplyAgain"]), (&json!("/dashboard/letter"), &json!(true)));
        let letter = see(&client, "/dashboard/letter").await;
        assert!(letter.text.contains("more good applications than places") && !letter.text.contains("more experience"), "{letter:?}");
        do_it(&client, "apply-again", &[]).await.assert_redirect(303, "/bachelor/apply");
        let props = dashboard(&client).await;
        assert_eq!(props["past"][0]["endedText"], "Not accepted, closed on Monday, May\u{a0}4,\u{a0}2026");
        let path = props["past"][0]["href"].as_str().unwrap();
        let past = see(&client, path).await.assert_document(200, "pastApplication");
        assert_eq!(past["props"]["data"]["financialPlan"]["selectedPayments"], json!(["employer"]));
        see(&client, "/dashboard/applications/nobody’s").await.assert_document(404, "problem");
        let other = world.register().await;
        see(&other, path).await.assert_document(404, "problem");
    }

    async fn the_dashboard_says_when_it_takes_longer(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        decide(&world, &client, &staff(&world, Role::Decider).await, acceptance(&[])).await;
        advance(&world, 15 * MINUTE).await;
        do_it(&client, "accept-offer", &[]).await.assert_redirect(303, "/dashboard");
        // Nothing waits for the office before there is a plan for paying tuition.
        let props = dashboard(&client).await;
        assert_eq!((&props["nextStep"]["title"], &props["application"]["byWhen"]), (&json!("Plan how you will pay"), &Value::Null));
        let plan = json!({ "amounts": { "employer": 2_480_000 }, "upFront": 0, "monthly": 0, "revision": 0 });
        let client = client.log_in().await;
        assert_eq!(client.post("/api/users/funding").json(&plan).send().await.status, 200);
        let next = async || dashboard(&client).await["nextStep"].clone();
        world.clock.advance(14 * DAY + 16 * HOUR);
        assert_eq!(next().await["title"], "We are preparing your contract");
        world.clock.advance(HOUR);
        let late = next().await;
        assert_eq!(late["title"], "This is taking longer than we said");
        assert!(late["text"].as_str().unwrap().ends_with("by Monday, June\u{a0}1,\u{a0}2026."), "{late}");
        world.clock.advance(14 * DAY);
        assert_eq!(next().await["title"], "This is taking much longer than we said");
        assert_eq!(dashboard(&client).await["application"]["byWhen"], Value::Null);
    }

    async fn each_later_stage_has_its_step(database: Database) {
        let world = World::start(database.db()).await;
        let client = submitted(&world).await;
        let decider = staff(&world, Role::Owner).await;
        let id = seen(&world, &client).await.1.unwrap().id;
        let key = ApplicationKey::Id(&id);
        decide(&world, &client, &decider, acceptance(&[])).await;
        advance(&world, 31 * DAY).await;
        let client = client.log_in().await;
        let props = dashboard(&client).await;
        assert_eq!((&props["application"]["title"], &props["decision"]["offer"]), (&json!("Offer expired"), &Value::Null));
        assert_eq!(props["nextStep"]["href"], "mailto:admissions@example.org");
        world.app.defer_application(&decider, key, Intake::parse("2027-01").unwrap(), Preconditions::default()).await.unwrap();
        let props = dashboard(&client).await;
        assert!(props["nextStep"]["text"].as_str().unwrap().starts_with("Your studies start on Monday, January\u{a0}11,\u{a0}2027."), "{props}");
        assert_eq!(props["timeline"][4]["date"], "Starts Jan\u{a0}11,\u{a0}2027");
        assert_eq!(props["decision"]["title"], "You have a place in the Bachelor’s program");
        assert_eq!(props["decision"]["text"], "Your studies start in January\u{a0}2027. The offer has no conditions.");
        do_it(&client, "withdraw", &[("withdrawReason", "")]).await.assert_document(422, "dashboard");
        do_it(&client, "withdraw", &[("withdrawReason", "I move")]).await.assert_redirect(303, "/dashboard");
        assert_eq!(dashboard(&client).await["undo"]["action"], "undo-withdraw");
        do_it(&client, "undo-withdraw", &[]).await.assert_redirect(303, "/dashboard");
        world.app.resume_application(&decider, key, true, Preconditions::default()).await.unwrap();
        assert_eq!(dashboard(&client).await["application"]["title"], "Offer expired");
        world.app.reopen_offer(&decider, key, Preconditions::default()).await.unwrap();
        do_it(&client, "accept-offer", &[]).await.assert_redirect(303, "/dashboard");
        database.run("UPDATE applications SET stage = 'enrolled', status = 'enrolled'").await.unwrap();
        let props = dashboard(&client).await;
        assert_eq!(props["enrolment"]["startText"], "Monday, January\u{a0}11,\u{a0}2027");
        assert_eq!(props["enrolment"]["nextPayment"], Value::Null, "there is no plan");
        assert_eq!(props["nextStep"], Value::Null);
        assert_eq!(props["application"]["whoseTurn"], "Nothing is pending. We will write to you before your intake starts.");
    }

    async fn a_dashboard_tells_how_far_the_documents_are_where_they_matter(database: Database) {
        let world = World::start(database.db()).await;
        let draft = applicant(&world).await;
        assert_eq!(dashboard(&draft).await["documents"], Value::Null, "nothing is read of a draft");
        // A proof of identity, and a letter from the employer that can follow later.
        let client = submitted(&world).await;
        let told = dashboard(&client).await["documents"].clone();
        assert_eq!((&told["text"], &told["hint"]), (&json!("0 of 2 documents received"), &json!("We cannot decide until we have 1 more of them.")));
        assert_eq!(send(&client, "identity", "passport.pdf", &pdf(1000)).await.status, 201);
        let told = dashboard(&client).await["documents"].clone();
        assert_eq!((&told["settled"], &told["of"]), (&json!(1), &json!(2)));
        assert_eq!(told["hint"], "We have what we need to decide. The rest can come later.");
        let page = see(&client, "/dashboard").await;
        assert!(page.text.contains("1 of 2 documents received") && page.text.contains("href=\"/dashboard/documents\""));

        let reviewer = staff(&world, Role::Reviewer).await;
        let id = seen(&world, &client).await.1.unwrap().id;
        let review = async |slot, verdict| world.app.review_document(&reviewer, &id, slot, verdict, None).await.unwrap();
        world.clock.advance(MINUTE);
        review(SlotKind::Identity, ReviewVerdict::Replace { reason: "Too dark".into() }).await;
        review(SlotKind::EmployerLetter, ReviewVerdict::Waive { reason: "A contract says it.".into() }).await;
        let told = dashboard(&client).await["documents"].clone();
        assert_eq!((&told["text"], &told["hint"]), (&json!("1 of 2 documents received"), &json!("We cannot decide until we have 1 more of them.")));
    }
}
