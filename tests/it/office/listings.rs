//! The list of applications: what it contains, how it is searched and paged, and what staff record in it.

use std::collections::BTreeSet;
use std::io::Read;

use matricula::app::ports::Clock;
use matricula::domain::clocks;
use matricula::domain::moments::DAY;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::support::databases::story;
use crate::support::server::{Client, World};

const LIST: &str = "/admin-panel/applications";

/// The page's props for a view.
async fn seen(member: &StaffClient, query: &str) -> Value {
    let page = member.see(&format!("{LIST}?{query}")).header("accept", "application/json").send().await;
    assert_eq!(page.status, 200, "{query}: {page:?}");
    page.json()["props"].clone()
}

fn references(props: &Value) -> Vec<String> {
    props["rows"].as_array().unwrap().iter().map(|row| row["reference"].as_str().unwrap().to_owned()).collect()
}

async fn reference(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["reference"].as_str().unwrap().to_owned()
}

async fn application_id(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

story! {
    async fn what_is_submitted_is_listed_and_found(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let empty = seen(&interviewer, "tab=all").await;
        assert_eq!((references(&empty), &empty["countText"]), (vec![], &json!("0 applications")));
        // Only its applicant can see a draft.
        world.register().await;
        let applicant = world.submitted().await;
        let own = reference(&applicant).await;
        assert_eq!(references(&seen(&interviewer, "tab=all").await), std::slice::from_ref(&own));
        let me = applicant.get("/api/users/me").send().await.json();
        let word = |name: &str| me[name].as_str().unwrap().to_owned();
        let phone = word("phoneNumber");
        for found in [
            format!("q={}", word("lastName").to_uppercase()),
            format!("q={}", &word("firstName")[..2]),
            format!("q={}", word("email")),
            format!("q={own}"),
            format!("q={}", own.replace('-', "").to_lowercase()),
            format!("q={}", &phone[1..]),
            "program=ba&status=incomplete&stage=submitted".into(),
            "owner=nobody&documents=missing".into(),
            "waiting=0&sort=name".into(),
        ] {
            assert_eq!(references(&seen(&interviewer, &format!("tab=all&{found}")).await), std::slice::from_ref(&own), "{found}");
        }
        for missed in ["q=nobody-like-that", "program=msc", "stage=held", "owner=0199-x", "waiting=1", "tag=none",
                       "interviewFrom=2026-01-01", "q=program"] {
            assert_eq!(references(&seen(&interviewer, &format!("tab=all&{missed}")).await), Vec::<String>::new(), "{missed}");
        }
        let tabs = seen(&interviewer, "tab=submitted").await["tabs"].clone();
        let count = |label: &str| {
            tabs.as_array().unwrap().iter().find(|tab| tab["label"] == label).unwrap()["count"].clone()
        };
        assert_eq!((count("Submitted"), count("Decisions"), count("All")), (json!("1"), json!("0"), json!("1")));

        // It follows the applicant's changes, and an application that is taken back disappears.
        let renamed = applicant.call("PATCH", "/api/users/profile").json(&json!({ "lastName": "Demonova" })).send().await;
        assert_eq!(renamed.status, 200, "{renamed:?}");
        assert_eq!(references(&seen(&interviewer, "tab=all&q=demonova").await), std::slice::from_ref(&own));
        let back = applicant.post("/api/users/application/unsubmit").json(&json!({})).send().await;
        assert_eq!(back.status, 200, "{back:?}");
        assert_eq!(references(&seen(&interviewer, "tab=all").await), Vec::<String>::new());
        assert_eq!(database.count("listing_terms").await, 0);
    }

    async fn pages_are_turned_both_ways_and_show_everybody_once(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        let mut all = BTreeSet::new();
        for _ in 0..7 {
            all.insert(reference(&world.submitted().await).await);
        }
        let mut read = Vec::new();
        for sort in ["waiting", "-waiting", "submitted", "-submitted", "name", "-name"] {
            let mut pages = Vec::new();
            let mut next = format!("tab=all&pageSize=3&sort={sort}");
            let last = loop {
                let props = seen(&staff, &next).await;
                pages.push(references(&props));
                match props["nextHref"].as_str() {
                    Some(href) => next = href.split_once('?').unwrap().1.to_owned(),
                    None => break props,
                }
            };
            assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 1], "{sort}");
            assert_eq!(pages.iter().flatten().cloned().collect::<BTreeSet<_>>(), all, "{sort}");
            let mut back = last;
            for page in pages.iter().rev().skip(1) {
                let previous = back["previousHref"].as_str().unwrap().split_once('?').unwrap().1.to_owned();
                back = seen(&staff, &previous).await;
                assert_eq!(references(&back), *page, "{sort}");
            }
            assert_eq!(back["previousHref"], json!(null), "{sort}");
            assert_eq!(back["countText"], "7 applications");
            read.push(pages.concat());
        }
        for ends in read.chunks(2) {
            assert!(ends[0].iter().eq(ends[1].iter().rev()), "{ends:?}");
        }
        // The same where terms lead to the rows.
        let found = seen(&staff, "tab=all&pageSize=3&program=ba&sort=name").await;
        assert_eq!((found["rows"].as_array().unwrap().len(), &found["countText"]), (3, &json!("7 applications")));
    }

    async fn words_that_begin_alike_are_of_one_application(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        let many: Vec<String> = ('a'..='t').map(|letter| format!("qa{letter}")).collect();
        let mut all = Vec::new();
        for name in [many.join(" ").as_str(), "Qazim"] {
            let applicant = world.submitted().await;
            let named = applicant.call("PATCH", "/api/users/profile").json(&json!({ "firstName": name })).send().await;
            assert_eq!(named.status, 200, "{named:?}");
            all.push(reference(&applicant).await);
        }
        for sort in ["waiting", "name"] {
            let first = seen(&staff, &format!("tab=all&q=qa&pageSize=1&sort={sort}")).await;
            assert_eq!((references(&first), &first["countText"]), (all[..1].to_vec(), &json!("2 applications")), "{sort}");
            let next = first["nextHref"].as_str().expect("there is one more").split_once('?').unwrap().1.to_owned();
            let last = seen(&staff, &next).await;
            assert_eq!((references(&last), &last["nextHref"]), (all[1..].to_vec(), &json!(null)), "{sort}");
            let previous = last["previousHref"].as_str().unwrap().split_once('?').unwrap().1.to_owned();
            assert_eq!(references(&seen(&staff, &previous).await), all[..1], "{sort}");
        }
    }

    async fn several_are_assigned_and_tagged_after_a_look(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let (one, two) = (world.submitted().await, world.submitted().await);
        let ids = [application_id(&one).await, application_id(&two).await];
        let chosen = [("here", "tab=all"), ("id", ids[0].as_str()), ("id", ids[1].as_str())];
        let send = |member: &StaffClient, fields: &[(&'static str, &str)]| {
            let all: Vec<(&str, &str)> = chosen.iter().copied().chain(fields.iter().copied()).collect();
            member.send(LIST, &all).header("accept", "application/json")
        };
        let look = send(&reviewer, &[("_action", "tag"), ("newTag", " Second  Look ")]).send().await;
        assert_eq!(look.status, 200, "{look:?}");
        let bulk = &look.json()["props"]["bulk"];
        assert_eq!((&bulk["title"], &bulk["done"]), (&json!("Tag “second look” on 2 applications"), &json!(false)));
        assert_eq!(database.count("application_tags").await, 0);

        let confirmed = [("_action", "tag"), ("newTag", "second look"), ("confirmed", "yes")];
        let done = send(&reviewer, &confirmed).send().await.json()["props"].clone();
        let outcomes = |props: &Value| -> Vec<String> {
            let rows = props["bulk"]["rows"].as_array().unwrap();
            rows.iter().map(|row| row["outcome"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(outcomes(&done), ["Done", "Done"]);
        assert_eq!(done["rows"][0]["cells"][6], "second look");
        let again = send(&reviewer, &confirmed).send().await.json()["props"].clone();
        assert_eq!(outcomes(&again), ["It was so already", "It was so already"]);
        let mine = [("_action", "assign"), ("assignee", reviewer.staff.id.as_str()), ("confirmed", "yes")];
        let given = send(&reviewer, &mine).send().await.json()["props"].clone();
        assert_eq!(outcomes(&given), ["Done", "Done"]);
        // Each is given back to its former owner, and reassigned.
        let undo = given["bulk"]["undo"]["fields"].as_array().unwrap().clone();
        let fields: Vec<(&str, &str)> = undo.iter().map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap())).collect();
        let back = reviewer.send(LIST, &[&[("here", "tab=all")], &fields[..]].concat()).send().await;
        assert_eq!((back.status, back.header("location")), (303, &*format!("{LIST}?tab=all&sort=submitted&done=given-back")));
        assert_eq!(seen(&reviewer, "tab=all&owner=nobody").await["rows"].as_array().unwrap().len(), 2);
        assert_eq!(outcomes(&send(&reviewer, &mine).send().await.json()["props"]), ["Done", "Done"]);
        for query in [format!("tab=all&owner={}", reviewer.staff.id), "tab=all&tag=second+look".into()] {
            assert_eq!(seen(&reviewer, &query).await["rows"].as_array().unwrap().len(), 2, "{query}");
        }
        let off = [("_action", "untag"), ("newTag", "second look"), ("confirmed", "yes")];
        assert_eq!(outcomes(&send(&reviewer, &off).send().await.json()["props"]), ["Done", "Done"]);
        assert_eq!(seen(&reviewer, "tab=all&tag=second+look").await["countText"], "0 applications");
        let audited = "SELECT action FROM audit WHERE action LIKE 'application.%agged' OR action = 'application.assigned'";
        assert_eq!(database.texts(audited).await.len(), 10);

        // An impossible act is refused with a message, and nothing is done.
        let bad = |fields: Vec<(&'static str, String)>| {
            let reviewer = reviewer.clone();
            async move {
                let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
                reviewer.send(LIST, &fields).header("accept", "application/json").send().await
            }
        };
        let field = |name: &'static str, value: &str| (name, value.to_owned());
        for (fields, path) in [
            (vec![field("_action", "tag"), field("newTag", "x")], "id"),
            (vec![field("_action", "tag"), field("newTag", "a:b"), field("id", &ids[0])], "newTag"),
            (vec![field("_action", "assign"), field("assignee", ""), field("id", &ids[0])], "assignee"),
        ] {
            let answer = bad(fields).await;
            assert_eq!(answer.status, 422, "{answer:?}");
            assert!(answer.json()["props"]["form"]["errors"][path].is_string(), "{path}: {answer:?}");
        }
        let nobody = vec![field("_action", "assign"), field("assignee", "1"), field("id", &ids[0]), field("confirmed", "yes")];
        assert_eq!(bad(nobody).await.status, 404);
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(send(&viewer, &confirmed).send().await.status, 403);
        assert_eq!(database.count("application_tags").await, 0);
    }

    async fn a_view_is_saved_as_csv_by_who_may(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let file = reviewer.see(&format!("{LIST}.csv?tab=all")).send().await;
        assert_eq!(file.status, 200, "{file:?}");
        assert!(file.header("content-disposition").contains("applications.csv"));
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("Reference,First name") && lines[1].starts_with(&reference(&applicant).await));
        // A telephone number is not a formula.
        assert!(lines[1].contains(",'+"), "{}", lines[1]);
        assert_eq!(database.texts("SELECT action FROM audit WHERE action = 'applications.exported'").await.len(), 1);
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(viewer.see(&format!("{LIST}.csv?tab=all")).send().await.status, 403);
        assert_eq!(viewer.see(&format!("{LIST}.xlsx?tab=all")).send().await.status, 403);
        assert_eq!(seen(&viewer, "tab=all").await["exports"], json!([]));
        assert_eq!(reviewer.see(&format!("{LIST}.xlsx?tab=nowhere")).send().await.status, 400);

        // The same as a workbook, where text is text.
        let file = reviewer.see(&format!("{LIST}.xlsx?tab=all&q=Demo&column=phone")).send().await;
        assert_eq!(file.status, 200, "{file:?}");
        assert!(file.header("content-disposition").contains("applications.xlsx"));
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file.bytes.as_slice())).unwrap();
        let mut sheet = String::new();
        archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
        assert_eq!(sheet.matches("<row>").count(), 2, "{sheet}");
        assert!(sheet.contains(&reference(&applicant).await) && sheet.contains(">+1"), "{sheet}");
        // Search terms are not recorded.
        let details = database.texts("SELECT detail FROM audit WHERE action = 'applications.exported'").await;
        assert_eq!(details.len(), 2);
        assert!(details[1].contains("xlsx") && details.iter().all(|detail| !detail.contains("Demo")), "{details:?}");
    }

    async fn what_a_view_cannot_mean_is_said_beside_its_field(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        let long = format!("q={}", "x".repeat(10_000));
        for (query, path) in [
            (long.as_str(), "q"),
            ("q=a%00b", "q"),
            ("pageSize=100000", "pageSize"),
            ("after=1+OR+1%3D1", "after"),
            ("state=XX", "state"),
            ("waiting=-3", "waiting"),
        ] {
            let page = staff.see(&format!("{LIST}?{query}")).header("accept", "application/json").send().await;
            // An address that is too long is refused as a whole.
            if page.status == 414 {
                continue;
            }
            assert_eq!(page.status, 422, "{query}: {page:?}");
            assert!(page.json()["props"]["form"]["errors"][path].is_string(), "{page:?}");
        }
        assert_eq!(references(&seen(&staff, "q='+OR+A=A--").await), Vec::<String>::new());
        // What was typed stays.
        let page = staff.see(&format!("{LIST}?q=%25")).header("accept", "application/json").send().await;
        assert_eq!((page.status, &page.json()["props"]["values"]["q"]), (422, &json!("%")));
    }

    async fn who_may_not_see_personal_data_finds_nobody_by_it(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let me = applicant.get("/api/users/me").send().await.json();
        let phone = me["phoneNumber"].as_str().unwrap().to_owned();
        for hidden in ["country=AQ", "citizen=no&country=AQ", "state=AK"] {
            let query = format!("tab=all&{hidden}");
            assert_eq!(references(&seen(&interviewer, &query).await).len(), 0, "{hidden}");
            let props = seen(&viewer, &query).await;
            assert_eq!((references(&props).len(), &props["active"]), (1, &json!([])), "{hidden}");
            let call = format!("/api/admins/applications?{query}");
            assert_eq!(viewer.api("GET", &call).send().await.json()["count"], 1, "{hidden}");
            assert_eq!(interviewer.api("GET", &call).send().await.json()["count"], 0, "{hidden}");
        }
        let by_phone = format!("tab=all&q={}", &phone[1..]);
        assert_eq!(references(&seen(&interviewer, &by_phone).await).len(), 1);
        let page = viewer.see(&format!("{LIST}?{by_phone}")).header("accept", "application/json").send().await;
        assert_eq!(page.status, 422, "{page:?}");
        assert!(page.json()["props"]["form"]["errors"]["q"].is_string(), "{page:?}");
        let call = format!("/api/admins/applications?{by_phone}");
        viewer.api("GET", &call).send().await.assert_problem(422, "q.role");
        let listed = |member: &StaffClient| member.api("GET", "/api/admins/applications?tab=all");
        let shown = listed(&viewer).send().await;
        assert!(!shown.text.contains(&phone) && !shown.text.contains("country"), "{shown:?}");
        assert_eq!(listed(&interviewer).send().await.json()["applications"][0]["phoneNumber"], phone);
    }

    async fn the_call_gives_what_the_page_shows(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        for _ in 0..5 {
            world.submitted().await;
        }
        let ids = |props: &Value, rows: &str| -> Vec<String> {
            props[rows].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
        };
        let all = ids(&seen(&staff, "tab=all&sort=name").await, "rows");
        let mut pages: Vec<Vec<String>> = Vec::new();
        let mut cursor = String::new();
        let last = loop {
            let call = format!("/api/admins/applications?tab=all&sort=name&pageSize=2{cursor}");
            let page = staff.api("GET", &call).send().await;
            assert_eq!(page.status, 200, "{page:?}");
            let page = page.json();
            assert_eq!(page["count"], 5);
            pages.push(ids(&page, "applications"));
            match page["next"].as_str() {
                Some(next) => cursor = format!("&after={}", next.replace(' ', "+")),
                None => break page,
            }
        };
        assert_eq!((pages.concat(), pages.len()), (all, 3));
        let before = last["previous"].as_str().unwrap().replace(' ', "+");
        let call = format!("/api/admins/applications?tab=all&sort=name&pageSize=2&before={before}");
        assert_eq!(ids(&staff.api("GET", &call).send().await.json(), "applications"), pages[1]);
        let waiting = staff.api("GET", "/api/admins/applications?q=nobody-like-that").send().await.json();
        assert_eq!((&waiting["count"], waiting.get("next")), (&json!(0), None));
        for (query, code) in [
            ("tab=x", "tab.invalid"),
            ("state=XX", "state.invalid"),
            ("after=x", "after.invalid"),
            ("pageSize=0", "pageSize.range"),
            ("pageSize=101", "pageSize.range"),
            ("pageSize=1.5", "pageSize.range"),
            ("interviewFrom=2026-05-02&interviewTo=2026-05-01", "interviewTo.order"),
        ] {
            staff.api("GET", &format!("/api/admins/applications?{query}")).send().await.assert_problem(422, code);
        }
    }

    async fn a_view_is_named_renamed_and_deleted(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let here = "tab=decisions&state=TX&sort=name&column=stage&column=phone";
        let post = |member: &StaffClient, fields: &[(&'static str, &str)]| {
            let fields: Vec<(&str, &str)> = [("here", here)].into_iter().chain(fields.iter().copied()).collect();
            member.send(&format!("{LIST}/views"), &fields).header("accept", "application/json")
        };
        let views = |props: &Value| props["views"]["all"].as_array().unwrap().clone();
        let kept = [("_action", "save"), ("key", "demo-key-1"), ("viewName", " To   decide "), ("shared", "yes")];
        // Sent twice by a double click, and kept once.
        for _ in 0..2 {
            let saved = post(&reviewer, &kept).send().await;
            assert_eq!((saved.status, saved.header("location")), (303, &*format!("{LIST}?{here}&done=view-saved")));
        }
        let props = seen(&reviewer, here).await;
        let [view] = &views(&props)[..] else { panic!("{props}") };
        assert_eq!((&view["name"], &view["shared"], &view["current"]), (&json!("To decide"), &json!(true), &json!(true)));
        assert_eq!(props["columns"][1]["label"], "Phone");
        assert_eq!(seen(&reviewer, "tab=all").await["views"]["all"][0]["current"], false);
        // Everybody has it, without what their role may not see.
        let query = view["href"].as_str().unwrap().split_once('?').unwrap().1.to_owned();
        let theirs = seen(&viewer, &query).await;
        assert_eq!((&theirs["columns"].as_array().unwrap().len(), &theirs["active"]), (&1, &json!([])));
        assert_eq!(views(&theirs)[0]["mayChange"], false);
        let id = view["id"].as_str().unwrap().to_owned();
        let rename = [("_action", "rename"), ("view", &*id), ("seen", "To decide"), ("viewName", "To be decided")];
        assert_eq!(post(&viewer, &rename).send().await.status, 404);
        let delete = [("_action", "delete"), ("view", &*id)];
        let confirmed = [("_action", "delete"), ("view", &*id), ("confirmed", "yes")];
        assert_eq!(post(&viewer, &confirmed).send().await.status, 404);
        let shared = [("_action", "save"), ("key", "k2"), ("viewName", "x"), ("shared", "yes")];
        assert_eq!(post(&viewer, &shared).send().await.status, 403);
        // Personal views are visible only to their owner.
        let own = [("_action", "save"), ("key", "k3"), ("viewName", "To decide")];
        assert_eq!(post(&viewer, &own).send().await.status, 303);
        assert_eq!((views(&seen(&viewer, "tab=all").await).len(), views(&seen(&reviewer, "tab=all").await).len()), (2, 1));
        // A key of another person's view takes nothing from them.
        assert_eq!(post(&reviewer, &[("_action", "save"), ("key", "k3"), ("viewName", "Mine")]).send().await.status, 422);

        for (fields, typed) in [
            (vec![("_action", "save"), ("key", "k4"), ("viewName", "To decide")], "To decide"),
            (vec![("_action", "save"), ("key", "k4"), ("viewName", "  ")], "  "),
            (vec![("_action", "save"), ("key", "k4"), ("viewName", "To\u{202e}edit")], "To\u{202e}edit"),
            (vec![("_action", "save"), ("key", "k4"), ("viewName", &"x".repeat(61))], &"x".repeat(61)),
            (vec![("_action", "rename"), ("view", &*id), ("seen", "To decide"), ("viewName", "")], ""),
        ] {
            let refused = post(&reviewer, &fields).send().await;
            assert_eq!(refused.status, 422, "{refused:?}");
            let form = &refused.json()["props"]["form"];
            assert!(form["errors"]["viewName"].is_string(), "{form}");
            assert_eq!(form["values"]["viewName"], typed, "{form}");
        }
        assert_eq!(post(&reviewer, &rename).send().await.status, 303);
        // The view has been renamed since it was shown.
        let late = post(&reviewer, &[("_action", "rename"), ("view", &*id), ("seen", "To decide"), ("viewName", "Other")]).send().await;
        assert_eq!(late.status, 422, "{late:?}");
        assert_eq!(late.json()["props"]["views"]["all"][0]["name"], "To be decided");
        let asked = post(&reviewer, &delete).send().await;
        assert_eq!((asked.status, &asked.json()["props"]["views"]["deleting"]), (200, &json!(id)));
        assert_eq!(database.count("list_views").await, 2);
        assert_eq!(post(&reviewer, &confirmed).send().await.status, 303);
        assert_eq!(post(&reviewer, &confirmed).send().await.status, 404);
        assert_eq!(database.count("list_views").await, 1);
        let audited = database.texts("SELECT action FROM audit WHERE action LIKE 'view.%' ORDER BY action").await;
        assert_eq!(audited, ["view.deleted", "view.renamed", "view.saved", "view.saved"]);
    }

    async fn columns_are_kept_for_each_and_views_are_tabs(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        world.submitted().await;
        let post = |member: &StaffClient, here: &str, action: &str| {
            member.send(&format!("{LIST}/views"), &[("here", here), ("_action", action)]).header("accept", "application/json")
        };
        let columns = |props: &Value| -> Vec<String> {
            let told = |column: &Value| format!("{}:{}", column["value"].as_str().unwrap(), column["width"]);
            props["columns"].as_array().unwrap().iter().map(told).collect()
        };
        let usual = columns(&seen(&reviewer, "tab=all").await);
        let here = "tab=all&sort=submitted&column=phone:200&column=stage&nameWidth=300";
        let own = seen(&reviewer, here).await;
        assert_eq!((columns(&own), &own["hasOwnColumns"], &own["hasKeptColumns"]), (vec!["phone:200".to_owned(), "stage:null".to_owned()], &json!(true), &json!(false)));
        let kept = post(&reviewer, here, "columns").send().await;
        assert_eq!((kept.status, kept.header("location")), (303, &*format!("{LIST}?tab=all&sort=submitted&done=columns-kept")));
        let now = seen(&reviewer, "tab=decisions").await;
        assert_eq!((columns(&now), &now["nameWidth"], &now["hasKeptColumns"]), (columns(&own), &json!(300), &json!(true)));
        // A colleague's layout is personal, and shows nobody what their role may not see.
        assert_eq!(columns(&seen(&viewer, "tab=all").await), usual);
        assert_eq!(post(&viewer, "tab=all&column=phone&column=tags", "columns").send().await.status, 303);
        assert_eq!(columns(&seen(&viewer, "tab=all").await), ["tags:null"]);
        // A view with its own columns shows those.
        assert_eq!(columns(&seen(&reviewer, "tab=all&column=tags").await), ["tags:null"]);
        assert_eq!(post(&reviewer, "tab=all", "usual-columns").send().await.status, 303);
        assert_eq!((columns(&seen(&reviewer, "tab=all").await), database.count("list_layouts").await), (usual, 1));

        for index in 0..8 {
            let (key, name) = (format!("demo-{index}"), format!("View {index}"));
            let fields = [("here", "tab=all&program=ba&sort=name"), ("_action", "save"), ("key", &*key), ("viewName", &*name)];
            assert_eq!(reviewer.send(&format!("{LIST}/views"), &fields).send().await.status, 303);
        }
        let props = seen(&reviewer, "tab=all&sort=submitted").await;
        let counts: Vec<&Value> = props["views"]["all"].as_array().unwrap().iter().map(|view| &view["count"]).collect();
        assert_eq!(counts, [json!("1"), json!("1"), json!("1"), json!("1"), json!("1"), json!("1"), json!(null), json!(null)].iter().collect::<Vec<_>>());
        assert_eq!(props["tabs"].as_array().unwrap().iter().filter(|tab| tab["current"] == true).count(), 1);
        // Only the view shown has a tab.
        let shown = seen(&reviewer, "tab=all&program=ba&sort=name").await;
        assert!(shown["views"]["all"].as_array().unwrap().iter().all(|view| view["count"] == "1"), "{shown}");
        assert!(shown["tabs"].as_array().unwrap().iter().all(|tab| tab["current"] == false), "{shown}");
    }

    async fn many_are_read_in_order_whatever_leads_to_them(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        database.run(MANY_LISTED).await.unwrap();
        let ids = |props: &Value| -> Vec<String> {
            props["rows"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
        };
        for (sort, order, direction) in
            [("submitted", "submitted_at DESC", "DESC"), ("waiting", "waiting_since", "ASC"), ("name", "name_key", "ASC")]
        {
            // All of two facets; one facet; a word of some, of all, of both; and a facet of few.
            for (view, of) in [
                ("program=ba&military=yes", "LIKE '%a'"),
                ("military=yes", "LIKE '%a'"),
                ("q=even", "LIKE '%a'"),
                ("q=demo", "LIKE '%'"),
                ("q=demo+even&tab=submitted", "LIKE '%a'"),
                ("program=ba&dod=yes", "LIKE '00%'"),
            ] {
                let sql = format!("SELECT application_id FROM listings WHERE name_key {of} ORDER BY {order}, application_id {direction}");
                let expected = database.texts(&sql).await;
                let tab = if view.contains("tab=") { "" } else { "tab=all&" };
                let view = format!("{tab}{view}&sort={sort}&pageSize=50");
                let first = seen(&staff, &view).await;
                assert_eq!(ids(&first), expected[..50], "{view}");
                let next = first["nextHref"].as_str().unwrap().split_once('?').unwrap().1.to_owned();
                let second = seen(&staff, &next).await;
                assert_eq!(ids(&second), expected[50..100], "{view}");
                let back = second["previousHref"].as_str().unwrap().split_once('?').unwrap().1.to_owned();
                assert_eq!(ids(&seen(&staff, &back).await), expected[..50], "{view}");
            }
        }
    }

    async fn two_orders_are_read_both_ways_one_within_the_other(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        staff_client(&world, Role::Interviewer).await;
        database.run("UPDATE staff SET name = CASE role WHEN 'reviewer' THEN 'Zoë Reviewer' ELSE 'Ann Interviewer' END").await.unwrap();
        database.run(SOME_LISTED).await.unwrap();
        let told = "SELECT application_id || '|' || stage || '|' || program || '|' || COALESCE(CASE assigned_to WHEN \
                    (SELECT id FROM staff WHERE role = 'reviewer') THEN '1' END, CASE WHEN assigned_to IS NULL THEN '2' ELSE '0' END) \
                    || '|' || name_key || '|' || CAST(waiting_since AS TEXT) || '|' || CAST(submitted_at AS TEXT) || '|' || \
                    COALESCE(CAST(interview_at AS TEXT), '') FROM listings";
        let rows: Vec<Vec<String>> =
            database.texts(told).await.iter().map(|row| row.split('|').map(str::to_owned).collect()).collect();
        // Among rows that the list shows as alike, the day counts and not the hour.
        let now = world.clock.now();
        let key = |row: &[String], sort: &str, is_alike: bool| -> (bool, i64, String) {
            let back = if sort.starts_with('-') { -1 } else { 1 };
            let number = |text: &str| text.parse::<i64>().unwrap();
            let day = |at: i64| {
                let day = clocks::day(at, "America/Chicago");
                if is_alike { i64::from(day.year()) * 1000 + i64::from(day.day_of_year()) } else { at }
            };
            match sort.trim_start_matches('-') {
                "stage" => (false, back * i64::from(row[1] == "held"), String::new()),
                "program" => (false, back * i64::from(row[2] == "msc"), String::new()),
                "owner" => (row[3] == "2", back * number(&row[3]), String::new()),
                "waiting" if is_alike => (false, -back * ((now - number(&row[5])) / DAY), String::new()),
                "waiting" => (false, back * number(&row[5]), String::new()),
                "submitted" => (false, -back * day(number(&row[6])), String::new()),
                "interview" if row[7].is_empty() => (true, 0, String::new()),
                "interview" => (false, back * day(number(&row[7])), String::new()),
                _ => (false, 0, row[4].clone()),
            }
        };
        let by = ["stage", "program", "owner", "waiting", "submitted", "interview", "name"];
        let pairs: Vec<(&str, &str)> = by.iter().flat_map(|one| by.iter().map(move |other| (*one, *other))).collect();
        for (index, (sort, then)) in pairs.into_iter().enumerate() {
            // From both ends, and each, except names, with a second order from both ends.
            let end = |is_back: bool, sort: &str| if is_back && sort != "name" { format!("-{sort}") } else { sort.to_owned() };
            let (sort, then) = (end(index % 2 == 1, sort), end(index % 3 == 1, then));
            let is_second = sort.trim_start_matches('-') != then.trim_start_matches('-');
            let view = format!("tab=all&pageSize=13&sort={sort}{}", if is_second { format!("&then={then}") } else { String::new() });
            let mut pages = vec![seen(&staff, &view).await];
            while let Some(next) = pages.last().unwrap()["nextHref"].as_str() {
                let next = next.split_once('?').unwrap().1.to_owned();
                pages.push(seen(&staff, &next).await);
            }
            let ids = |props: &Value| -> Vec<String> {
                props["rows"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
            };
            let read: Vec<String> = pages.iter().flat_map(ids).collect();
            let found = |id: &String| rows.iter().find(|row| row[0] == *id).unwrap();
            let keys: Vec<_> = read.iter().map(|id| {
                let row = found(id);
                (key(row, &sort, is_second), is_second.then(|| key(row, &then, false)))
            }).collect();
            assert!(keys.is_sorted(), "{view}: {keys:?}");
            let once: BTreeSet<&String> = read.iter().collect();
            assert_eq!((read.len(), once.len()), (60, 60), "{view}");
            let mut back = pages.pop().unwrap();
            while let Some(previous) = back["previousHref"].as_str() {
                let previous = previous.split_once('?').unwrap().1.to_owned();
                back = seen(&staff, &previous).await;
                assert_eq!(ids(&back), ids(&pages.pop().unwrap()), "{view}");
            }
            assert_eq!(pages.len(), 0, "{view}");
        }
        // A tab, a filter and a search narrow these orders too; orders that stand alone remain so.
        for (view, count) in [("tab=submitted", 40), ("tab=all&program=msc", 20), ("tab=all&q=many&stage=held", 20)] {
            for sort in ["stage&then=-name", "interview", "submitted&then=owner", "owner"] {
                let props = seen(&staff, &format!("{view}&sort={sort}&pageSize=100")).await;
                assert_eq!(props["rows"].as_array().unwrap().len(), count, "{view} {sort}");
            }
        }
    }

    async fn a_view_of_many_is_counted_as_far_as_it_matters(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        database.run(MANY_LISTED).await.unwrap();
        for (view, count) in [
            ("tab=all", "More than 1,000 applications"),
            ("tab=all&program=ba", "More than 1,000 applications"),
            ("tab=decisions&program=ba", "0 applications"),
            ("tab=all&q=demo", "More than 1,000 applications"),
            ("tab=all&q=even", "More than 1,000 applications"),
            ("tab=all&program=ba&q=demo&stage=held", "0 applications"),
            // Few match, so all are examined.
            ("tab=submitted&program=ba&dod=yes&q=even", "120 applications"),
            ("tab=submitted&stage=changes", "More than 1,000 applications"),
        ] {
            assert_eq!(seen(&staff, view).await["countText"], count, "{view}");
        }
        // Every second of all, of which some hundreds are examined.
        let half = seen(&staff, "tab=submitted&program=ba&military=yes").await["countText"].as_str().unwrap().to_owned();
        let number: i64 = half.strip_prefix("At least ").unwrap().strip_suffix(" applications").unwrap().parse().unwrap();
        assert!((50..=500).contains(&number), "{half}");
        let list = staff.api("GET", "/api/admins/applications?tab=submitted&program=ba&military=yes").send().await.json();
        // A sample, which may differ each time.
        assert!((50..=500).contains(&list["count"].as_i64().unwrap()), "{list}");
        assert_eq!(list["countIsComplete"], false);
        let few = staff.api("GET", "/api/admins/applications?tab=submitted&dod=yes").send().await.json();
        assert_eq!((&few["count"], &few["countIsComplete"]), (&json!(120), &json!(true)));
    }
}

/// 60 applications of two stages, two programs, two owners and nobody, over some days; a third have an interview.
const SOME_LISTED: &str = "
    CREATE TABLE made AS WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 60)
        SELECT n, 'demo-' || CAST(n AS TEXT) AS id, 1767225600000 + n * 37 % 60 * 17000000 AS x,
        1767225600000 + n * 23 % 60 * 11000000 AS y, CASE n % 3 WHEN 0 THEN 'held' ELSE 'submitted' END AS stage,
        CASE n * 7 % 6 WHEN 0 THEN 'msc' WHEN 1 THEN 'msc' ELSE 'ba' END AS program,
        'demo ' || CAST(n * 13 % 7 AS TEXT) AS name,
        CASE n % 4 WHEN 0 THEN (SELECT MIN(id) FROM staff) WHEN 1 THEN (SELECT MAX(id) FROM staff) END AS owner FROM s;
    INSERT INTO applicants (id, email, email_key, first_name, last_name, date_of_birth, phone_number, country, time_zone,
        password_hash, created_at)
        SELECT id, id, id, 'Demo', 'Many', '1990-02-28', '+1555', 'US', '', '', 0 FROM made;
    INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, created_at, updated_at, submitted_at)
        SELECT id, id, program, CASE stage WHEN 'held' THEN 'scheduled' ELSE 'incomplete' END, stage, '{}', 2, 0, 0, x FROM made;
    INSERT INTO listings (application_id, tab, needs_action, name_key, submitted_at, waiting_since, interview_at, stage, program,
        assigned_to, facets)
        SELECT id, CASE stage WHEN 'held' THEN 'decisions' ELSE 'submitted' END, 0, name, x, y,
        CASE n % 3 WHEN 1 THEN y + n % 5 * 40000000 END, stage, program, owner, 'owner:' || COALESCE(owner, 'nobody') FROM made;
    INSERT INTO listing_terms (term, application_id, submitted_at, waiting_since, name_key)
        SELECT term, id, x, y, name FROM (
            SELECT 'program:' || program AS term, id, x, y, name FROM made
            UNION ALL SELECT 'stage:' || stage, id, x, y, name FROM made
            UNION ALL SELECT 'owner:' || COALESCE(owner, 'nobody'), id, x, y, name FROM made
            UNION ALL SELECT 'w:many', id, x, y, name FROM made) terms;
    DROP TABLE made;";

