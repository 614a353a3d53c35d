//! Invalid saves of an application.

use serde_json::{Value, json};

use super::cases;
use crate::support::databases::story;
use crate::support::server::{Answer, Client, World, complete_answers};

const PATH: &str = "/api/users/application";

async fn save(client: &Client, body: Value) -> Answer {
    client.post(PATH).json(&body).send().await
}

/// Saves one section of a bachelor's application.
async fn section(client: &Client, name: &str, answers: Value) -> Answer {
    save(client, json!({ "applicationType": "ba", name: answers })).await
}

/// Sends the inputs of one row and returns the answers.
async fn answers(id: &str, world: &World) -> Vec<Answer> {
    let client = world.register().await;
    match id {
        "APP-02" => vec![save(&client, json!({ "personalInfo": { "isUSCitizen": true } })).await],
        "APP-04" => {
            assert_eq!(save(&client, json!({ "applicationType": "ba" })).await.status, 200);
            vec![save(&client, json!({ "applicationType": "msc" })).await]
        }
        "APP-06" => {
            let other = world.register().await.user["id"].clone();
            let by_id = save(&client, json!({ "applicationType": "ba", "id": other })).await;
            by_id.assert_problem(422, "field.unknown");
            vec![save(&client, json!({ "applicationType": "ba", "userId": other })).await]
        }
        "APP-08" => {
            let mut answers = Vec::new();
            for value in [json!("yes"), json!(1), Value::Null] {
                answers.push(section(&client, "personalInfo", json!({ "isUSCitizen": value })).await);
            }
            answers
        }
        "APP-10" => vec![section(&client, "education", json!({ "country": "XX" })).await],
        "APP-12" => {
            let kept = section(&client, "education", json!({ "hasMasters": true, "mastersCountry": "DE" })).await;
            assert_eq!(kept.json()["data"]["education"]["mastersCountry"], "DE");
            let dropped = section(&client, "education", json!({ "hasMasters": false, "mastersCountry": "FR" })).await;
            assert_eq!(dropped.json()["data"]["education"]["mastersCountry"], "US");
            let asked_again = section(&client, "education", json!({ "hasMasters": true })).await;
            assert_eq!(asked_again.json()["data"]["education"]["mastersCountry"], "US");
            vec![kept, dropped, asked_again]
        }
        "APP-14" => {
            let current = json!({ "currentEmployer": { "hoursPerWeek": -1 } });
            vec![section(&client, "employment", current).await]
        }
        "APP-16" => {
            let mut answers = Vec::new();
            for written in ["1e400", "\"40\"", "40.5", "NaN"] {
                let body = format!(
                    r#"{{"applicationType":"ba","employment":{{"currentEmployer":{{"hoursPerWeek":{written}}}}}}}"#
                );
                answers.push(client.post(PATH).raw("application/json", body).send().await);
            }
            answers
        }
        "APP-18" => {
            let mut answers = complete_answers();
            answers["employment"]["hasPreviousEmployment"] = true.into();
            answers["employment"]["previousEmployers"] = json!([]);
            assert_eq!(save(&client, answers).await.status, 200);
            vec![client.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await]
        }
        "APP-20" => vec![section(&client, "financialPlan", json!({ "selectedPayments": ["bitcoin"] })).await],
        "APP-22" => {
            let contribution = json!({ "selfPayContribution": { "upFrontContribution": -5 } });
            vec![section(&client, "financialPlan", contribution).await]
        }
        "APP-24" => vec![section(&client, "creditTransfer", json!({ "selectedPrograms": {} })).await],
        "APP-26" => {
            // In a job title it is text like any other.
            let title = section(&client, "employment", json!({ "currentEmployer": { "jobTitle": "__proto__" } })).await;
            assert_eq!(title.json()["data"]["employment"]["currentEmployer"]["jobTitle"], "__proto__");
            let polluted = json!({ "__proto__": { "isAdmin": true } });
            vec![
                section(&client, "__proto__", json!({ "isAdmin": true })).await,
                section(&client, "employment", polluted.clone()).await,
                section(&client, "employment", json!({ "currentEmployer": polluted })).await,
            ]
        }
        "APP-28" => {
            let first = save(&client, json!({ "applicationType": "ba" })).await;
            let in_tab = async |state: &str| {
                let body = json!({ "applicationType": "ba", "personalInfo": { "state": state } });
                client.post(PATH).header("if-match", first.header("etag")).json(&body).send().await
            };
            let saved = in_tab("TX").await;
            assert_eq!(saved.status, 200, "{saved:?}");
            let stale = in_tab("CA").await;
            assert_eq!(stale.json()["current"], saved.json());
            assert_eq!(client.get(PATH).send().await.json(), saved.json());
            vec![stale]
        }
        // The last row: nothing works after it.
        "APP-30" => {
            let saved = section(&client, "personalInfo", json!({ "state": "TX" })).await;
            world.stop_database().await;
            let refused = section(&client, "personalInfo", json!({ "state": "CA" })).await;
            assert_eq!(refused.header("retry-after"), "60");
            assert_eq!(saved.status, 200);
            vec![refused]
        }
        _ => panic!("{id} is neither executed nor waiting"),
    }
}

story! {
    async fn bad_inputs(database: Database) {
        let world = World::start(database.db()).await;
        for case in cases::of("application-save") {
            for answer in answers(&case.id, &world).await {
                case.check(&answer);
            }
        }
    }
}
