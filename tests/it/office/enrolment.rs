//! Enrolling by hand, undoing an enrolment, and answering a deferral request, on the page of an application.

use matricula::app::decisions::deferrals::DeferralRequest;
use matricula::domain::input::Input;
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, entered, hired, staff_client};
use crate::decisions::{acceptance, advance, decide, seen, submitted};
use crate::support::databases::{Database, story};
use crate::support::server::{Answer, Client, World};

/// An applicant with a place, and the path of their application's page.
async fn with_a_place(world: &World, conditions: &[&str]) -> (Client, String) {
    let client = submitted(world).await;
    let decider = hired(world, Role::Decider).await;
    decide(world, &client, &decider, acceptance(conditions)).await;
    advance(world, 15 * MINUTE).await;
    let client = client.log_in().await;
    let id = seen(world, &client).await.1.unwrap().id;
    (client, format!("/admin-panel/applications/{id}"))
}

async fn props(member: &StaffClient, path: &str) -> Value {
    member.see(path).send().await.assert_document(200, "adminAct")["props"].clone()
}

async fn acts(member: &StaffClient, path: &str) -> Vec<String> {
    let page = member.see(path).send().await.assert_document(200, "adminApplication");
    let acts = page["props"]["frame"]["acts"].as_array().unwrap().clone();
    acts.iter().map(|act| act["label"].as_str().unwrap().to_owned()).collect()
}

async fn press(member: &StaffClient, path: &str, props: &Value, fields: &[(&str, &str)]) -> Answer {
    let revision = props["frame"]["revision"].to_string();
    let key = props["idempotencyKey"].as_str().unwrap();
    member.send(path, &[&[("revision", revision.as_str()), ("key", key)][..], fields].concat()).send().await
}

async fn stages(database: &Database) -> Vec<String> {
    database.texts("SELECT stage FROM applications").await
}

