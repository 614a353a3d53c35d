//! Programs that import: rows of JSON, sent with a key.

use matricula::domain::import::MAX_ROWS;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{IMPORTS, Importer, Sheet, codes, counts, email, id_of};
use crate::office::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::Client;

/// A program with a key of this member of staff.
async fn program(importer: &Importer, member: &StaffClient, role: &str, read_only: bool) -> Client {
    let key = json!({ "name": "Former system", "role": role, "readOnly": read_only, "days": 30 });
    let made = member.api("POST", "/api/admins/keys").json(&key).send().await;
    assert_eq!(made.status, 201, "{made:?}");
    importer.world.visitor().with_token(made.json()["secret"].as_str().unwrap())
}

async fn load(program: &Client, id: &str) -> Value {
    let answer = program.get(&format!("{IMPORTS}/{id}")).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

story! {
    async fn a_program_imports_many_with_its_key(database: Database) {
        let importer = Importer::start(&database).await;
        let program = program(&importer, &importer.owner, "owner", false).await;
        let long = "x".repeat(90);
        let work = ["employment.currentEmployer.name", "employment.currentEmployer.jobTitle"].map(|key| (key, long.as_str()));
        let mut rows = (0..700).fold(Sheet::default(), |sheet, _| sheet.row(&work)).json();
        // Values as JSON has them, and one that is wrong.
        rows[0]["education.hasBachelors"] = json!(false);
        rows[0]["employment.currentEmployer.hoursPerWeek"] = json!(38);
        rows[0]["financialPlan.selectedPayments"] = json!(["gi_bill", "employer"]);
        rows[0]["language"] = Value::Null;
        rows[699]["outcome"] = json!("perhaps");
        let body = json!({ "name": "Autumn", "rows": rows, "tag": "Autumn" });
        assert!(body.to_string().len() > 256 * 1024, "more than other calls take");
        let made = program.post(IMPORTS).json(&body).send().await;
        assert_eq!((made.status, &made.json()["state"]), (201, &json!("checking")), "{made:?}");
        let id = id_of(&made.json());
        assert_eq!((&made.json()["format"], &made.json()["createdBy"]), (&json!("api"), &json!(importer.staff.email)));
        importer.settled(&id, "checked").await;
        let checked = load(&program, &id).await;
        assert_eq!(counts(&checked), [("ready", 699), ("wrong", 1)].into());
        let wrong = program.get(&format!("{IMPORTS}/{id}/rows?show=wrong")).send().await.json()["rows"][0].clone();
        assert_eq!((&wrong["number"], codes(&wrong, false)), (&json!(700), vec!["outcome.unknown"]), "rows count from 1");
        let headers: Vec<&str> = checked["headers"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
        assert!(headers.contains(&"email") && headers.contains(&"education.hasBachelors"), "{headers:?}");

        let start = format!("{IMPORTS}/{id}/start");
        program.post(&start).json(&json!({})).send().await.assert_problem(409, "import.rows_wrong");
        let started = program.post(&start).json(&json!({ "leaveOut": true })).send().await;
        assert_eq!(started.status, 202, "{started:?}");
        importer.settled(&id, "done").await;
        assert_eq!(counts(&load(&program, &id).await), [("imported", 699), ("wrong", 1)].into());
        let client = importer.applicant(&email(2)).await;
        let data = client.get("/api/users/application").send().await.json()["data"].clone();
        assert_eq!(data["education"]["hasBachelors"], false);
        assert_eq!(data["employment"]["currentEmployer"]["hoursPerWeek"], 38);
        assert_eq!(data["financialPlan"]["selectedPayments"], json!(["gi_bill", "employer"]));
        let keyed = "SELECT action FROM audit WHERE subject LIKE 'import:%' AND detail LIKE '%apiKey%' ORDER BY action";
        assert_eq!(database.texts(keyed).await, ["import.created", "import.started"], "the record names the key");

        program.post(&format!("{IMPORTS}/{id}/undo")).json(&json!({})).send().await.assert_problem(409, "import.worked_on");
        let undone = program.post(&format!("{IMPORTS}/{id}/undo")).json(&json!({ "leave": true })).send().await;
        assert_eq!(undone.status, 202, "{undone:?}");
        assert_eq!(counts(&importer.settled(&id, "undone").await), [("kept", 1), ("undone", 698), ("wrong", 1)].into());
    }

    async fn a_body_that_is_no_table_is_refused(database: Database) {
        let importer = Importer::start(&database).await;
        let right = Sheet::of(1).json()[0].clone();
        let with = |key: &str, value: Value| {
            let mut row = right.clone();
            row[key] = value;
            json!({ "name": "Demo", "rows": [row] })
        };
        let mut short = right.clone();
        short.as_object_mut().unwrap().remove("email");
        for (body, field, code) in [
            (json!({ "rows": [right] }), "name", "name.required"),
            (json!({ "name": "x".repeat(61), "rows": [right] }), "name", "name.length"),
            (json!({ "name": "Demo" }), "rows", "rows.required"),
            (json!({ "name": "Demo", "rows": [] }), "rows", "rows.required"),
            (json!({ "name": "Demo", "rows": {} }), "rows", "rows.type"),
            (json!({ "name": "Demo", "rows": ["ada"] }), "rows.0", "rows.type"),
            (json!({ "name": "Demo", "rows": vec![json!({}); MAX_ROWS + 1] }), "rows", "rows.too_many"),
            (with("email", json!({})), "rows.0.email", "rows.type"),
            (with("employment.currentEmployer.hoursPerWeek", json!(1.5)), "rows.0.employment.currentEmployer.hoursPerWeek", "rows.type"),
            (with("shoeSize", json!(42)), "rows.shoeSize", "field.unknown"),
            (json!({ "name": "Demo", "rows": [short] }), "columns", "columns.missing"),
            (json!({ "name": "Demo", "rows": [right], "dates": "ymd" }), "dates", "dates.unknown"),
            (json!({ "name": "Demo", "rows": [right], "tag": "a:b" }), "tag", "tag.invalid"),
            (json!({ "name": "Demo", "rows": [right], "columns": [] }), "columns", "field.unknown"),
        ] {
            let answer = importer.owner.api("POST", IMPORTS).json(&body).send().await;
            answer.assert_problem(422, code);
            assert!(answer.json()["fields"][field].is_string(), "{field}: {answer:?}");
        }
        assert_eq!(database.count("imports").await, 0);
        // Each error in what a row says is told with the row.
        let sent = importer.owner.api("POST", IMPORTS).json(&with("email", json!(7))).send().await;
        assert_eq!(sent.status, 201, "{sent:?}");
        let id = id_of(&sent.json());
        assert_eq!(counts(&importer.settled(&id, "checked").await), [("wrong", 1)].into());
        assert_eq!(codes(&importer.row(&id, 1).await, false), ["email.invalid"]);
    }

    async fn a_key_imports_only_if_it_may(database: Database) {
        let importer = Importer::start(&database).await;
        let reviewer = staff_client(&importer.world, Role::Reviewer).await;
        let body = json!({ "name": "Demo", "rows": Sheet::of(1).json() });
        for (program, code) in [
            (program(&importer, &importer.owner, "owner", true).await, "key.read_only"),
            (program(&importer, &importer.owner, "decider", false).await, "role.forbidden"),
            (program(&importer, &reviewer, "reviewer", false).await, "role.forbidden"),
        ] {
            program.post(IMPORTS).json(&body).send().await.assert_problem(403, code);
        }
        let reads = program(&importer, &importer.owner, "owner", true).await;
        assert_eq!(reads.get(IMPORTS).send().await.json(), json!({ "imports": [] }));
        assert_eq!(database.count("imports").await, 0);
    }
}
