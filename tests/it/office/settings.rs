//! Settings for Owners: versions, restoring, and how soon changes take effect everywhere.

use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use matricula::store::NewJob;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::rows::at_once;
use crate::support::server::World;

pub const PATH: &str = "/admin-panel/settings";

pub async fn props(owner: &StaffClient, name: &str) -> Value {
    owner.see(&format!("{PATH}/{name}")).send().await.assert_document(200, "adminSetting")["props"].clone()
}

/// The fields of the form as shown, with some of them changed.
pub fn typed(props: &Value, changed: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut fields = vec![("version".to_owned(), props["version"].to_string()), ("_action".into(), "save".into())];
    for field in props["fields"].as_array().unwrap() {
        let name = field["name"].as_str().unwrap();
        let value = changed.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        fields.push((name.to_owned(), value.unwrap_or(field["value"].as_str().unwrap()).to_owned()));
    }
    fields
}

pub async fn send(owner: &StaffClient, name: &str, fields: &[(String, String)]) -> crate::support::server::Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    owner.send(&format!("{PATH}/{name}"), &fields).send().await
}

pub async fn save(owner: &StaffClient, name: &str, changed: &[(&str, &str)]) {
    let form = typed(&props(owner, name).await, changed);
    send(owner, name, &form).await.assert_redirect(303, &format!("{PATH}/{name}?done=saved"));
}

pub async fn press(owner: &StaffClient, name: &str, button: &str) -> crate::support::server::Answer {
    let version = props(owner, name).await["version"].to_string();
    send(owner, name, &[("version".into(), version), ("_action".into(), button.to_owned())]).await
}

/// The landing page as a first-time visitor gets it.
async fn landing(world: &World, language: &str) -> String {
    let call = world.visitor().get("/bachelor/apply").header("accept-language", language);
    let answer = call.send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.text
}

