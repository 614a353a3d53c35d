//! Imports as work that goes on: what is left out, what has changed meanwhile, kills, many rows, and what is kept of them.

use std::time::{Duration, Instant};

use matricula::domain::import::MAX_ROWS;
use matricula::domain::moments::{DAY, HOUR};
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{IMPORTS, Importer, Sheet, codes, counts, email, id_of, numbers};
use crate::support::databases::{Database, story};
use crate::support::ports::free_port;
use crate::support::program::{Program, Running};
use crate::support::rows::{entry, id};
use crate::support::server::{PASSWORD, http_client, registration};

/// Kills during each half of the story about them.
const KILLS: usize = 4;
/// Rows while the program is killed.
const ROWS: usize = 400;

/// An Owner's program that calls a server which dies and comes back.
struct Caller {
    http: reqwest::Client,
    url: String,
    token: String,
}

impl Caller {
    async fn log_in(program: &Program, owner: &Staff) -> Caller {
        let caller =
            Caller { http: http_client(), url: format!("http://127.0.0.1:{}", program.port), token: String::new() };
        let body = json!({ "email": owner.email, "password": PASSWORD });
        let token = caller.call(Method::POST, "/api/admins/login", &body, 200).await["token"].clone();
        Caller { token: token.as_str().unwrap().to_owned(), ..caller }
    }

    async fn call(&self, method: Method, path: &str, body: &Value, status: u16) -> Value {
        let request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        let request = if body.is_null() { request } else { request.json(body) };
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
        answer.json().await.unwrap()
    }

    /// The import, and how many of its rows are in this state.
    async fn look(&self, import: &str, state: &str) -> (Value, i64) {
        let import = self.call(Method::GET, &format!("{IMPORTS}/{import}"), &Value::Null, 200).await;
        let count = import["counts"][state].as_i64().unwrap();
        (import, count)
    }