/// 12,000 applications. Every second one's name ends with `a`, and it is of the military; every hundredth one's begins
/// with `00`, and it is of the DoD. More words begin with `demo` than are sorted.
const MANY_LISTED: &str = "
    CREATE TABLE made AS WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 12000)
        SELECT n, 'demo-' || CAST(n AS TEXT) AS id, 1000000 + n * 7919 % 12007 AS x, n * 31 % 97 AS y,
        CASE n % 100 WHEN 0 THEN '00' ELSE '1' END || CAST(n * 31 % 97 AS TEXT) || CASE n % 2 WHEN 0 THEN 'a' ELSE 'b' END
        AS name FROM s;
    INSERT INTO applicants (id, email, email_key, first_name, last_name, date_of_birth, phone_number, country, time_zone,
        password_hash, created_at)
        SELECT id, id, id, 'Demo', 'Many', '1990-02-28', '+1555', 'US', '', '', 0 FROM made;
    INSERT INTO applications (id, applicant_id, program, status, stage, answers, revision, created_at, updated_at, submitted_at)
        SELECT id, id, 'ba', 'incomplete', 'submitted', '{}', 2, 0, 0, x FROM made;
    INSERT INTO listings (application_id, tab, needs_action, name_key, submitted_at, waiting_since, stage, program)
        SELECT id, 'submitted', 0, name, x, y, 'submitted', 'ba' FROM made;
    INSERT INTO listing_terms (term, application_id, submitted_at, waiting_since, name_key)
        SELECT term, id, x, y, name FROM (
            SELECT 'program:ba' AS term, id, x, y, name FROM made
            UNION ALL SELECT 'w:demo', id, x, y, name FROM made
            UNION ALL SELECT 'w:demonstration', id, x, y, name FROM made
            UNION ALL SELECT 'stage:changes', id, x, y, name FROM made WHERE n % 3 = 0
            UNION ALL SELECT 'dod:yes', id, x, y, name FROM made WHERE n % 100 = 0
            UNION ALL SELECT 'military:yes', id, x, y, name FROM made WHERE n % 2 = 0
            UNION ALL SELECT 'w:even', id, x, y, name FROM made WHERE n % 2 = 0) terms;
    DROP TABLE made;";
