//! The pages of imports, without scripts: each button is a form.

use matricula::domain::import::MAX_FILE;
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{Importer, Sheet, codes, email, id_of};
use crate::office::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Answer, Call};

const PAGE: &str = "/admin-panel/imports";

/// A form with a file, as browsers send it.
fn with_file(call: Call, name: &str, content: &[u8]) -> Call {
    let part = |about: &str, content: &[u8]| {
        [b"--edge\r\nContent-Disposition: form-data; ".as_slice(), about.as_bytes(), b"\r\n\r\n", content, b"\r\n"]
            .concat()
    };
    let file = format!("name=\"file\"; filename=\"{name}\"\r\nContent-Type: text/csv");
    let body = [part("name=\"name\"", b""), part(&file, content), b"--edge--\r\n".to_vec()].concat();
    call.raw("multipart/form-data; boundary=edge", body)
}

/// A form that this member of staff sends from a page of ours, or of another site.
fn form_from(site: &str, member: &StaffClient, path: &str) -> Call {
    let call = member.client.without_token().post(path).header("cookie", &member.cookies());
    call.header("sec-fetch-site", site)
}

/// Chooses a file and uploads it.
async fn choose(member: &StaffClient, name: &str, content: &[u8]) -> Answer {
    with_file(form_from("same-origin", member, PAGE), name, content).send().await
}

async fn props(member: &StaffClient, path: &str) -> Value {
    let page = member.see(path).header("accept", "application/json").send().await;
    assert_eq!(page.status, 200, "{path}: {page:?}");
    page.json()["props"].clone()
}