story! {
    async fn who_may_enrol_does_so_where_nothing_is_missing_and_undoes_it(database: Database) {
        let world = World::start(database.db()).await;
        let (client, path) = with_a_place(&world, &["A diploma"]).await;
        let reply = client.post("/api/users/offer").json(&json!({ "reply": "accept" })).send().await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let finance = staff_client(&world, Role::Finance).await;
        let enrolment = format!("{path}/enrolment");
        // What the contract and the payments require is missing, and staff are told so.
        assert!(!acts(&finance, &path).await.contains(&"Enrol by hand".to_owned()));
        let page = props(&finance, &format!("{enrolment}?act=enrol")).await;
        assert!(page["obstacle"].as_str().unwrap().contains("contract"), "{page}");
        assert!(page["act"]["request"].as_str().unwrap().contains("• A diploma"), "{page}");
        let early = press(&finance, &enrolment, &page, &[("_action", "enrol"), ("reason", "All is here."), ("rechecked", "yes")]).await;
        let early = early.assert_document(409, "adminAct");
        assert_eq!(early["props"]["form"]["values"]["reason"], "All is here.");
        assert_eq!(stages(&database).await, ["confirmed"]);
        let unsaid = press(&finance, &enrolment, &page, &[("_action", "enrol")]).await.assert_document(422, "adminAct");
        assert!(unsaid["props"]["form"]["errors"]["reason"].is_string(), "{unsaid}");
        let elsewhere = format!("{path}/act?act=enrol");
        assert_eq!(staff_client(&world, Role::Owner).await.see(&elsewhere).send().await.status, 404, "each act has the gate of its page");

        database.run("UPDATE applications SET stage = 'enrolled', status = 'enrolled'").await.unwrap();
        let finance = entered(&world, &finance.staff).await;
        assert!(acts(&finance, &path).await.contains(&"Undo the enrolment".to_owned()));
        let page = props(&finance, &format!("{enrolment}?act=unenrol")).await;
        let unsaid = press(&finance, &enrolment, &page, &[("_action", "unenrol"), ("reason", " ")]).await.assert_document(422, "adminAct");
        assert!(unsaid["props"]["form"]["errors"]["reason"].is_string(), "{unsaid}");
        for _ in 0..2 {
            let undone = press(&finance, &enrolment, &page, &[("_action", "unenrol"), ("reason", "The payment was returned.")]).await;
            undone.assert_redirect(303, &format!("{path}?done=unenrol"));
        }
        assert_eq!(stages(&database).await, ["confirmed"]);
        assert_eq!(database.texts("SELECT reason FROM stage_changes WHERE act = 'unenrol'").await, ["The payment was returned."]);
        assert_eq!(database.count("audit WHERE detail LIKE '%returned%'").await, 0, "the record has no words of anybody");
        for role in [Role::Viewer, Role::Interviewer, Role::Reviewer] {
            let other = staff_client(&world, role).await;
            assert_eq!(other.see(&format!("{enrolment}?act=unenrol")).send().await.status, 403);
            assert_eq!(press(&other, &enrolment, &page, &[("_action", "unenrol"), ("reason", "No.")]).await.status, 403);
        }
    }

    async fn a_wish_for_a_later_start_is_granted_or_refused(database: Database) {
        let world = World::start(database.db()).await;
        let (client, path) = with_a_place(&world, &[]).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let wish = async |intake: &str| {
            let (who, application) = seen(&world, &client).await;
            let wish = DeferralRequest::parse(&Input::from(json!({ "intake": intake, "reason": "A deployment" }))).unwrap();
            world.app.ask_deferral(&who, application, wish).await.unwrap();
        };
        assert!(acts(&reviewer, &path).await.contains(&"Defer to a later intake".to_owned()));
        let act = format!("{path}/act");
        let nothing = props(&reviewer, &format!("{act}?act=defer")).await;
        assert_eq!(nothing["act"]["wish"], Value::Null);
        wish("2027-01").await;
        assert!(acts(&reviewer, &path).await.contains(&"Answer the wish to start later".to_owned()));
        let page = props(&reviewer, &format!("{act}?act=defer")).await;
        let wished = &page["act"]["wish"];
        assert_eq!((&wished["intake"], &wished["reason"]), (&json!("2027-01"), &json!("A deployment")));
        let id = wished["id"].as_str().unwrap();
        let refuse = async |page: &Value, id: &str, reason: &str| {
            press(&reviewer, &act, page, &[("_action", "refuse_wish"), ("wish", id), ("reason", reason)]).await
        };
        let unsaid = refuse(&page, id, "").await.assert_document(422, "adminAct");
        assert!(unsaid["props"]["form"]["errors"]["reason"].is_string(), "{unsaid}");
        // A request that has not been seen cannot be answered.
        wish("2027-08").await;
        let late = refuse(&page, id, "That intake is full.").await.assert_document(412, "adminAct");
        assert_eq!((&late["props"]["form"]["values"]["reason"], &late["props"]["act"]["wish"]["intake"]), (&json!("That intake is full."), &json!("2027-08")));
        let id = late["props"]["act"]["wish"]["id"].as_str().unwrap();
        refuse(&page, id, "That intake is full.").await.assert_redirect(303, &format!("{path}?done=refuse_wish"));
        assert_eq!(database.count("outbox WHERE template = 'deferral-refused'").await, 1);
        assert!(acts(&reviewer, &path).await.contains(&"Defer to a later intake".to_owned()), "it is answered");

        wish("2027-01").await;
        let page = props(&reviewer, &format!("{act}?act=defer")).await;
        let granted = press(&reviewer, &act, &page, &[("_action", "defer"), ("intake", "2027-01")]).await;
        granted.assert_redirect(303, &format!("{path}?done=defer"));
        assert_eq!(stages(&database).await, ["deferred"]);
        let gone = refuse(&page, id, "Too late.").await;
        assert_eq!(gone.status, 404, "{gone:?}");
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(press(&viewer, &act, &page, &[("_action", "refuse_wish"), ("wish", id), ("reason", "No.")]).await.status, 403);
    }
}
