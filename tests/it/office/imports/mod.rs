//! Imports: an Owner brings in applicants and applications from a file, or a program does with rows of JSON, and both
//! can undo it as a whole.

mod api;
mod files;
mod outcomes;
mod pages;
mod rows;
mod running;
mod undo;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use serde_json::{Value, json};

use super::{StaffClient, entered, hired};
use crate::api::passwords::mailed_token;
use crate::support::databases::Database;
use crate::support::server::{Answer, Client, PASSWORD, World};

const IMPORTS: &str = "/api/admins/imports";
/// When everybody was born who registers in stories.
const BORN: (&str, &str) = ("dateOfBirth", "1990-02-28");

/// What every row says unless it says something else, besides an address, a number and a birthday of its own.
const USUAL: [(&str, &str); 6] = [
    ("firstName", "Demo"),
    ("lastName", "Imported"),
    ("country", "US"),
    ("state", "TX"),
    ("applicationType", "ba"),
    ("outcome", "draft"),
];

/// Answers to every question of the bachelor's program without questions by staff.
const ALL_ANSWERS: [(&str, &str); 11] = [
    ("personalInfo.isUSCitizen", "yes"),
    ("personalInfo.state", "TX"),
    ("personalInfo.isMilitaryAffiliated", "no"),
    ("personalInfo.isDoDEmployee", "no"),
    ("education.hasBachelors", "no"),
    ("education.hasMasters", "no"),
    ("employment.isSeeingCoachingClients", "no"),
    ("employment.isCurrentlyEmployed", "no"),
    ("employment.hasPreviousEmployment", "no"),
    ("financialPlan.selectedPayments", "employer"),
    ("creditTransfer.selectedPrograms", "clep"),
];

/// A sheet whose headings are the keys of fields. Row 2 is of `person-2@example.com`, row 3 of `person-3@example.com`.
#[derive(Default)]
struct Sheet {
    keys: Vec<&'static str>,
    rows: Vec<BTreeMap<&'static str, String>>,
}

impl Sheet {
    /// With that many rows that say nothing unusual.
    fn of(rows: usize) -> Sheet {
        (0..rows).fold(Sheet::default(), |sheet, _| sheet.row(&[]))
    }