/// The form about the columns as the page has it, with other values for some of its fields.
fn columns_form(props: &Value, changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let form = &props["columns"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let columns =
        form["columns"].as_array().unwrap().iter().map(|column| (text(&column["name"]), text(&column["field"])));
    let values = form["values"].as_array().unwrap().iter().map(|value| (text(&value["name"]), text(&value["value"])));
    let others = [("dates", "dates"), ("tag", "tag")].map(|(name, key)| (name.to_owned(), text(&form[key])));
    let mut fields: Vec<(String, String)> = columns.chain(values).chain(others).collect();
    for (name, value) in changes {
        fields.retain(|(known, _)| known != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    fields.push(("_action".into(), "map".into()));
    fields
}

async fn send(member: &StaffClient, path: &str, fields: &[(String, String)]) -> Answer {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    member.send(path, &fields).send().await
}

story! {
    async fn a_file_becomes_applications_by_forms(database: Database) {
        let mut importer = Importer::start(&database).await;
        let empty = importer.owner.see(PAGE).send().await;
        assert_eq!(empty.assert_document(200, "adminImports")["props"]["imports"], json!([]));
        let template = importer.owner.see(&format!("{PAGE}/template.csv")).send().await;
        assert_eq!((template.status, template.header("content-type")), (200, "text/csv; charset=utf-8"));
        let nothing = importer.owner.send(PAGE, &[]).send().await;
        assert!(nothing.assert_document(422, "adminImports")["props"]["form"]["errors"]["file"].is_string());
        let wrong = choose(&importer.owner, "demo.csv", b"Email,Name").await;
        assert!(wrong.assert_document(422, "adminImports")["props"]["form"]["errors"]["file"].is_string(), "{wrong:?}");

        let sheet = Sheet::of(2).row(&[("outcome", "perhaps")]);
        let file = sheet.csv().replacen("dateOfBirth", "Hatched", 1);
        let chosen = choose(&importer.owner, "last year.csv", file.as_bytes()).await;
        assert_eq!(chosen.status, 303, "{chosen:?}");
        let page = chosen.location().to_owned();
        let shown = importer.owner.see(&page).send().await;
        let mapping = shown.assert_document(200, "adminImport")["props"].clone();
        assert_eq!([&mapping["name"], &mapping["state"]], ["last year.csv", "mapping"]);
        for text in ["Hatched", &email(2), &email(4)] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        // Whatever was chosen stays chosen, and what is missing is named.
        let missing = send(&importer.owner, &page, &columns_form(&mapping, &[("tag", "a:b"), ("dates", "dmy")])).await;
        let again = missing.assert_document(422, "adminImport")["props"].clone();
        assert!(again["form"]["errors"]["tag"].is_string(), "{}", again["form"]);
        assert_eq!((&again["form"]["values"]["tag"], &again["form"]["values"]["dates"]), (&json!("a:b"), &json!("dmy")));
        let missing = send(&importer.owner, &page, &columns_form(&mapping, &[])).await;
        let told = missing.assert_document(422, "adminImport")["props"]["form"]["errors"]["columns"].clone();
        assert!(told.as_str().is_some_and(|told| told.contains("Date of birth")), "{told}");

        let hatched = mapping["columns"]["columns"].as_array().unwrap().iter().find(|column| column["header"] == "Hatched");
        let hatched = hatched.unwrap()["name"].as_str().unwrap();
        let right = columns_form(&mapping, &[(hatched, "dateOfBirth"), ("tag", "last year"), ("values.language", "es")]);
        send(&importer.owner, &page, &right).await.assert_redirect(303, &page);
        // Without scripts the page looks again by itself.
        let busy = importer.owner.see(&page).send().await;
        assert_eq!(busy.assert_document(200, "adminImport")["props"]["progress"], json!({ "done": 0, "of": 3 }));
        assert!(!busy.header("refresh").is_empty() || busy.text.contains("http-equiv=\"refresh\""), "{busy:?}");
        let id = page.rsplit('/').next().unwrap().to_owned();
        importer.settled(&id, "checked").await;

        let checked = props(&importer.owner, &page).await;
        assert_eq!(checked["start"], json!({ "rows": 2, "wrong": 1, "tell": false }));
        let figures = checked["figures"].as_array().unwrap();
        for figure in figures {
            let rows = props(&importer.owner, figure["href"].as_str().unwrap()).await;
            assert_eq!(json!(rows["rows"].as_array().unwrap().len()), figure["count"], "{figure}");
        }
        let rows = importer.owner.see(&format!("{page}/rows?show=wrong")).send().await;
        let row = rows.assert_document(200, "adminImportRows")["props"]["rows"][0].clone();
        assert_eq!([&row["number"], &row["email"], &row["outcome"]], [&json!(4), &json!(email(4)), &json!("perhaps")]);
        assert_eq!(row["problems"][0]["column"], "outcome", "{row}");
        let open = props(&importer.owner, row["href"].as_str().unwrap().split('#').next().unwrap()).await["open"].clone();
        assert_eq!(open["number"], 4);
        let fields = open["fields"].as_array().unwrap();
        assert!(fields.iter().any(|field| field["column"] == "Hatched" && field["read"].is_string()), "{open}");
        assert!(fields.iter().any(|field| field["label"] == "Language" && field["column"].is_null()), "{open}");

        let errors = importer.owner.see(&format!("{page}/errors.csv")).send().await;
        let lines: Vec<&str> = errors.text.trim_end().lines().collect();
        assert!(lines[0].starts_with("\u{feff}Row,") && lines[0].ends_with(",Problems"), "{}", errors.text);
        assert!(lines.len() == 2 && lines[1].starts_with("4,") && lines[1].contains("perhaps"), "{}", errors.text);

        // What imports and undoes asks for the password.
        importer.world.clock.advance(6 * MINUTE);
        for action in ["start", "undo"] {
            let asked = importer.owner.send(&page, &[("_action", action), ("leaveOut", "yes")]).send().await;
            asked.assert_document(401, "adminStepUp");
        }
        importer.come_back().await;
        let left = importer.owner.send(&page, &[("_action", "start")]).send().await;
        assert!(left.assert_document(409, "adminImport")["props"]["form"]["error"].is_string(), "{left:?}");
        let start = [("_action", "start"), ("leaveOut", "yes")];
        importer.owner.send(&page, &start).send().await.assert_redirect(303, &page);
        importer.settled(&id, "done").await;
        let done = props(&importer.owner, &page).await;
        let list = done["listHref"].as_str().unwrap();
        assert_eq!((&done["start"], &done["undo"]), (&Value::Null, &json!({ "imported": 2, "workedOn": 0 })));
        assert!(list.contains("tag=last+year"), "{list}");
        importer.owner.send(&page, &start).send().await.assert_document(409, "adminImport");

        importer.owner.send(&page, &[("_action", "undo")]).send().await.assert_redirect(303, &page);
        importer.settled(&id, "undone").await;
        let undone = props(&importer.owner, &page).await;
        assert_eq!((&undone["undo"], &undone["mayDelete"]), (&Value::Null, &json!(true)));
        assert_eq!(database.count("applicants").await, 0);
        let gone = importer.owner.send(&page, &[("_action", "delete")]).send().await;
        gone.assert_redirect(303, &format!("{PAGE}?done=deleted"));
        assert_eq!(importer.owner.see(&page).send().await.status, 404);
    }

    async fn a_file_is_read_only_from_those_who_may_send_it(database: Database) {
        let importer = Importer::start(&database).await;
        let file = Sheet::of(1).csv();
        let visitor = with_file(importer.world.visitor().post(PAGE).header("sec-fetch-site", "same-origin"), "x.csv", file.as_bytes());
        visitor.send().await.assert_redirect(303, "/admin-panel/login");
        assert_eq!(with_file(form_from("cross-site", &importer.owner, PAGE), "x.csv", file.as_bytes()).send().await.status, 403);
        let reviewer = staff_client(&importer.world, Role::Reviewer).await;
        assert_eq!(choose(&reviewer, "x.csv", file.as_bytes()).await.status, 403);
        for path in [PAGE, "/admin-panel/imports/template.csv"] {
            assert_eq!(reviewer.see(path).send().await.status, 403, "{path}");
        }
        let list = reviewer.see("/admin-panel/applications").send().await;
        assert!(list.status == 200 && !list.text.contains(PAGE), "{}", list.text);
        let list = importer.owner.see("/admin-panel/applications").send().await;
        assert!(list.text.contains(&format!("href=\"{PAGE}\"")), "{}", list.text);
        let large = choose(&importer.owner, "x.csv", &vec![b'x'; MAX_FILE + 1]).await;
        let told = large.assert_document(422, "adminImports")["props"]["form"]["errors"]["file"].clone();
        assert!(told.as_str().is_some_and(|told| told.contains("10 MB")), "{told}");
        // Other forms take no files.
        let other = form_from("same-origin", &importer.owner, "/admin-panel/admins");
        assert!((400..500).contains(&with_file(other, "x.csv", b"x").send().await.status));
        assert_eq!(database.count("imports").await, 0);
    }

    async fn rows_are_read_page_by_page(database: Database) {
        let importer = Importer::start(&database).await;
        let id = id_of(&importer.check(&Sheet::of(51).row(&[("dateOfBirth", "1905-01-01")])).await);
        let first = props(&importer.owner, &format!("{PAGE}/{id}/rows")).await;
        assert_eq!((first["rows"].as_array().unwrap().len(), &first["firstHref"]), (50, &Value::Null));
        let next = props(&importer.owner, first["nextHref"].as_str().unwrap()).await;
        let numbers: Vec<i64> = next["rows"].as_array().unwrap().iter().map(|row| row["number"].as_i64().unwrap()).collect();
        assert_eq!((numbers, &next["nextHref"]), (vec![52, 53], &Value::Null));
        assert!(next["firstHref"].is_string(), "{next}");
        let tabs: Vec<String> = next["tabs"].as_array().unwrap().iter().map(|tab| tab["label"].to_string()).collect();
        assert_eq!(tabs.len(), 3, "all, ready, and those with warnings: {tabs:?}");
        assert_eq!(codes(&importer.row(&id, 53).await, true), ["dateOfBirth.unusual"]);
        for path in ["/admin-panel/imports/none", "/admin-panel/imports/none/rows", "/admin-panel/imports/none/errors.csv"] {
            assert_eq!(importer.owner.see(path).send().await.status, 404, "{path}");
        }
    }
}
