//! A Viewer sees applications without learning whose they are, on every page and in every call.

use matricula::domain::moments::HOUR;
use matricula::domain::permission::{Access, Standing};
use matricula::domain::role::Role;
use matricula::http::admins;
use matricula::pages::admin::table;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::api::documents;
use crate::support::databases::{Database, story};
use crate::support::files::pdf;
use crate::support::server::{Client, World, complete_answers, registration};

/// Part of everything that somebody typed.
const MARK: &str = "Zzmark";

/// An applicant whose every word has the mark, with an offer that has a condition.
async fn marked(world: &World, database: &Database, owner: &StaffClient) -> (Client, String) {
    let mut client = world.visitor();
    client.email = format!("{MARK}.person@example.com").to_lowercase();
    let mut body = registration(&client.email);
    (body["firstName"], body["lastName"]) = (json!(format!("{MARK}first")), json!(format!("{MARK}last")));
    let registered = client.post("/api/users/register").json(&body).send().await;
    assert_eq!(registered.status, 201, "{registered:?}");
    client.enter(&registered);
    database.run("UPDATE applicants SET email_confirmed_at = created_at").await.unwrap();
    let mut answers = complete_answers();
    answers["employment"] = json!({
        "isSeeingCoachingClients": false, "isCurrentlyEmployed": true, "hasPreviousEmployment": true,
        "currentEmployer": { "name": format!("{MARK} Inc"), "jobTitle": MARK, "hoursPerWeek": 40, "yearsInRole": "<1" },
        "previousEmployers": [{ "name": format!("{MARK} Ltd"), "jobTitle": MARK, "hoursPerWeek": 8, "yearsInRole": "<1" }],
    });
    let saved = client.post("/api/users/application").json(&answers).send().await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let submitted = client.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;
    assert_eq!(submitted.status, 200, "{submitted:?}");
    let id = submitted.json()["id"].as_str().unwrap().to_owned();
    let sent = documents::send(&client, "identity", &format!("{MARK}.pdf"), &pdf(2000)).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    let path = |more: &str| format!("/api/admins/applications/{id}/{more}");
    let post = async |more: &str, body: Value| {
        let answer = owner.api("POST", &path(more)).json(&body).send().await;
        assert!(answer.status < 300, "{more} {answer:?}");
        answer
    };
    post("notes", json!({ "note": MARK })).await;
    let draft = json!({ "outcome": "accept", "letter": "offer", "withoutDocuments": "Seen on paper", "conditions": [MARK], "waiver": MARK });
    let draft = post("decision", draft).await.json();
    post("decision/release", json!({ "decision": draft["draft"]["id"] })).await;
    (client, id)
}

story! {
    async fn nothing_tells_a_viewer_who_somebody_is(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let (_, id) = marked(&world, &database, &owner).await;
        let view = json!({ "name": MARK, "query": format!("tab=all&q={MARK}"), "shared": true });
        let saved = owner.api("POST", "/api/admins/views").json(&view).send().await;
        assert!(saved.status < 300, "{saved:?}");
        world.clock.advance(HOUR / 2);
        world.work().await;

        let viewer = staff_client(&world, Role::Viewer).await;
        let standing = Standing { role: Role::Viewer, idle: false, lacks_second_factor: false, stepped_up: true, by_key: false };
        let pages = table::routes().iter().filter(|route| route.method == "GET" && route.gate.admit(&standing).is_ok());
        let calls = admins::calls().into_iter().filter(|call| call.method == "GET" && call.gate.admit(&standing).is_ok());
        let paths: Vec<String> = pages
            .filter(|route| route.gate.access != Access::Open)
            .map(|route| route.path.to_owned())
            .chain(calls.filter(|call| call.gate.access != Access::Open).map(|call| format!("/api/admins{}", call.path)))
            .filter(|path| !path.contains('{') || path.contains("/applications/{id}"))
            .map(|path| path.replace("{id}", &id))
            .collect();
        assert!(paths.len() > 20, "{paths:?}");
        for path in paths {
            for query in ["", "?tab=all&sort=name", "?tab=all&column=phone&column=citizen"] {
                let path = format!("{path}{query}");
                let answer = match path.starts_with("/api/") {
                    true => viewer.api("GET", &path).send().await,
                    false => viewer.see(&path).send().await,
                };
                if query.is_empty() {
                    // There is something to check; Work redirects a Viewer to the list.
                    assert!(matches!(answer.status, 200 | 302), "{path}: {answer:?}");
                }
                assert!(!answer.text.to_lowercase().contains(&MARK.to_lowercase()), "{path}: {}", answer.text);
                assert!(!answer.text.contains("5550100199"), "{path}: {}", answer.text);
            }
        }
        // This is not because there is nothing to see.
        let seen = viewer.see(&format!("/admin-panel/applications/{id}")).send().await;
        assert!(seen.text.contains("Hidden for your role") && seen.text.contains("B26-"), "{seen:?}");
        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert!(reviewer.see(&format!("/admin-panel/applications/{id}")).send().await.text.contains(MARK));

        // Somebody who cannot see a name cannot search for it.
        let count = async |who: &StaffClient, search: &str| {
            let answer = who.api("GET", &format!("/api/admins/applications?tab=all&q={search}")).send().await;
            (answer.status, answer.json()["count"].as_i64())
        };
        assert_eq!(count(&reviewer, MARK).await, (200, Some(1)));
        for search in [MARK, "zzm", "zzmark.person@example.com", "B2"] {
            assert_eq!(count(&viewer, search).await, (422, None), "{search}");
        }
        let listed = viewer.api("GET", "/api/admins/applications?tab=all").send().await.json();
        let row = &listed["applications"][0];
        let reference = row["reference"].as_str().unwrap();
        assert_eq!((&row["firstName"], &row["lastName"], &row["email"]), (&json!(""), &json!(reference), &json!("")));
        assert_eq!(count(&viewer, reference).await, (200, Some(1)));
    }
}