    /// With one more row, which differs from a usual one by these cells.
    fn row(mut self, cells: &[(&'static str, &str)]) -> Sheet {
        let number = self.rows.len() + 2;
        let mut row: BTreeMap<&str, String> = USUAL.iter().map(|(key, cell)| (*key, (*cell).to_owned())).collect();
        row.insert("email", email(number));
        row.insert("phoneNumber", format!("+1555{number:07}"));
        row.insert("dateOfBirth", format!("{}-{:02}-{:02}", 1950 + number % 50, 1 + number % 12, 1 + number % 28));
        row.extend(cells.iter().map(|(key, cell)| (*key, (*cell).to_owned())));
        for key in row.keys() {
            if !self.keys.contains(key) {
                self.keys.push(key);
            }
        }
        self.rows.push(row);
        self
    }

    fn csv(&self) -> String {
        let mut csv = self.keys.join(",");
        for row in &self.rows {
            csv.push('\n');
            for (at, key) in self.keys.iter().enumerate() {
                let cell = row.get(key).map_or("", String::as_str);
                let comma = if at == 0 { "" } else { "," };
                write!(csv, "{comma}\"{}\"", cell.replace('"', "\"\"")).unwrap();
            }
        }
        csv
    }

    /// The rows as a program sends them.
    fn json(&self) -> Value {
        json!(self.rows)
    }
}

/// The address in this row of a [`Sheet`].
fn email(number: usize) -> String {
    format!("person-{number}@example.com")
}

/// An institute with an Owner who imports.
struct Importer {
    world: World,
    owner: StaffClient,
    staff: Staff,
}

impl Importer {
    async fn start(database: &Database) -> Importer {
        let world = World::start(database.db()).await;
        let staff = hired(&world, Role::Owner).await;
        let owner = entered(&world, &staff).await;
        Importer { world, owner, staff }
    }

    /// The Owner logs in anew, after some time.
    async fn come_back(&mut self) {
        self.owner = entered(&self.world, &self.staff).await;
    }

    async fn try_upload(&self, name: &str, content: impl Into<Vec<u8>>) -> Answer {
        upload(&self.owner, name, content).await
    }

    async fn upload(&self, name: &str, content: impl Into<Vec<u8>>) -> Value {
        let answer = self.try_upload(name, content).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()
    }

    async fn try_map(&self, id: &str, mapping: &Value) -> Answer {
        self.owner.api("PUT", &format!("{IMPORTS}/{id}/mapping")).json(mapping).send().await
    }

    /// Says what the columns are for, and waits until the rows are checked.
    async fn map(&self, id: &str, mapping: &Value) -> Value {
        let answer = self.try_map(id, mapping).await;
        assert_eq!((answer.status, &answer.json()["state"]), (200, &json!("checking")), "{answer:?}");
        self.settled(id, "checked").await
    }

    /// Uploads a sheet and has its rows checked.
    async fn check(&self, sheet: &Sheet) -> Value {
        self.check_with(sheet, json!({})).await
    }

    /// The same; the mapping has more than the columns.
    async fn check_with(&self, sheet: &Sheet, more: Value) -> Value {
        let id = id_of(&self.upload("Demo.csv", sheet.csv()).await);
        let mut mapping = json!({ "columns": sheet.keys });
        mapping.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.map(&id, &mapping).await
    }

    async fn try_start(&self, id: &str, body: &Value) -> Answer {
        self.owner.api("POST", &format!("{IMPORTS}/{id}/start")).json(body).send().await
    }

    /// Starts a checked import with everything that is right, and waits until it is done.
    async fn start_import(&self, id: &str) -> Value {
        let answer = self.try_start(id, &json!({ "leaveOut": true })).await;
        assert_eq!((answer.status, &answer.json()["state"]), (202, &json!("running")), "{answer:?}");
        self.settled(id, "done").await
    }

    /// Imports a sheet without errors.
    async fn import(&self, sheet: &Sheet) -> Value {
        self.import_with(sheet, json!({})).await
    }

    /// The same; the mapping has more than the columns.
    async fn import_with(&self, sheet: &Sheet, more: Value) -> Value {
        let checked = self.check_with(sheet, more).await;
        assert_eq!(checked["counts"]["wrong"], 0, "{:?}", self.rows(&id_of(&checked), "wrong").await);
        let done = self.start_import(&id_of(&checked)).await;
        assert_eq!(counts(&done), [("imported", sheet.rows.len() as i64)].into(), "{done}");
        done
    }

    async fn try_undo(&self, id: &str, body: &Value) -> Answer {
        self.owner.api("POST", &format!("{IMPORTS}/{id}/undo")).json(body).send().await
    }

    /// Undoes an import, and waits until that is done.
    async fn undo(&self, id: &str, body: Value) -> Value {
        let answer = self.try_undo(id, &body).await;
        assert_eq!((answer.status, &answer.json()["state"]), (202, &json!("undoing")), "{answer:?}");
        self.settled(id, "undone").await
    }

    async fn load(&self, id: &str) -> Value {
        load(&self.owner, id).await
    }

    /// The import once no job is working on it.
    async fn settled(&self, id: &str, state: &str) -> Value {
        for _ in 0..1000 {
            self.world.work().await;
            let import = self.load(id).await;
            if import["progress"].is_null() {
                assert_eq!(import["state"], state, "{import}");
                return import;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it does not end: {}", self.load(id).await)
    }

    /// All rows of a kind, page by page.
    async fn rows(&self, id: &str, show: &str) -> Vec<Value> {
        let (mut rows, mut after) = (Vec::new(), 0);
        loop {
            let answer = self.owner.api("GET", &format!("{IMPORTS}/{id}/rows?show={show}&after={after}")).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let page = answer.json();
            rows.extend(page["rows"].as_array().unwrap().iter().cloned());
            match page["next"].as_i64() {
                Some(next) => after = next,
                None => return rows,
            }
        }
    }

    /// A row with everything about it.
    async fn row(&self, id: &str, number: usize) -> Value {
        let answer = self.owner.api("GET", &format!("{IMPORTS}/{id}/rows/{number}")).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    /// The application that a row has become.
    async fn application_of(&self, id: &str, number: usize) -> String {
        let row = self.row(id, number).await;
        row["applicationId"].as_str().unwrap_or_else(|| panic!("nothing imported: {row}")).to_owned()
    }

    /// Somebody imported, who sets a password by mail and logs in.
    async fn applicant(&self, email: &str) -> Client {
        let mut visitor = self.world.visitor();
        visitor.email = email.to_owned();
        visitor.post("/api/users/forgot-password").json(&json!({ "email": email })).send().await;
        let token = mailed_token(&self.world, &visitor).await;
        let body = json!({ "token": token, "password": PASSWORD });
        let reset = visitor.post("/api/users/reset-password").json(&body).send().await;
        assert_eq!(reset.status, 200, "{reset:?}");
        visitor.log_in().await
    }
}

async fn upload(member: &StaffClient, name: &str, content: impl Into<Vec<u8>>) -> Answer {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("name", name).finish();
    let call = member.api("POST", &format!("{IMPORTS}/files?{query}"));
    call.raw("application/octet-stream", content.into()).send().await
}

async fn load(member: &StaffClient, id: &str) -> Value {
    let answer = member.api("GET", &format!("{IMPORTS}/{id}")).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

fn id_of(import: &Value) -> String {
    import["id"].as_str().unwrap_or_else(|| panic!("no id: {import}")).to_owned()
}

/// How many rows are in which state, without those that no row is in. They add up to all rows.
#[track_caller]
fn counts(import: &Value) -> BTreeMap<&str, i64> {
    let counts = import["counts"].as_object().unwrap().iter();
    let mut counts: BTreeMap<&str, i64> =
        counts.map(|(name, count)| (name.as_str(), count.as_i64().unwrap())).collect();
    let all = counts.remove("rows");
    counts.retain(|_, count| *count > 0);
    assert_eq!(all, Some(counts.values().sum()), "{import}");
    counts
}

/// The codes of a row's errors, or of its warnings, each of which says in a sentence what is wrong.
#[track_caller]
fn codes(row: &Value, warnings: bool) -> Vec<&str> {
    let problems = row["problems"].as_array().unwrap_or_else(|| panic!("no row: {row}")).iter();
    let of_kind: Vec<&Value> = problems.filter(|problem| problem["warning"] == warnings).collect();
    for problem in &of_kind {
        assert!(problem["message"].as_str().is_some_and(|message| message.ends_with('.')), "{problem}");
    }
    of_kind.iter().map(|problem| problem["code"].as_str().unwrap()).collect()
}

#[track_caller]
fn numbers(rows: &[Value]) -> Vec<i64> {
    rows.iter().map(|row| row["number"].as_i64().unwrap()).collect()
}