    /// Waits until no job is working on the import, and kills the server as often as it can meanwhile.
    async fn wait_and_kill(
        &self,
        database: &Database,
        server: &mut Running,
        program: &Program,
        import: &str,
        state: &str,
    ) {
        let (patience, mut kills, mut seen) = (Instant::now(), 0, 0);
        loop {
            assert!(patience.elapsed() < Duration::from_secs(180), "it does not end");
            let (import, count) = self.look(import, state).await;
            if import["progress"].is_null() {
                break;
            }
            // In the middle of it, and with something new since the last time.
            if kills < KILLS && count > seen {
                server.kill();
                // As if the claims of the dead process had expired.
                database.run("UPDATE jobs SET due_at = 0 WHERE state = 'waiting'").await.unwrap();
                *server = Running(program.start());
                (kills, seen) = (kills + 1, count);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(kills > 0, "it was never killed");
    }
}

/// An Owner with a password, in a database that no server runs on yet.
async fn owner(database: &Database) -> Staff {
    let staff = Staff {
        id: id(),
        name: "Demo Owner".into(),
        email: "owner@example.org".into(),
        role: Role::Owner,
        password_hash: crate::office::hash().await.to_owned(),
        code_seed: None,
        passkeys: 0,
        suspended_at: None,
        created_at: 0,
    };
    database.db().create_staff(&staff, &entry()).await.unwrap();
    staff
}

story! {
    async fn rows_with_errors_are_left_out_if_that_is_wanted(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = Sheet::of(3).row(&[("outcome", "perhaps")]).row(&[]);
        let mapping = json!({ "columns": sheet.keys });
        let id = id_of(&importer.upload("Demo", sheet.csv()).await);
        importer.try_start(&id, &json!({})).await.assert_problem(409, "import.state");
        importer.try_undo(&id, &json!({})).await.assert_problem(409, "import.state");
        assert_eq!(importer.try_map(&id, &mapping).await.status, 200);
        // A job is working on it.
        let busy = importer.load(&id).await;
        assert_eq!((&busy["state"], &busy["progress"]), (&json!("checking"), &json!({ "done": 0, "of": 5 })));
        importer.try_start(&id, &json!({})).await.assert_problem(409, "import.state");
        importer.try_map(&id, &mapping).await.assert_problem(409, "import.state");
        importer.settled(&id, "checked").await;

        for body in [json!({}), json!({ "leaveOut": false })] {
            importer.try_start(&id, &body).await.assert_problem(409, "import.rows_wrong");
        }
        assert_eq!(importer.try_start(&id, &json!({ "leaveOut": "yes" })).await.status, 422);
        assert_eq!(database.count("applications").await, 0);
        let started = importer.try_start(&id, &json!({ "leaveOut": true })).await;
        assert_eq!((started.status, &started.json()["progress"]), (202, &json!({ "done": 0, "of": 4 })), "{started:?}");
        let done = importer.settled(&id, "done").await;
        assert_eq!(counts(&done), [("imported", 4), ("wrong", 1)].into());
        assert!(done["startedAt"].is_string() && done["finishedAt"].is_string() && done["undoneAt"].is_null(), "{done}");
        assert_eq!(database.count("applications").await, 4);
        let rows = importer.rows(&id, "all").await;
        let kept: Vec<bool> = rows.iter().map(|row| row["cells"].is_array()).collect();
        assert_eq!(kept, [false, false, false, true, false], "the rest is where the applications are");
        assert!(rows[4]["applicationId"].is_string() && rows[3]["applicationId"].is_null(), "{rows:?}");
        for answer in [importer.try_start(&id, &json!({ "leaveOut": true })).await, importer.try_map(&id, &mapping).await] {
            answer.assert_problem(409, "import.state");
        }
        importer.owner.api("DELETE", &format!("{IMPORTS}/{id}")).send().await.assert_problem(409, "import.state");
    }

    async fn what_has_changed_since_the_check_is_seen(database: Database) {
        let importer = Importer::start(&database).await;
        let first = importer.check(&Sheet::of(3).row(&[("formerReference", "A-1")])).await;
        let second = importer.check(&Sheet::default().row(&[("email", "other@example.com"), ("formerReference", "A-1")])).await;
        assert_eq!((counts(&first), counts(&second)), ([("ready", 4)].into(), [("ready", 1)].into()));
        importer.start_import(&id_of(&second)).await;
        // Somebody registers the address of one of them, and applies. Nobody knows yet whose it is.
        let mut person = registration(&email(3));
        person["applicationType"] = json!("ba");
        let registered = importer.world.visitor().post("/api/users/register").json(&person).send().await;
        assert_eq!(registered.status, 201, "{registered:?}");

        let done = importer.start_import(&id_of(&first)).await;
        assert_eq!(counts(&done), [("imported", 2), ("wrong", 2)].into());
        let wrong = importer.rows(&id_of(&first), "wrong").await;
        assert_eq!(numbers(&wrong), [3, 5]);
        assert_eq!([codes(&wrong[0], false), codes(&wrong[1], false)], [["email.unconfirmed"], ["formerReference.imported"]]);
        assert_eq!((database.count("applicants").await, database.count("applications").await), (4, 4));
    }

    async fn two_imports_at_once_bring_in_nobody_twice(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = (0..60).fold(Sheet::default(), |sheet, at| sheet.row(&[("formerReference", &format!("A-{at}"))]));
        let (first, second) = (importer.check(&sheet).await, importer.check(&sheet).await);
        let (first, second) = (id_of(&first), id_of(&second));
        for id in [&first, &second] {
            assert_eq!(importer.try_start(id, &json!({})).await.status, 202);
        }
        let both = tokio::join!(importer.settled(&first, "done"), importer.settled(&second, "done"));
        assert_eq!((database.count("applicants").await, database.count("applications").await), (60, 60));
        let imported = [both.0, both.1].map(|import| import["counts"]["imported"].as_i64().unwrap());
        assert_eq!(imported.iter().sum::<i64>(), 60, "{imported:?}");
        for id in [&first, &second] {
            for row in importer.rows(id, "wrong").await {
                assert!(!codes(&row, false).is_empty(), "{row}");
            }
        }
    }

    async fn a_kill_loses_no_row_and_repeats_none(database: Database) {
        let folder = TempDir::new().unwrap();
        let program = Program { folder, database: database.url.clone(), port: free_port(), more: Vec::new() };
        let owner = owner(&database).await;
        let mut server = Running(program.start());
        let caller = Caller::log_in(&program, &owner).await;
        let sheet = (0..ROWS).fold(Sheet::default(), |sheet, at| {
            sheet.row(&[("outcome", ["draft", "submitted", "rejected"][at % 3]), ("formerReference", &format!("A-{at}"))])
        });
        let body = json!({ "name": "Demo", "rows": sheet.json(), "tell": true });
        let import = id_of(&caller.call(Method::POST, IMPORTS, &body, 201).await);
        let patience = Instant::now();
        while caller.look(&import, "rows").await.0["state"] != "checked" {
            assert!(patience.elapsed() < Duration::from_secs(60), "it is never checked");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }

        caller.call(Method::POST, &format!("{IMPORTS}/{import}/start"), &json!({}), 202).await;
        caller.wait_and_kill(&database, &mut server, &program, &import, "imported").await;
        let (done, imported) = caller.look(&import, "imported").await;
        assert_eq!((&done["state"], imported), (&json!("done"), ROWS as i64), "{done}");
        let all = ROWS as i64;
        for table in [
            "applicants",
            "applications",
            "stage_changes",
            "imported_applications",
            "audit WHERE action = 'application.imported'",
            "audit WHERE action = 'applicant.imported'",
        ] {
            assert_eq!(database.count(table).await, all, "{table}");
        }
        let told = database.count("outbox WHERE template = 'application-imported'").await;
        assert_eq!(told, all - all / 3, "everybody whose application goes on, once");

        caller.call(Method::POST, &format!("{IMPORTS}/{import}/undo"), &json!({}), 202).await;
        caller.wait_and_kill(&database, &mut server, &program, &import, "undone").await;
        let (undone, count) = caller.look(&import, "undone").await;
        assert_eq!((&undone["state"], count), (&json!("undone"), all), "{undone}");
        for table in ["applicants", "applications", "stage_changes", "imported_applications", "listings", "snapshots"] {
            assert_eq!(database.count(table).await, 0, "{table}");
        }
        assert_eq!(database.count("audit WHERE action = 'application.import_undone'").await, all);
        server.kill();
    }

    async fn as_many_rows_as_there_may_be_are_worked_on(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = (0..MAX_ROWS).fold(Sheet::default(), |sheet, at| {
            sheet.row(&[("outcome", if at % 5 == 0 { "draft" } else { "perhaps" })])
        });
        let checked = importer.check(&sheet).await;
        let (most, right) = (MAX_ROWS as i64, MAX_ROWS as i64 / 5);
        assert_eq!(counts(&checked), [("ready", right), ("wrong", most - right)].into());
        let done = importer.start_import(&id_of(&checked)).await;
        assert_eq!(counts(&done), [("imported", right), ("wrong", most - right)].into());
        assert_eq!((database.count("applicants").await, database.count("applications").await), (right, right));
        let rows = importer.rows(&id_of(&done), "imported").await;
        assert_eq!(numbers(&rows), (0..right).map(|at| 2 + at * 5).collect::<Vec<_>>());
        assert_eq!(database.count("jobs WHERE state <> 'waiting' OR subject LIKE 'import:%'").await, 0);
    }

    async fn what_people_wrote_is_not_kept(database: Database) {
        let mut importer = Importer::start(&database).await;
        let sheet = Sheet::of(2).row(&[("outcome", "perhaps"), ("lastName", "Leftover")]);
        let done = id_of(&importer.check(&sheet).await);
        importer.start_import(&done).await;
        let other = |email: &str| Sheet::default().row(&[("email", email), ("lastName", "Leftover")]);
        let checked = id_of(&importer.check(&other("checked@example.com")).await);
        let mapping = id_of(&importer.upload("Demo", other("mapping@example.com").csv()).await);
        let stored = async || database.texts("SELECT COALESCE(cells, '') FROM import_rows").await.concat();
        assert!(stored().await.contains("Leftover") && !stored().await.contains(&email(2)), "{}", stored().await);
        let sweep = async || importer.world.store.sweep(importer.world.app.clock.now()).await.unwrap();
        importer.world.clock.advance(30 * DAY - HOUR);
        sweep().await;
        assert!(stored().await.contains("Leftover"), "they can be corrected for a month");
        importer.world.clock.advance(HOUR);
        sweep().await;
        assert_eq!(stored().await, "");
        importer.come_back().await;
        for id in [&checked, &mapping] {
            let path = format!("{IMPORTS}/{id}");
            importer.owner.api("GET", &path).send().await.assert_problem(404, "import.not_found");
        }
        let row = importer.row(&done, 4).await;
        assert_eq!((&row["cells"], &row["fields"], codes(&row, false)), (&Value::Null, &json!([]), vec!["outcome.unknown"]));
        // What was brought in stays, and can still be undone.
        assert_eq!(database.count("applications").await, 2);
        assert_eq!(counts(&importer.undo(&done, json!({})).await), [("undone", 2), ("wrong", 1)].into());
    }
}