story! {
    async fn landing_pages_tell_at_once_what_was_set(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let before = landing(&world, "en").await;
        assert!(before.contains("$24,800"), "{before}");
        let promise = "Learn what you know <already>.";
        save(&owner, "bachelor", &[("price", "$25,500"), ("promise.en", promise), ("needs.en", "One thing\nAnother thing")]).await;
        for _ in 0..2 {
            let after = landing(&world, "en").await;
            assert!(after.contains("$25,500") && after.contains("Another thing") && !after.contains("$24,800"), "{after}");
            assert!(after.contains("Learn what you know &lt;already&gt;.") && !after.contains(promise), "{after}");
        }
        let spanish = landing(&world, "es").await;
        assert!(spanish.contains("$25,500") && !spanish.contains("Learn what you know"), "{spanish}");
        let list = owner.see(PATH).send().await.assert_document(200, "adminSettings");
        let rows = &list["props"]["groups"][0]["rows"];
        assert!(rows[0]["stateText"].as_str().unwrap().ends_with("by Demo Owner"), "{rows}");
        assert_eq!(rows[1]["stateText"], "As the product came");
        // A search finds a field by its label.
        let found = owner.see(&format!("{PATH}?q=working+days")).send().await.assert_document(200, "adminSettings");
        let rows = &found["props"]["groups"][0]["rows"];
        assert_eq!((&rows[0]["title"], rows.as_array().unwrap().len()), (&json!("Work"), 1), "{found}");
        assert!(rows[0]["found"][0].as_str().unwrap().starts_with("Working days"), "{rows}");
        let nothing = owner.see(&format!("{PATH}?q=%3Cb%3E")).send().await.assert_document(200, "adminSettings");
        assert_eq!(nothing["props"]["groups"], json!([]));
        assert_eq!(database.count("audit WHERE action = 'setting.changed'").await, 1);
        let private = database.count("audit WHERE detail LIKE '%Another thing%'").await;
        assert_eq!(private, 0, "the record says which fields were changed");

        // Saving without changes makes no new version.
        save(&owner, "bachelor", &[]).await;
        let now = props(&owner, "bachelor").await;
        assert_eq!(now["version"], 1);
        let changes = now["versions"][0]["changes"].as_array().unwrap();
        assert_eq!(changes[0], json!({ "title": "Price of the whole program", "field": "", "first": "24800", "second": "25500" }));
        assert_eq!(changes.len(), 3);

        // The product's default is restored as a new version, and so is the previous one.
        press(&owner, "bachelor", "restore:0").await.assert_redirect(303, &format!("{PATH}/bachelor?done=restored"));
        assert!(landing(&world, "en").await.contains("$24,800"));
        press(&owner, "bachelor", "restore:1").await.assert_redirect(303, &format!("{PATH}/bachelor?done=restored"));
        assert!(landing(&world, "en").await.contains("$25,500"));
        let now = props(&owner, "bachelor").await;
        let versions: Vec<(&Value, &Value)> =
            now["versions"].as_array().unwrap().iter().map(|it| (&it["version"], &it["restoredFrom"])).collect();
        assert_eq!(versions, [(&json!(3), &json!(1)), (&json!(2), &json!(0)), (&json!(1), &Value::Null), (&json!(0), &Value::Null)]);
        assert_eq!(press(&owner, "bachelor", "restore:9").await.status, 412);
    }

    async fn another_process_tells_it_within_seconds(database: Database) {
        let (one, other) = (World::start(database.db()).await, World::start(database.db()).await);
        assert!(landing(&other, "en").await.contains("$24,800"));
        let owner = staff_client(&one, Role::Owner).await;
        save(&owner, "bachelor", &[("price", "26000")]).await;
        assert!(landing(&one, "en").await.contains("$26,000"));
        other.clock.advance(6_000);
        assert!(landing(&other, "en").await.contains("$26,000"));
    }

    async fn what_cannot_be_is_said_beside_its_field_and_what_was_typed_stays(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let long = "x".repeat(301);
        let form = typed(&props(&owner, "bachelor").await, &[("price", "a lot"), ("promise.es", ""), ("audience.en", &long)]);
        let refused = send(&owner, "bachelor", &form).await.assert_document(422, "adminSetting");
        let errors = &refused["props"]["form"]["errors"];
        assert!(errors["price"].as_str().unwrap().contains("whole dollars"), "{errors}");
        assert!(errors["promise.es"].is_string() && errors["audience.en"].is_string(), "{errors}");
        assert_eq!(refused["props"]["fields"][0]["value"], "a lot");
        assert_eq!(database.count("settings").await, 0);
        for (path, form) in [("bachelor", vec![]), ("bachelor", vec![("version", "x")]), ("bachelor", vec![("version", "0"), ("_action", "extend:2027-01")]), ("deadlines", vec![("version", "0"), ("_action", "restore:x")])] {
            assert_eq!(owner.send(&format!("{PATH}/{path}"), &form).send().await.status, 400, "{form:?}");
        }
        assert_eq!(owner.see(&format!("{PATH}/nothing")).send().await.status, 404);
        world.clock.advance(6 * MINUTE);
        let asked = owner.send(&format!("{PATH}/bachelor"), &[("version", "0"), ("_action", "save")]).send().await;
        asked.assert_document(401, "adminStepUp");
    }

    async fn two_owners_at_once_overwrite_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let (one, other) = (staff_client(&world, Role::Owner).await, staff_client(&world, Role::Owner).await);
        let first = typed(&props(&one, "bachelor").await, &[("price", "25000")]);
        let second = typed(&props(&other, "bachelor").await, &[("price", "26000")]);
        // Sent twice, it is done once.
        for _ in 0..2 {
            assert_eq!(send(&one, "bachelor", &first).await.status, 303);
        }
        let refused = send(&other, "bachelor", &second).await.assert_document(412, "adminSetting");
        let difference = json!({ "title": "Price of the whole program", "field": "", "first": "26000", "second": "25000" });
        assert_eq!(refused["props"]["differences"], json!([difference]));
        assert_eq!((&refused["props"]["version"], &refused["props"]["fields"][0]["value"]), (&json!(1), &json!("26000")));
        let raced = at_once(4, |number| {
            let (one, form) = (one.clone(), typed(&refused["props"], &[("price", &format!("3000{number}"))]));
            async move { send(&one, "bachelor", &form).await.status }
        }).await;
        assert_eq!(raced.iter().filter(|status| **status == 303).count(), 1, "{raced:?}");
        assert!(raced.iter().all(|status| matches!(status, 303 | 412)), "{raced:?}");
        assert_eq!(props(&one, "bachelor").await["version"], 2);
    }

    async fn a_deadline_is_put_off_by_a_week_with_one_click(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let shown = props(&owner, "deadlines").await;
        let code = shown["extend"][0]["value"].as_str().unwrap().to_owned();
        let deadline: jiff::civil::Date = shown["fields"][0]["value"].as_str().unwrap().parse().unwrap();
        let twice = [("version".to_owned(), "0".to_owned()), ("_action".into(), format!("extend:{code}"))];
        for _ in 0..2 {
            send(&owner, "deadlines", &twice).await.assert_redirect(303, &format!("{PATH}/deadlines?done=extended"));
        }
        let later = jiff::ToSpan::days(7);
        let now = props(&owner, "deadlines").await;
        assert_eq!((&now["version"], &now["fields"][0]["value"]), (&json!(1), &json!(deadline.checked_add(later).unwrap().to_string())));
        let page = landing(&world, "en").await;
        let day = deadline.checked_add(later).unwrap();
        assert!(page.contains(&format!("\"applicationDeadline\":\"{day}\"")), "the structured data too: {page}");
        let client = world.register().await;
        assert_eq!(client.post("/api/users/application").json(&json!({ "applicationType": "ba" })).send().await.status, 200);
        let dashboard = client.get("/dashboard").with_cookie(&client).send().await;
        let told = day.strftime("%B\u{a0}%-d").to_string();
        assert!(dashboard.text.contains(&told), "{told}: {}", dashboard.text);
        // Not past the start.
        let mut last = 303;
        for _ in 0..8 {
            last = press(&owner, "deadlines", &format!("extend:{code}")).await.status;
        }
        assert_eq!(last, 422);
        assert_eq!(press(&owner, "deadlines", "extend:1999-01").await.status, 422);
    }

    async fn a_banner_is_told_to_applicants_until_they_put_it_away(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        assert!(!landing(&world, "en").await.contains("The office is closed"));
        save(&owner, "banner", &[("text.en", "The office is closed <on Monday>."), ("text.es", "La oficina cierra el lunes.")]).await;
        assert!(landing(&world, "en").await.contains("The office is closed &lt;on Monday&gt;."));
        assert!(landing(&world, "es").await.contains("La oficina cierra el lunes."));
        let client = world.register().await;
        assert!(client.get("/dashboard").with_cookie(&client).send().await.text.contains("The office is closed"));
        assert!(!owner.see(PATH).send().await.text.contains("The office is closed"), "not on pages of the office");
        let put = world.visitor().post("/banner").form(&[("version", "1"), ("back", "/bachelor/apply")]).send().await;
        put.assert_redirect(303, "/bachelor/apply");
        let cookie = put.header("set-cookie").split(';').next().unwrap().to_owned();
        assert_eq!(cookie, "banner=1");
        let gone = world.visitor().get("/bachelor/apply").header("cookie", &cookie).send().await;
        assert!(!gone.text.contains("The office is closed"));
        assert!(landing(&world, "en").await.contains("The office is closed"), "everybody else still reads it");
        // A changed text is shown again.
        save(&owner, "banner", &[("text.en", "The office is open."), ("text.es", "La oficina abre.")]).await;
        let again = world.visitor().get("/bachelor/apply").header("cookie", &cookie).send().await;
        assert!(again.text.contains("The office is open."));
        for odd in ["", "x", "-1", "99999999999999999999"] {
            let put = world.visitor().post("/banner").form(&[("version", odd), ("back", "//evil.example")]).send().await;
            put.assert_redirect(303, "/");
        }
    }

    async fn mails_and_jobs_that_failed_are_tried_again(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let client = world.register().await;
        assert_eq!(client.post("/api/users/application").json(&json!({ "applicationType": "ba" })).send().await.status, 200);
        let deliveries = async |query: &str| {
            let page = owner.see(&format!("{PATH}/deliveries{query}")).send().await;
            page.assert_document(200, "adminDeliveries")["props"].clone()
        };
        let waiting = deliveries("").await;
        let mail = waiting["mails"][0].clone();
        assert_eq!((&mail["state"], &mail["to"]), (&json!("waiting"), &json!(client.email)), "{waiting}");
        let id = mail["id"].as_str().unwrap();
        let now = world.app.clock.now();
        world.store.claim_mails(9, now, now + MINUTE).await.unwrap();
        world.store.mail_failed(id, "No route to <host>", None).await.unwrap();
        let failed = deliveries("?state=failed").await;
        assert_eq!((&failed["mails"][0]["error"], &failed["mailsFailed"]), (&json!("No route to <host>"), &json!(1)));
        assert_eq!(deliveries("?state=sent").await["mails"], json!([]));
        assert_eq!(deliveries("?state=nonsense").await["mails"].as_array().unwrap().len(), 1);

        let sweep = NewJob {
            id: world.app.random.id(),
            kind: "sweep",
            subject: "sweep".into(),
            detail: json!({}),
            due_at: now,
            plan_key: None,
            created_at: now,
        };
        world.store.plan_jobs(&[sweep]).await.unwrap();
        let job = world.store.claim_jobs(9, now, now + MINUTE).await.unwrap().into_iter().find(|job| job.kind == "sweep").unwrap();
        world.store.job_failed(&job, "Broken", None).await.unwrap();
        let parked = deliveries("").await;
        assert_eq!((&parked["jobs"][0]["parked"], &parked["jobs"][0]["error"]), (&json!(true), &json!("Broken")));
        // Pressed twice, it is retried once.
        for _ in 0..2 {
            for button in [format!("mail:{id}"), format!("job:{}", job.id)] {
                let answer = owner.send(&format!("{PATH}/deliveries"), &[("_action", &button)]).send().await;
                assert_eq!(answer.status, 303, "{answer:?}");
            }
        }
        assert_eq!(database.count("audit WHERE action IN ('mail.retried', 'job.retried')").await, 2);
        assert_eq!(world.store.claim_mails(9, now, now + MINUTE).await.unwrap()[0].id, id);
        assert!(world.store.claim_jobs(9, now, now + MINUTE).await.unwrap().iter().any(|again| again.id == job.id));
        for odd in ["", "mail", "elsewhere:1"] {
            assert_eq!(owner.send(&format!("{PATH}/deliveries"), &[("_action", odd)]).send().await.status, 400, "{odd}");
        }
        owner.send(&format!("{PATH}/deliveries"), &[("_action", "mail:nobody")]).send().await.assert_redirect(303, &format!("{PATH}/deliveries?done=mail"));
        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert_eq!(reviewer.see(&format!("{PATH}/deliveries")).send().await.status, 403);
    }

    async fn the_record_is_searched_by_person_application_act_and_day(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let client = world.submitted().await;
        let search = async |query: &str| {
            let page = owner.see(&format!("{PATH}/audit?{query}")).send().await;
            page.assert_document(200, "adminAudit")["props"]["rows"].as_array().unwrap().clone()
        };
        let acts = |rows: &[Value]| -> Vec<String> {
            rows.iter().map(|row| row["action"].as_str().unwrap().to_owned()).collect()
        };
        let all = search("").await;
        assert!(acts(&all).contains(&"applicant.registered".to_owned()), "{all:?}");
        let reference = client.get("/api/users/application").send().await.json()["reference"].as_str().unwrap().to_owned();
        let of_application = search(&format!("application={}", reference.to_lowercase())).await;
        assert!(!of_application.is_empty() && of_application.iter().all(|row| row["subjectHref"].is_string()));
        let of_person = search(&format!("person={}&action=applicant.", client.email)).await;
        assert_eq!(acts(&of_person), ["applicant.registered"]);
        save(&owner, "banner", &[("text.en", "Hello"), ("text.es", "Hola")]).await;
        let of_owner = search(&format!("person={}&action=setting", owner.staff.email)).await;
        assert_eq!((acts(&of_owner), &of_owner[0]["actor"]), (vec!["setting.changed".to_owned()], &json!("Demo Owner")));
        assert_eq!(search("action=%25").await, Vec::<Value>::new());
        assert_eq!(search("from=2001-01-01&until=2001-01-02").await, Vec::<Value>::new());
        assert!(!search("from=2001-01-01").await.is_empty());
        for (query, field) in [("person=nobody%40example.org", "person"), ("person=%25", "person"), ("application=1%20OR%201%3D1", "application"), ("from=soon", "from"), ("until=2026-02-30", "until")] {
            let refused = owner.see(&format!("{PATH}/audit?{query}")).send().await.assert_document(422, "adminAudit");
            assert!(refused["props"]["form"]["errors"][field].is_string(), "{query}: {refused}");
            assert!(refused["props"]["form"]["values"][field].is_string(), "{query}");
        }
        // Page after page, every line once.
        for _ in 0..60 {
            world.store.note(&crate::support::rows::entry()).await.unwrap();
        }
        let mut seen = Vec::new();
        let mut address = format!("{PATH}/audit");
        loop {
            let props = owner.see(&address).send().await.assert_document(200, "adminAudit")["props"].clone();
            seen.extend(props["rows"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()));
            match props["nextHref"].as_str() {
                Some(next) => address = next.to_owned(),
                None => break,
            }
        }
        let lines = database.count("audit").await;
        assert_eq!(i64::try_from(seen.len()).unwrap(), lines);
        seen.sort();
        seen.dedup();
        assert_eq!(i64::try_from(seen.len()).unwrap(), lines);
        let decider = staff_client(&world, Role::Decider).await;
        assert_eq!(decider.see(&format!("{PATH}/audit")).send().await.status, 403);
    }

    async fn refused_fields_are_counted_and_nothing_that_was_typed(database: Database) {
        let world = World::start(database.db()).await;
        world.app.seed_questions().await.unwrap();
        let owner = staff_client(&world, Role::Owner).await;
        let client = world.register().await;
        let secret = "somebodysname";
        for _ in 0..3 {
            let body = json!({
                "applicationType": "ba",
                "education": { "country": secret },
                "questionnaire": { "answers": { "hoursPerWeek": 200, secret: "x" } },
                secret: 1,
            });
            assert!(matches!(client.post("/api/users/application").json(&body).send().await.status, 400 | 422));
        }
        let body = json!({ "email": secret, secret: 1 });
        assert!(matches!(world.visitor().post("/api/users/register").json(&body).send().await.status, 400 | 422));
        world.app.write_field_errors(true).await.unwrap();
        world.app.write_field_errors(true).await.unwrap();
        let health = async |query: &str| {
            let page = owner.see(&format!("{PATH}/form-health{query}")).send().await;
            page.assert_document(200, "adminFormHealth")["props"].clone()
        };
        let props = health("").await;
        let counted: Vec<(&str, i64)> = props["fields"].as_array().unwrap().iter()
            .map(|it| (it["path"].as_str().unwrap(), it["errors"].as_i64().unwrap())).collect();
        assert!(counted.contains(&("questionnaire.answers.hoursPerWeek", 3)), "{counted:?}");
        assert!(counted.contains(&("education.country", 3)) && counted.contains(&("registration.email", 1)), "{counted:?}");
        assert!(!props.to_string().contains(secret), "{props}");
        assert_eq!(health("?days=7").await["days"], 7);
        assert_eq!(health("?days=8").await["days"], 30);
        // Counts of a day are added up.
        let body = json!({ "applicationType": "ba", "questionnaire": { "answers": { "hoursPerWeek": 200 } } });
        client.post("/api/users/application").json(&body).send().await;
        world.app.write_field_errors(true).await.unwrap();
        assert!(health("").await.to_string().contains("\"errors\":4"));
    }

    async fn mails_say_at_once_what_was_written_and_again_what_the_product_came_with(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let name = "mail-application-received";
        let list = owner.see(&format!("{PATH}/mails")).send().await.assert_document(200, "adminTexts");
        let row = |list: &Value| {
            let mails = list["props"]["texts"].as_array().unwrap().clone();
            mails.into_iter().find(|mail| mail["href"] == format!("{PATH}/{name}")).unwrap()
        };
        assert_eq!(row(&list)["stateText"], "As the product came");
        assert_eq!(list["props"]["texts"].as_array().unwrap().len(), 54);
        let mail_to = async |email: &str| {
            let mails = world.mails(50).await;
            let mail = mails.into_iter().find(|mail| mail.to == email && mail.text.contains("/schedule"));
            mail.map(|mail| (mail.subject, mail.text, mail.html)).unwrap()
        };
        let before = world.submitted().await;
        let (subject, built_in, html) = mail_to(&before.email).await;
        assert_eq!(subject, "We have your application");
        assert!(built_in.contains("\n\nBook your interview:\nhttp"), "{built_in}");
        assert!(html.contains(">Book your interview</a>"), "{html}");

        let text = "Hello {firstName},\r\n\r\n<b>{reference}</b> of {institute}\r\nis here.\r\n\r\nChoose a time: {link}";
        save(&owner, name, &[("subject.en", "{reference} is here"), ("text.en", text)]).await;
        let after = world.submitted().await;
        let reference = after.get("/api/users/application").send().await.json()["reference"].as_str().unwrap().to_owned();
        let (subject, changed, html) = mail_to(&after.email).await;
        assert_eq!(subject, format!("{reference} is here"));
        assert!(changed.contains(&format!("<b>{reference}</b> of ")) && changed.contains("\n\nChoose a time:\nhttp"), "{changed}");
        assert!(html.contains(&format!("<p>&lt;b&gt;{reference}&lt;/b&gt; of ")) && html.contains("<br>is here.</p>"), "{html}");
        assert!(!changed.contains('{') && changed.contains("Admissions, "), "{changed}");
        // It is also the applicant's message.
        let messages = after.get("/dashboard/messages").with_cookie(&after).send().await;
        assert!(messages.text.contains(&format!("{reference} is here")), "{messages:?}");
        let list = owner.see(&format!("{PATH}/mails")).send().await.assert_document(200, "adminTexts");
        assert!(row(&list)["stateText"].as_str().unwrap().ends_with("by Demo Owner"));

        press(&owner, name, "restore:0").await.assert_redirect(303, &format!("{PATH}/{name}?done=restored"));
        let last = world.submitted().await;
        assert_eq!(mail_to(&last.email).await.0, "We have your application");
        press(&owner, name, "restore:1").await.assert_redirect(303, &format!("{PATH}/{name}?done=restored"));
        let again = world.submitted().await;
        assert!(mail_to(&again.email).await.0.ends_with(" is here"));
    }

    async fn a_mail_has_only_what_can_be_filled_in_and_never_tells_a_decision(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let refused = async |name: &str, field: &str, text: &str| {
            for button in ["save", "preview", "test:en"] {
                let mut form = typed(&props(&owner, name).await, &[(field, text)]);
                form[1].1 = button.to_owned();
                let page = send(&owner, name, &form).await.assert_document(422, "adminSetting");
                let props = &page["props"];
                let kept = props["fields"].as_array().unwrap().iter().find(|it| it["name"] == field).unwrap();
                assert_eq!(kept["value"], text, "what was typed stays");
                assert_eq!(props["text"]["previews"], json!([]));
                assert!(props["form"]["errors"][field].is_string(), "{button} {field} {text}: {props}");
            }
            assert_eq!(database.count("settings").await, 0);
        };
        refused("mail-application-received", "text.en", "{reference} {link} {outcome}").await;
        refused("mail-application-received", "text.es", "{reference}").await;
        refused("mail-application-received", "text.en", "{reference} {link").await;
        refused("mail-application-received", "subject.es", " ").await;
        refused("mail-status-update", "text.en", "Congratulations!\n\n{link}").await;
        refused("mail-status-update", "subject.es", "Enhorabuena").await;
        refused("mail-status-update", "text.en", "{decision}: {link}").await;
        assert_eq!(props(&owner, "mail-status-update").await["text"]["confidential"], true);
        assert_eq!(owner.see(&format!("{PATH}/mail-reset-password")).send().await.status, 404);
        let banner = [("version", "0"), ("_action", "test:en")];
        assert_eq!(owner.send(&format!("{PATH}/banner"), &banner).send().await.status, 400);
        for role in [Role::Viewer, Role::Reviewer, Role::Finance] {
            let other = staff_client(&world, role).await;
            assert_eq!(other.see(&format!("{PATH}/mails")).send().await.status, 403);
            let form = [("version", "0"), ("_action", "test:en")];
            assert_eq!(other.send(&format!("{PATH}/mail-status-update"), &form).send().await.status, 403);
        }
        assert_eq!(database.count("outbox WHERE template = 'template-test'").await, 0);
    }

    async fn what_is_typed_is_shown_and_sent_to_oneself_before_it_is_saved(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let name = "mail-interview-booked";
        let mut form = typed(&props(&owner, name).await, &[("subject.es", "Su cita, {firstName}"), ("text.es", "Es: {when}\n\nVerla: {link}")]);
        form[1].1 = "preview".into();
        let shown = send(&owner, name, &form).await.assert_document(200, "adminSetting");
        let spanish = &shown["props"]["text"]["previews"][1];
        assert_eq!(spanish["subject"], json!([{ "text": "Su cita, ", "sample": false }, { "text": "Sample", "sample": true }]));
        assert_eq!(spanish["parts"][1], json!({ "button": true, "runs": [{ "text": "Verla", "sample": false }] }));
        assert_eq!(shown["props"]["fields"][2]["value"], "Su cita, {firstName}");
        form[1].1 = "test:es".into();
        send(&owner, name, &form).await.assert_document(200, "adminSetting");
        let mails = world.mails(9).await;
        let mail = mails.iter().find(|mail| mail.to == owner.staff.email && mail.subject.starts_with("[Test]")).unwrap();
        assert_eq!(mail.subject, "[Test] Su cita, Sample");
        assert!(mail.text.starts_with("This is a test with sample data") && mail.text.contains("12 de mayo"), "{}", mail.text);
        assert_eq!((database.count("settings").await, &props(&owner, name).await["version"]), (0, &json!(0)));
        // A faster colleague's version is shown beside it, and not overwritten unseen.
        save(&staff_client(&world, Role::Owner).await, name, &[("subject.en", "Theirs")]).await;
        form[1].1 = "preview".into();
        let shown = send(&owner, name, &form).await.assert_document(200, "adminSetting");
        let differences = shown["props"]["differences"].to_string();
        assert!(differences.contains("Theirs") && differences.contains("Su cita"), "{differences}");
    }

    async fn an_act_tells_it_in_the_words_that_were_written(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        save(&owner, "mail-application-withdrawn", &[("subject.en", "Changed: {program}"), ("text.en", "{link}")]).await;
        let client = world.submitted().await;
        let withdrawn = client.post("/api/users/application/withdraw").json(&json!({ "reason": "I move." })).send().await;
        assert_eq!(withdrawn.status, 200, "{withdrawn:?}");
        let mails = world.mails(9).await;
        let mail = mails.iter().find(|mail| mail.to == client.email && mail.subject.starts_with("Changed: ")).unwrap();
        assert!(mail.text.starts_with("http"), "{}", mail.text);
    }

    async fn what_was_submitted_is_kept_for_as_long_as_is_set(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let form = typed(&props(&owner, "retention").await, &[("years", "31")]);
        send(&owner, "retention", &form).await.assert_document(422, "adminSetting");
        save(&owner, "retention", &[("years", "3")]).await;
        let client = world.register().await;
        let page = client.get("/dashboard/account/close").with_cookie(&client).send().await.page();
        assert_eq!(page["props"]["retentionYears"], 3);
    }
}
