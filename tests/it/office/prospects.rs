//! Prospects in the office: the list, how it is searched and paged, its file, and deleting one.

use std::collections::BTreeSet;

use matricula::domain::moments::{DAY, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::inquiries::prospect;
use crate::support::databases::{Database, story};
use crate::support::server::{Client, World, complete_answers, registration};

const CALL: &str = "/api/admins/prospects";
const PAGE: &str = "/admin-panel/prospects";

/// What the call lists for a query.
async fn listed(member: &StaffClient, query: &str) -> Value {
    let answer = member.api("GET", &format!("{CALL}?{query}")).send().await;
    assert_eq!(answer.status, 200, "{query}: {answer:?}");
    answer.json()
}

fn emails(list: &Value) -> Vec<String> {
    list["prospects"].as_array().unwrap().iter().map(|row| row["email"].as_str().unwrap().to_owned()).collect()
}

/// Somebody who has asked, and not confirmed it.
async fn waiting(world: &World, program: &str, first_name: &str) -> Client {
    let client = world.visitor();
    let fields = [("email", client.email.as_str()), ("firstName", first_name), ("openings", "yes"), ("consent", "yes")];
    let sent = client.post(&format!("/{program}/inquire")).form(&fields).send().await;
    assert_eq!(sent.status, 303, "{sent:?}");
    client
}

/// Prospects without mails, as if imported: `count` of them, one a minute.
async fn many(world: &World, database: &Database, count: i64) {
    let now = world.app.clock.now();
    let rows: Vec<String> = (0..count)
        .map(|number| {
            let at = now - number * MINUTE;
            format!(
                "('p{number:04}', 'many-{number:04}@example.org', 'many-{number:04}@example.org', 'many', 'Many', 'ba', 1, 0, 'en', \
                 '', 'ba', 0, 0, 'en', 'c{number:04}', 0, 'u{number:04}', '2026-08', {at}, {at}, {at})"
            )
        })
        .collect();
    let sql = format!(
        "INSERT INTO prospects (id, email, email_key, name_key, first_name, program, wants_openings, wants_brochure, language, \
         asked_first_name, asked_program, asked_openings, asked_brochure, asked_language, confirm_digest, confirm_until, \
         unsubscribe_token, known_intake, created_at, confirmed_at, last_act_at) VALUES {}",
        rows.join(", ")
    );
    database.run(&sql).await.unwrap();
}

story! {
    async fn who_asked_is_listed_newest_first_and_found(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let empty = listed(&reviewer, "").await;
        assert_eq!((emails(&empty), &empty["next"]), (vec![], &Value::Null));
        let page = reviewer.see(PAGE).send().await;
        page.assert_document(200, "adminProspects");

        let confirmed = prospect(&world, &["openings"]).await;
        world.clock.advance(MINUTE);
        let reader = prospect(&world, &["brochure"]).await;
        world.clock.advance(MINUTE);
        let asked = waiting(&world, "masters", "Zoë").await;
        world.clock.advance(MINUTE);
        let became = prospect(&world, &["openings", "brochure"]).await;
        let mut body = registration(&became.email);
        body["applicationType"] = json!("ba");
        let mut applicant = became.clone();
        let entered = applicant.post("/api/users/register").json(&body).send().await;
        applicant.enter(&entered);

        let all = listed(&reviewer, "").await;
        assert_eq!(emails(&all), [&became, &asked, &reader, &confirmed].map(|client| client.email.clone()));
        assert!(!all.to_string().contains("oken"), "no secret is shown: {all}");
        for (query, found) in [
            ("program=msc".to_owned(), vec![&asked]),
            ("program=ba".into(), vec![&became, &reader, &confirmed]),
            ("wants=openings".into(), vec![&became, &asked, &confirmed]),
            ("wants=brochure".into(), vec![&became, &reader]),
            ("state=waiting".into(), vec![&asked]),
            ("state=applicant".into(), vec![&became]),
            ("state=confirmed&wants=brochure".into(), vec![&reader]),
            (format!("search={}", reader.email.to_uppercase()), vec![&reader]),
            (format!("search={}", &reader.email[..reader.email.len() - 4]), vec![&reader]),
            ("search=zo%C3%AB".into(), vec![&asked]),
            ("search=demo".into(), vec![&became, &reader, &confirmed]),
            // What a search means to the database is nothing.
            ("search=%25".into(), vec![]),
            ("search=_emo".into(), vec![]),
            ("search=emo".into(), vec![]),
            ("search=%27%20OR%201%3D1".into(), vec![]),
        ] {
            let list = listed(&reviewer, &query).await;
            assert_eq!(emails(&list), found.iter().map(|client| client.email.clone()).collect::<Vec<_>>(), "{query}");
        }
        let counts = &all["counts"];
        assert_eq!(counts, &json!({ "thisWeek": 4, "waiting": 1, "confirmed": 2, "applicants": 1 }));
        world.clock.advance(8 * DAY);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert_eq!(listed(&reviewer, "").await["counts"]["thisWeek"], 0);
        for wrong in ["program=phd", "state=gone", "wants=money", "after=nonsense"] {
            let answer = reviewer.api("GET", &format!("{CALL}?{wrong}")).send().await;
            assert!(matches!(answer.status, 400 | 422), "{wrong}: {answer:?}");
            let page = reviewer.see(&format!("{PAGE}?{wrong}")).send().await;
            assert!((200..500).contains(&page.status), "{wrong}: {page:?}");
        }

        // The page shows the same, with a link to the application once the office can open it.
        let row = async || {
            let page = reviewer.see(&format!("{PAGE}?state=applicant")).send().await.assert_document(200, "adminProspects");
            page["props"]["rows"][0].clone()
        };
        let application = database.texts("SELECT id FROM applications").await.remove(0);
        assert_eq!(listed(&reviewer, "state=applicant").await["prospects"][0]["applicationId"], application.as_str());
        assert_eq!((&row().await["stateText"], &row().await["applicationHref"]), (&json!("Became an applicant"), &Value::Null));
        let applicant = applicant.log_in().await;
        let saved = applicant.post("/api/users/application").json(&complete_answers()).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let submitted = applicant.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;
        assert_eq!(submitted.status, 200, "{submitted:?}");
        let href = row().await["applicationHref"].as_str().unwrap().to_owned();
        assert_eq!(href, format!("/admin-panel/applications/{application}"));
        assert_eq!(reviewer.see(&href).send().await.status, 200);
        let page = reviewer.see(PAGE).send().await;
        for client in [&became, &asked, &reader, &confirmed] {
            assert!(page.text.contains(&client.email), "{page:?}");
        }
    }

    async fn pages_of_fifty_show_everybody_once(database: Database) {
        let world = World::start(database.db()).await;
        many(&world, &database, 123).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (mut seen, mut sizes, mut query) = (Vec::new(), Vec::new(), String::new());
        loop {
            let list = listed(&reviewer, &query).await;
            sizes.push(emails(&list).len());
            seen.extend(emails(&list));
            let Some(next) = list["next"].as_str() else { break };
            query = format!("after={next}");
            // Somebody new does not push anybody onto the next page a second time.
            waiting(&world, "bachelor", "New").await;
        }
        assert_eq!(sizes, [50, 50, 23]);
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 123);
        assert!(seen.is_sorted(), "newest first");
        let page = reviewer.see(PAGE).header("accept", "application/json").send().await.json();
        assert_eq!(page["props"]["rows"].as_array().unwrap().len(), 50);
        let next = page["props"]["nextHref"].as_str().expect("there are more").to_owned();
        let next = reviewer.see(&next).header("accept", "application/json").send().await.json();
        assert_eq!(next["props"]["rows"].as_array().unwrap().len(), 50);
        // Where many have the same moment, nobody is left out either.
        database.run("UPDATE prospects SET created_at = 1777896000000").await.unwrap();
        let (mut seen, mut query) = (BTreeSet::new(), "search=many".to_owned());
        loop {
            let list = listed(&reviewer, &query).await;
            seen.extend(emails(&list));
            let Some(next) = list["next"].as_str() else { break };
            query = format!("search=many&after={next}");
        }
        assert_eq!(seen.len(), 123);
    }

    async fn one_is_deleted_and_the_record_has_no_address(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (gone, stays) = (prospect(&world, &["openings"]).await, prospect(&world, &["openings"]).await);
        let id = listed(&reviewer, &format!("search={}", gone.email)).await["prospects"][0]["id"].as_str().unwrap().to_owned();
        let deleted = reviewer.api("DELETE", &format!("{CALL}/{id}")).send().await;
        assert_eq!(deleted.status, 204, "{deleted:?}");
        assert_eq!(emails(&listed(&reviewer, "").await), [stays.email.as_str()]);
        let again = reviewer.api("DELETE", &format!("{CALL}/{id}")).send().await;
        assert_eq!(again.status, 404, "{again:?}");
        let record = database.texts("SELECT actor || ' ' || subject || ' ' || detail FROM audit WHERE action = 'prospect.deleted'").await;
        assert!(record.len() == 1 && record[0].starts_with(&format!("staff:{}", reviewer.staff.id)) && record[0].contains(&format!("prospect:{id}")), "{record:?}");
        assert!(!record[0].contains('@'), "{record:?}");
        // By the form on the page.
        let id = listed(&reviewer, "").await["prospects"][0]["id"].as_str().unwrap().to_owned();
        let sent = reviewer.send(PAGE, &[("_action", "delete"), ("id", &id)]).send().await;
        assert_eq!(sent.status, 303, "{sent:?}");
        assert_eq!(database.count("prospects").await, 0);
        let once_more = reviewer.send(PAGE, &[("_action", "delete"), ("id", &id)]).send().await;
        assert!((400..500).contains(&once_more.status), "{once_more:?}");
    }

    async fn the_list_is_saved_as_csv_by_who_may(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let client = prospect(&world, &["openings"]).await;
        let formula = waiting(&world, "masters", "=Demo").await;
        many(&world, &database, 60).await;
        let file = reviewer.see(&format!("{PAGE}.csv?program=ba")).send().await;
        assert_eq!(file.status, 200, "{file:?}");
        assert_eq!(file.header("content-disposition"), "attachment; filename=\"prospects.csv\"");
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines.len(), 62, "all pages, and the filter counts: {:?}", &lines[..3]);
        assert!(lines.iter().any(|line| line.contains(&client.email)) && !file.text.contains(&formula.email), "{:?}", &lines[..3]);
        let other = reviewer.see(&format!("{PAGE}.csv?program=msc")).send().await;
        assert!(other.text.contains("'=Demo"), "a name is no formula: {}", other.text);
        let tokens = database.texts("SELECT unsubscribe_token FROM prospects").await;
        assert!(tokens.iter().all(|token| !file.text.contains(token)), "no secret is in it");
        let exports = database.texts("SELECT detail FROM audit WHERE action = 'prospects.exported'").await;
        assert_eq!(exports.len(), 2, "{exports:?}");
        world.clock.advance(6 * MINUTE);
        let asked = reviewer.see(&format!("{PAGE}.csv")).send().await;
        assert_eq!(asked.status, 302, "{asked:?}");
        assert!(asked.header("location").starts_with("/admin-panel/step-up"), "{asked:?}");
    }

    async fn the_roles_of_the_table_see_them_and_no_others(database: Database) {
        let world = World::start(database.db()).await;
        let client = prospect(&world, &["openings"]).await;
        let id = database.texts("SELECT id FROM prospects").await.remove(0);
        for role in Role::ALL {
            let member = staff_client(&world, role).await;
            let may = matches!(role, Role::Reviewer | Role::Decider | Role::Owner);
            let page = member.see(PAGE).send().await;
            assert_eq!((page.status, page.text.contains(&client.email)), if may { (200, true) } else { (403, false) }, "{role:?}");
            let menu = member.see("/admin-panel/account").send().await.page()["shared"]["office"]["menu"].to_string();
            assert_eq!(menu.contains(PAGE), may, "{role:?}: {menu}");
            let (list, file) = (member.api("GET", CALL).send().await, member.see(&format!("{PAGE}.csv")).send().await);
            if may {
                assert_eq!((list.status, file.status), (200, 200), "{role:?}");
            } else {
                list.assert_problem(403, "role.forbidden");
                assert_eq!(file.status, 403, "{role:?}");
                member.api("DELETE", &format!("{CALL}/{id}")).send().await.assert_problem(403, "role.forbidden");
                assert_eq!(member.send(PAGE, &[("_action", "delete"), ("id", &id)]).send().await.status, 403, "{role:?}");
            }
        }
        assert_eq!(database.count("prospects").await, 1);
        // Nor does anybody else.
        let stranger = world.register().await;
        stranger.get(CALL).send().await.assert_problem(401, "token.audience");
        world.visitor().get(CALL).send().await.assert_problem(401, "auth.required");
    }
}
