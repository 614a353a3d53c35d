//! Changes that staff request from an applicant: requested, limited to what was requested, made, and cancelled.

use matricula::app::applications::acts::Preconditions;
use matricula::app::applications::changes::ChangesRequest;
use matricula::domain::application::{Application, ApplicationKey};
use matricula::domain::input::Input;
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use matricula::domain::status::Stage;
use serde_json::{Value, json};

use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, World};

/// An applicant who has submitted, and a member of staff who reviews.
async fn submitted(world: &World) -> (Client, Staff, String) {
    let client = world.register().await;
    let answers = json!({
        "applicationType": "ba",
        "personalInfo": {"isUSCitizen": false, "isMilitaryAffiliated": false, "isDoDEmployee": false, "state": null},
        "education": {"hasBachelors": false, "hasMasters": false},
        "employment": {"isSeeingCoachingClients": false, "isCurrentlyEmployed": false, "hasPreviousEmployment": false},
        "financialPlan": {"selectedPayments": ["employer"]},
        "creditTransfer": {"selectedPrograms": []},
    });
    assert_eq!(save(&client, answers).await.status, 200);
    let answer = submit(&client).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let staff = world.app.create_staff("reviewer@example.org", PASSWORD, Role::Reviewer).await.unwrap();
    (client, staff, answer.json()["id"].as_str().unwrap().to_owned())
}

async fn save(client: &Client, mut answers: Value) -> Answer {
    answers["applicationType"] = "ba".into();
    client.post("/api/users/application").json(&answers).send().await
}

async fn submit(client: &Client) -> Answer {
    client.post("/api/users/application/submit").json(&json!({"declaration": true})).send().await
}

/// The newest mail to the applicant, as shown in the product.
async fn last_message(client: &Client) -> Value {
    let list = client.get("/api/users/messages").send().await.json();
    let id = list["messages"][0]["id"].as_str().unwrap().to_owned();
    client.get(&format!("/api/users/messages/{id}")).send().await.json()
}

fn text(message: &Value) -> &str {
    message["text"].as_str().unwrap()
}

fn asking(sections: Value, due_on: &str) -> ChangesRequest {
    let asked = json!({"sections": sections, "message": "Please add your <employer>.", "dueOn": due_on});
    ChangesRequest::parse(&Input::from(asked)).unwrap()
}

async fn request(world: &World, staff: &Staff, id: &str) -> Application {
    let asked = asking(json!(["employment", "education"]), "2026-05-20");
    world.app.request_changes(staff, ApplicationKey::Id(id), asked, Preconditions::default()).await.unwrap()
}

story! {
    async fn only_named_sections_open_until_it_is_submitted_again(database: Database) {
        let world = World::start(database.db()).await;
        let (client, staff, id) = submitted(&world).await;
        let viewer = world.app.create_staff("viewer@example.org", PASSWORD, Role::Viewer).await.unwrap();
        let ask = async |staff: &Staff, due_on: &str| {
            let asked = asking(json!(["employment"]), due_on);
            world.app.request_changes(staff, ApplicationKey::Id(&id), asked, Preconditions::default()).await
        };
        assert!(ask(&viewer, "2026-05-20").await.is_err(), "viewers only read");
        assert!(ask(&staff, "2026-05-04").await.is_err(), "today is too late");
        let application = request(&world, &staff, &id).await;
        assert_eq!(application.stage, Stage::Changes);
        let mail = last_message(&client).await;
        assert!(text(&mail).contains("Please add your <employer>.") && text(&mail).contains("Wednesday, May 20, 2026"), "{mail}");

        // The other sections stay as submitted, whoever tries to change them.
        for closed in [
            json!({"personalInfo": {"state": "TX"}}),
            json!({"employment": {"isSeeingCoachingClients": true}, "creditTransfer": {"selectedPrograms": ["jst"]}}),
        ] {
            let refused = save(&client, closed).await;
            assert_eq!((refused.status, refused.code().as_str()), (409, "application.section_closed"), "{refused:?}");
        }
        let employed = json!({"employment": {"isCurrentlyEmployed": true, "currentEmployer":
            {"name": "Demo Works", "jobTitle": "Coach", "hoursPerWeek": 40, "yearsInRole": "<1"}}});
        for _ in 0..2 {
            assert_eq!(save(&client, employed.clone()).await.status, 200);
        }
        assert_eq!(save(&client, json!({"personalInfo": {"state": "TX"}})).await.status, 409, "after a save too");

        let again = submit(&client).await.json();
        assert_eq!((&again["stage"], &again["data"]["employment"]["isCurrentlyEmployed"]), (&json!("submitted"), &json!(true)));
        assert_eq!(database.count("snapshots").await, 2);
        assert_eq!(save(&client, employed).await.code(), "application.submitted");
        assert_eq!(last_message(&client).await["subject"], "We have your changes");
    }

    async fn a_request_taken_back_leaves_what_was_submitted(database: Database) {
        let world = World::start(database.db()).await;
        let (client, staff, id) = submitted(&world).await;
        request(&world, &staff, &id).await;
        save(&client, json!({"education": {"hasMasters": true}})).await;
        let dropped = world.app.drop_changes(&staff, ApplicationKey::Id(&id), Preconditions::default()).await.unwrap();
        assert_eq!((dropped.stage, dropped.answers.data().education.has_masters), (Stage::Submitted, false));
        assert!(world.app.change_request(&dropped).await.unwrap().is_none());
        // And changes can be requested again.
        assert_eq!(request(&world, &staff, &id).await.stage, Stage::Changes);
    }

    async fn the_pages_show_what_is_asked_and_open_no_other_section(database: Database) {
        let world = World::start(database.db()).await;
        let (client, staff, id) = submitted(&world).await;
        request(&world, &staff, &id).await;
        let see = async |path: &str| client.get(path).with_cookie(&client).send().await;
        let list = see("/bachelor/application").await;
        assert!(list.text.contains("Please add your &lt;employer&gt;.") && list.text.contains("May\u{a0}20"), "{list:?}");
        assert!(list.text.contains("/application/employment") && !list.text.contains("/application/about-you"));
        let closed = see("/bachelor/application/about-you").await;
        assert_eq!((closed.status, closed.header("location")), (302, "/bachelor/application"));
        assert_eq!(see("/bachelor/application/employment").await.status, 200);
        let post = async |path: &str, fields: &[(&str, &str)]| client.post(path).form(fields).with_cookie(&client).send().await;
        let refused = post("/bachelor/application/about-you", &[("personalInfo.isUSCitizen", "yes")]).await;
        assert_eq!(refused.status, 409);
        let next = post("/bachelor/application/education", &[("education.hasMasters", "no")]).await;
        assert_eq!(next.header("location"), "/bachelor/application/employment");
        let next = post("/bachelor/application/employment", &[("employment.isSeeingCoachingClients", "yes")]).await;
        assert_eq!(next.header("location"), "/bachelor/application/check");
        let check = see("/bachelor/application/check").await;
        assert!(check.text.contains("/application/employment?from=check") && !check.text.contains("/about-you?from=check"));
        let revision = see("/bachelor/application/check").await;
        let (_, rest) = revision.text.split_once("name=\"revision\" value=\"").unwrap();
        let revision = rest.split('"').next().unwrap();
        let sent = post("/bachelor/application/check", &[("revision", revision), ("key", "again"), ("declaration", "yes")]).await;
        assert_eq!(sent.header("location"), "/thankyou");
    }
}
