//! What rows may say: errors and warnings beside their fields, days, people who are known, and what must not come twice.

use serde_json::{Value, json};

use super::{ALL_ANSWERS, BORN, Importer, Sheet, codes, counts, email, id_of, numbers};
use crate::support::databases::story;
use crate::support::server::{Client, complete_answers};

/// The application that goes on, as its applicant has it.
async fn application(client: &Client) -> Value {
    let answer = client.get("/api/users/application").send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

story! {
    async fn each_error_is_told_beside_its_field(database: Database) {
        let importer = Importer::start(&database).await;
        importer.world.app.seed_questions().await.unwrap();
        let long = "x".repeat(101);
        let wrong = [
            ("email", "", "email.required"),
            ("email", "ada at example.com", "email.invalid"),
            ("firstName", "", "firstName.required"),
            ("firstName", long.as_str(), "firstName.too_long"),
            ("lastName", "www.example.com", "lastName.address"),
            ("dateOfBirth", "", "dateOfBirth.required"),
            ("dateOfBirth", "1990-02-30", "dateOfBirth.invalid"),
            ("dateOfBirth", "2026-05-05", "dateOfBirth.future"),
            ("phoneNumber", "call me", "phoneNumber.invalid"),
            ("country", "Atlantis", "country.unknown"),
            ("state", "", "state.required"),
            ("state", "Bavaria", "state.unknown"),
            ("language", "Latin", "language.unknown"),
            ("applicationType", "PhD", "applicationType.unknown"),
            ("outcome", "perhaps", "outcome.unknown"),
            ("submittedOn", "May 2024", "submittedOn.invalid"),
            ("decidedOn", "2026-05-05", "decidedOn.future"),
            ("formerReference", long.as_str(), "formerReference.invalid"),
            ("personalInfo.isUSCitizen", "perhaps", "personalInfo.isUSCitizen.type"),
            ("education.mastersCountry", "Atlantis", "education.mastersCountry.unknown"),
            ("employment.previousEmployers.0.hoursPerWeek", "169", "employment.previousEmployers.0.hoursPerWeek.range"),
            ("financialPlan.selectedPayments", "employer; gold", "financialPlan.selectedPayments.unknown"),
            ("questionnaire.answers.hoursPerWeek", "many", "questionnaire.answers.hoursPerWeek.type"),
        ];
        let sheet = wrong.iter().fold(Sheet::default(), |sheet, (key, cell, _)| sheet.row(&[(*key, *cell)]));
        let sheet = sheet.row(&[]);
        let import = importer.check(&sheet).await;
        let id = id_of(&import);
        assert_eq!(counts(&import), [("ready", 1), ("wrong", wrong.len() as i64)].into());
        let rows = importer.rows(&id, "wrong").await;
        assert_eq!(rows.len(), wrong.len());
        for (row, (key, cell, code)) in rows.iter().zip(wrong) {
            assert_eq!(codes(row, false), [code], "{key} {cell}: {row}");
            let of = row["problems"].as_array().unwrap().iter().find(|problem| problem["code"] == code).unwrap();
            assert_eq!(of["field"], key, "{row}");
            // Beside what was sent; what could not be understood is not shown as if it had been.
            let number = row["number"].as_i64().unwrap();
            let shown = importer.row(&id, usize::try_from(number).unwrap()).await["fields"].clone();
            let field = shown.as_array().unwrap().iter().find(|field| field["field"] == key).unwrap();
            assert_eq!((&field["column"], &field["sent"]), (&json!(key), &json!(cell)), "{field}");
            assert_eq!(field["problems"][0]["code"], code, "{field}");
            assert!(!field["label"].as_str().unwrap().is_empty(), "{field}");
            let unread = ["country.unknown", "state.unknown", "outcome.unknown", "dateOfBirth.invalid", "submittedOn.invalid"];
            if unread.contains(&code) {
                assert_eq!(field["read"], Value::Null, "{field}");
            }
        }
        let order = Sheet::default().row(&[("submittedOn", "2024-05-02"), ("decidedOn", "2024-05-01"), ("outcome", "rejected")]);
        let id = id_of(&importer.check(&order).await);
        assert_eq!(codes(&importer.row(&id, 2).await, false), ["decidedOn.order"]);
    }

    async fn a_row_is_read_as_people_write_it(database: Database) {
        let importer = Importer::start(&database).await;
        importer.world.app.seed_questions().await.unwrap();
        let sheet = Sheet::default().row(&[
            ("dateOfBirth", "1990-04-03"), ("country", "united states"), ("state", "texas"), ("phoneNumber", "(555) 010-0199"),
            ("applicationType", "Bachelor"), ("outcome", "Draft"), ("language", "Spanish"),
            ("personalInfo.isUSCitizen", "TRUE"), ("education.hasMasters", "no"),
            ("financialPlan.selectedPayments", "GI Bill; self_pay"), ("employment.previousEmployers.0.name", "Demo Works"),
            ("employment.hasPreviousEmployment", "x"),
            ("financialPlan.selfPayContribution.monthlyPaymentContribution", "$1,200.50"),
            ("questionnaire.answers.hoursPerWeek", "40"), ("questionnaire.answers.needsAccommodation", "no"),
        ]);
        let id = id_of(&importer.check(&sheet).await);
        let row = importer.row(&id, 2).await;
        let fields = row["fields"].as_array().unwrap();
        let read = |key: &str| fields.iter().find(|field| field["field"] == key).unwrap()["read"].clone();
        for (key, words) in [
            ("dateOfBirth", "April 3, 1990"),
            ("country", "United States"),
            ("state", "Texas"),
            ("phoneNumber", "+1(555) 010-0199"),
            ("outcome", "Draft"),
            ("language", "Spanish"),
            ("personalInfo.isUSCitizen", "Yes"),
            ("financialPlan.selectedPayments", "GI Bill; Self-pay"),
        ] {
            assert_eq!(read(key), words, "{row}");
        }
        importer.start_import(&id).await;
        let client = importer.applicant(&email(2)).await;
        let me = client.get("/api/users/me").send().await.json();
        assert_eq!([&me["dateOfBirth"], &me["country"], &me["state"], &me["phoneNumber"]], ["1990-04-03", "US", "TX", "+15550100199"]);
        let application = application(&client).await;
        let data = &application["data"];
        assert_eq!((&application["applicationType"], &application["stage"]), (&json!("ba"), &json!("draft")));
        assert_eq!([&data["personalInfo"]["isUSCitizen"], &data["education"]["hasMasters"]], [true, false]);
        assert_eq!(data["financialPlan"]["selectedPayments"], json!(["gi_bill", "self_pay"]));
        assert_eq!(data["financialPlan"]["selfPayContribution"]["monthlyPaymentContribution"], 120_050);
        assert_eq!(data["employment"]["previousEmployers"][0]["name"], "Demo Works");
        let answers = &data["questionnaire"]["answers"];
        assert_eq!((&answers["hoursPerWeek"], &answers["needsAccommodation"]), (&json!(40), &json!(false)));
    }

    async fn days_are_read_in_the_order_that_was_chosen(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = Sheet::default().row(&[("dateOfBirth", "04/03/1990")]).row(&[("dateOfBirth", "31.12.1990")])
            .row(&[("dateOfBirth", "1990-12-31")]).row(&[("dateOfBirth", "04/03/90")]);
        let id = id_of(&importer.upload("Demo", sheet.csv()).await);
        for (order, expected) in [
            ("iso", [None, None, Some("December 31, 1990"), None]),
            ("mdy", [Some("April 3, 1990"), None, Some("December 31, 1990"), None]),
            ("dmy", [Some("March 4, 1990"), Some("December 31, 1990"), Some("December 31, 1990"), None]),
        ] {
            // As often as it takes.
            let checked = importer.map(&id, &json!({ "columns": sheet.keys, "dates": order })).await;
            let right = expected.iter().flatten().count() as i64;
            assert_eq!(counts(&checked), [("ready", right), ("wrong", 4 - right)].into(), "{order}");
            for (number, words) in (2..).zip(expected) {
                let row = importer.row(&id, number).await;
                let field = row["fields"].as_array().unwrap().iter().find(|field| field["field"] == "dateOfBirth");
                assert_eq!(field.unwrap()["read"], json!(words), "{order}: {row}");
                let wrong: &[&str] = if words.is_none() { &["dateOfBirth.invalid"] } else { &[] };
                assert_eq!(codes(&row, false), wrong, "{order}: {row}");
            }
        }
    }

    async fn what_is_odd_is_a_warning_and_comes_in(database: Database) {
        let importer = Importer::start(&database).await;
        importer.world.app.seed_questions().await.unwrap();
        let sheet = Sheet::default()
            .row(&[("dateOfBirth", "1905-01-01")])
            .row(&[("phoneNumber", "+4930123456")])
            .row(&[("outcome", "enrolled"), ("intake", "2024-03")])
            .row(&[("outcome", "submitted")])
            .row(&[("applicationType", "msc"), ("questionnaire.answers.studyMode", "full_time")]);
        let import = importer.check(&sheet).await;
        let id = id_of(&import);
        assert_eq!(counts(&import), [("warned", 5)].into(), "{:?}", importer.rows(&id, "all").await);
        let rows = importer.rows(&id, "warned").await;
        let found: Vec<Vec<&str>> = rows.iter().map(|row| codes(row, true)).collect();
        let expected = ["dateOfBirth.unusual", "phoneNumber.unusual", "intake.unknown", "answers.missing", "answer.not_asked"];
        assert_eq!(found, expected.map(|code| vec![code]));
        // All answers that the program asks for: nothing is missing.
        let answers: Vec<(&str, &str)> = ALL_ANSWERS.into_iter().chain([
            ("outcome", "submitted"), ("questionnaire.answers.motivation", "A demo."), ("questionnaire.answers.studyMode", "full_time"),
            ("questionnaire.answers.hoursPerWeek", "40"), ("questionnaire.answers.needsAccommodation", "no"),
        ]).collect();
        let complete = importer.check(&Sheet::default().row(&answers)).await;
        assert_eq!(counts(&complete), [("ready", 1)].into(), "{}", importer.row(&id_of(&complete), 2).await);
        let done = importer.start_import(&id).await;
        assert_eq!(counts(&done), [("imported", 5)].into());
    }

    async fn rows_are_looked_at_by_state_and_page_by_page(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = (0..120).fold(Sheet::default(), |sheet, at| match at % 3 {
            0 => sheet.row(&[]),
            1 => sheet.row(&[("outcome", "submitted")]),
            _ => sheet.row(&[("outcome", "perhaps")]),
        });
        let import = importer.check(&sheet).await;
        let id = id_of(&import);
        assert_eq!(counts(&import), [("ready", 40), ("warned", 40), ("wrong", 40)].into());
        for (show, first) in [("ready", 2), ("warned", 3), ("wrong", 4)] {
            let found = importer.rows(&id, show).await;
            assert!(found.iter().all(|row| row["state"] == show), "{show}: {found:?}");
            assert_eq!(numbers(&found), (0..40).map(|at| first + at * 3).collect::<Vec<_>>(), "{show}");
        }
        let all = importer.rows(&id, "all").await;
        assert_eq!(numbers(&all), (2..122).collect::<Vec<_>>(), "each on one page");
        assert_eq!(importer.rows(&id, "imported").await, Vec::<Value>::new());
        for (query, code) in [("show=most", "show.unknown"), ("after=x", "after.invalid")] {
            let path = format!("{}/{id}/rows?{query}", crate::office::imports::IMPORTS);
            importer.owner.api("GET", &path).send().await.assert_problem(422, code);
        }
        for number in ["1", "122", "x"] {
            let path = format!("{}/{id}/rows/{number}", crate::office::imports::IMPORTS);
            importer.owner.api("GET", &path).send().await.assert_problem(404, "import.not_found");
        }
    }

    async fn somebody_with_an_account_keeps_it(database: Database) {
        let importer = Importer::start(&database).await;
        let (known, busy) = (importer.world.register().await, importer.world.register().await);
        let saved = busy.post("/api/users/application").json(&complete_answers()).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        let sheet = Sheet::default()
            .row(&[("email", &known.email.to_uppercase()), ("firstName", "Somebody"), ("lastName", "Else"), BORN, ("outcome", "draft")])
            .row(&[("email", &busy.email), BORN, ("outcome", "draft")])
            .row(&[("email", &busy.email), BORN, ("outcome", "rejected")]);
        let import = importer.check(&sheet).await;
        let id = id_of(&import);
        let rows = importer.rows(&id, "all").await;
        assert_eq!((codes(&rows[0], true), codes(&rows[2], true)), (vec!["email.known"], vec!["email.known"]));
        assert_eq!(codes(&rows[1], false), ["email.active"], "only one goes on at a time");
        assert_eq!(counts(&import), [("warned", 2), ("wrong", 1)].into());

        let before = known.get("/api/users/me").send().await.json();
        importer.start_import(&id).await;
        assert_eq!(database.count("applicants").await, 2, "nobody new");
        assert_eq!(known.get("/api/users/me").send().await.json(), before, "their own details stay");
        assert_eq!(application(&known).await["stage"], "draft");
        assert_eq!(application(&busy).await, saved.json(), "the one that goes on stays as it was");
        assert_eq!(database.count("applications").await, 3);
    }

    async fn nobody_and_nothing_comes_twice(database: Database) {
        let importer = Importer::start(&database).await;
        let same = ("email", "ada@example.com");
        let sheet = Sheet::default()
            .row(&[same, ("outcome", "submitted"), ("formerReference", "A-1")])
            .row(&[("email", "ADA@example.com"), ("outcome", "draft")])
            .row(&[same, ("outcome", "withdrawn"), ("formerReference", "A-2")])
            .row(&[same, ("outcome", "rejected"), ("formerReference", "A-2")])
            .row(&[("formerReference", "A-1")])
            .row(&[("formerReference", "")])
            .row(&[("formerReference", "")]);
        let import = importer.check(&sheet).await;
        let id = id_of(&import);
        let rows = importer.rows(&id, "all").await;
        let found: Vec<Vec<&str>> = rows.iter().map(|row| codes(row, false)).collect();
        let (email, reference) = ("email.repeated", "formerReference.repeated");
        assert_eq!(found, [&[][..], &[email], &[], &[reference], &[reference], &[], &[]]);
        for (row, earlier) in [(1, "Row 2"), (3, "Row 4"), (4, "Row 2")] {
            let message = rows[row]["problems"].to_string();
            assert!(message.contains(earlier), "{message}");
        }
        importer.start_import(&id).await;
        // One person with what goes on and what is over, and two others.
        assert_eq!((database.count("applicants").await, database.count("applications").await), (3, 4));

        // The same file again: what has come in is known by its number, or by whom it is of.
        let again = importer.check(&sheet).await;
        let rows = importer.rows(&id_of(&again), "all").await;
        let found: Vec<Vec<&str>> = rows.iter().map(|row| codes(row, false)).collect();
        let imported = "formerReference.imported";
        assert_eq!(found[2..5], [&[imported], &[imported], &[imported]]);
        assert!(found[0].contains(&"email.active") && found[0].contains(&imported), "{found:?}");
        assert_eq!(found[5..], [&["email.active"], &["email.active"]]);
        assert!(rows[4]["problems"].to_string().contains("row 2 of “Demo.csv”"), "{}", rows[4]);
        importer.try_start(&id_of(&again), &json!({ "leaveOut": true })).await.assert_problem(409, "import.nothing_ready");
    }
}
