//! Work: tasks open and close with their cause, are taken, put back and handed over, and one leads to the next.

use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use super::interviews::{act as at_interview, book, open_week};
use super::{StaffClient, entered, staff_client};
use crate::api::documents;
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::server::{Client, World};

async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// The kinds of tasks in a tab, most urgent first.
async fn work(staff: &StaffClient, whose: &str) -> Vec<String> {
    let list = staff.api("GET", &format!("/api/admins/work?whose={whose}")).send().await;
    assert_eq!(list.status, 200, "{list:?}");
    let list = list.json();
    list["tasks"].as_array().unwrap().iter().map(|task| task["task"].as_str().unwrap().to_owned()).collect()
}

async fn page(staff: &StaffClient, query: &str) -> Value {
    let answer = staff.see(&format!("/admin-panel/work{query}")).header("accept", "application/json").send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

async fn needs_action(staff: &StaffClient) -> i64 {
    let list = staff.api("GET", "/api/admins/applications?tab=needs-action").send().await;
    list.json()["count"].as_i64().unwrap()
}

story! {
    async fn tasks_follow_from_what_applicants_and_staff_do(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        open_week(&interviewer, &interviewer.staff.id, "2", "09:00", "12:00").await;
        let decider = staff_client(&world, Role::Decider).await;
        let ada = world.submitted().await;
        let id = id_of(&ada).await;
        assert_eq!(work(&decider, "team").await, ["alert"]);
        world.clock.advance(MINUTE);
        assert_eq!(documents::send(&ada, "identity", "passport.pdf", &pdf(2000)).await.status, 201);
        world.work().await;
        assert_eq!(work(&decider, "team").await, ["alert", "document-check"], "somebody has to look at it");
        let review = format!("/api/admins/applications/{id}/documents/identity");
        let accepted = decider.api("POST", &review).json(&json!({ "decision": "accept" })).send().await;
        assert_eq!(accepted.status, 204, "{accepted:?}");
        assert_eq!(work(&decider, "team").await, ["alert"]);

        book(&ada, "2026-05-12T14:00:00Z").await;
        assert_eq!(work(&interviewer, "mine").await, ["interview"], "whoever is booked holds it");
        assert_eq!(page(&interviewer, "").await["props"]["rows"][0]["overdue"], false);
        world.clock.advance(8 * DAY + 3 * HOUR);
        let (interviewer, decider) = (entered(&world, &interviewer.staff).await, entered(&world, &decider.staff).await);
        assert_eq!(page(&interviewer, "").await["props"]["rows"][0]["overdue"], true);
        assert_eq!(at_interview(&interviewer, &id, &[("_action", "held")]).await.status, 303);
        assert_eq!(work(&interviewer, "mine").await, ["score-sheet"]);
        assert_eq!(work(&decider, "unassigned").await, ["decision-draft"]);
        assert_eq!(needs_action(&decider).await, 1);

        let decision = format!("/api/admins/applications/{id}/decision");
        let draft = json!({ "outcome": "reject", "letter": "no_place", "withoutDocuments": "Seen on paper", "reasons": ["places"], "shownReasons": ["places"] });
        assert_eq!(decider.api("POST", &decision).json(&draft).send().await.status, 200);
        assert_eq!(work(&decider, "unassigned").await, ["decision-release"]);
        assert_eq!(decider.api("DELETE", &decision).send().await.status, 204);
        assert_eq!(work(&decider, "unassigned").await, ["decision-draft"]);
        let drafted = decider.api("POST", &decision).json(&draft).send().await.json();
        let release = json!({ "decision": drafted["draft"]["id"] });
        let released = decider.api("POST", &format!("{decision}/release")).json(&release).send().await;
        assert_eq!(released.status, 200, "{released:?}");
        assert_eq!((work(&decider, "team").await, needs_action(&decider).await), (vec![], 0), "nothing is left to do");
        assert_eq!(database.texts("SELECT id FROM staff_tasks WHERE done_at IS NULL").await, Vec::<String>::new());
    }

    async fn a_task_is_taken_by_one_and_put_back(database: Database) {
        let world = World::start(database.db()).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Reviewer).await);
        let first = id_of(&world.submitted().await).await;
        world.clock.advance(MINUTE);
        let second = id_of(&world.submitted().await).await;
        let shown = page(&one, "?whose=unassigned").await;
        assert_eq!(shown["shared"]["office"]["tasks"], "", "nothing is theirs yet");
        let row = &shown["props"]["rows"][0];
        assert_eq!((&row["applicationId"], &row["title"], &row["owner"]), (&json!(first), &json!("See what has changed"), &Value::Null));
        let task = row["id"].as_str().unwrap();

        let take = |whose: &str| [("_action", format!("{whose}:{first}/{task}")), ("here", "whose=unassigned".to_owned())];
        let posted = async |who: &StaffClient, act: &str| {
            let fields = take(act);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            who.send("/admin-panel/work", &fields).send().await
        };
        posted(&one, "take").await.assert_redirect(303, "/admin-panel/work?whose=unassigned&done=taken");
        let late = posted(&two, "take").await;
        assert_eq!(late.status, 409, "a colleague was faster");
        assert!(late.text.contains("Somebody else has this task now."));
        let call = format!("/api/admins/applications/{first}/tasks/{task}/take");
        two.api("POST", &call).json(&json!({})).send().await.assert_problem(409, "task.taken");
        assert_eq!(page(&one, "").await["shared"]["office"]["tasks"], "1", "the menu counts");
        assert_eq!(posted(&two, "back").await.status, 409, "it is not theirs to put back");
        posted(&one, "back").await.assert_redirect(303, "/admin-panel/work?whose=unassigned&done=put-back");

        // One leads to the next: first one's own, then the most urgent without an owner.
        let next = async |who: &StaffClient, from: &str| {
            let answer = who.send("/admin-panel/work", &[("_action", "next"), ("from", from)]).send().await;
            assert_eq!(answer.status, 303, "{answer:?}");
            answer.header("location").to_owned()
        };
        let at = |id: &str| format!("/admin-panel/applications/{id}");
        assert_eq!(next(&one, "").await, at(&first));
        assert_eq!(next(&two, "").await, at(&second), "the first is a colleague’s by now");
        assert_eq!(next(&one, "").await, at(&first), "it still waits");
        assert_eq!(next(&one, &first).await, "/admin-panel/work?done=nothing");
        let answer = two.api("POST", "/api/admins/work/next").send().await;
        assert_eq!((answer.status, &answer.json()["applicationId"]), (200, &json!(second)));

        // Whoever is given an application is also given its tasks.
        let owner = json!({ "owner": two.staff.id });
        let given = one.api("POST", &format!("/api/admins/applications/{first}/owner")).json(&owner).send().await;
        assert_eq!(given.status, 204, "{given:?}");
        assert_eq!((work(&one, "mine").await.len(), work(&two, "mine").await.len()), (0, 2));
        let load = &page(&one, "?whose=team").await["props"]["load"];
        assert_eq!((load.as_array().unwrap().len(), &load[0]["count"]), (1, &json!("2")), "who has how much");
    }

    async fn each_role_sees_what_it_can_do(database: Database) {
        let world = World::start(database.db()).await;
        world.submitted().await;
        for (role, sees) in [(Role::Viewer, 0), (Role::Interviewer, 0), (Role::Finance, 0), (Role::Reviewer, 1), (Role::Owner, 1)] {
            let staff = staff_client(&world, role).await;
            assert_eq!(work(&staff, "team").await.len(), sees, "{role:?}");
            if role == Role::Viewer {
                staff.see("/admin-panel/work").send().await.assert_redirect(302, "/admin-panel/applications");
            } else {
                assert_eq!(page(&staff, "?whose=team").await["props"]["rows"].as_array().unwrap().len(), sees);
            }
        }
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(viewer.api("POST", "/api/admins/work/next").send().await.status, 204);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let listed = reviewer.api("GET", "/api/admins/work?whose=team").send().await.json();
        let (application, task) = (&listed["tasks"][0]["applicationId"], &listed["tasks"][0]["id"]);
        let path = format!("/api/admins/applications/{}/tasks/{}/take", application.as_str().unwrap(), task.as_str().unwrap());
        viewer.api("POST", &path).json(&json!({})).send().await.assert_problem(403, "role.forbidden");
        reviewer.api("GET", "/api/admins/work?task=nothing").send().await.assert_problem(422, "task.invalid");
        assert_eq!(page(&reviewer, "?task=nothing&after=x").await["props"]["rows"].as_array().unwrap().len(), 0, "mine");
    }

    async fn the_most_pressing_come_first_page_by_page(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let id = id_of(&world.submitted().await).await;
        // Of three kinds, each a minute older than the one before, and some with a due day.
        for number in 0..120 {
            let kind = ["slow", "dunning", "refund"][number % 3];
            let due = if number % 5 == 0 { format!("{}", 10_000_000 + number) } else { "NULL".to_owned() };
            let sql = format!(
                "INSERT INTO staff_tasks (id, kind, subject, detail, created_at, due_at) \
                 VALUES ('t{number:03}', '{kind}', 'application:{id}', '{{}}', {}, {due})",
                5_000_000 - number
            );
            database.run(&sql).await.unwrap();
        }
        let mut seen = Vec::new();
        let mut after = String::new();
        loop {
            let answer = owner.api("GET", &format!("/api/admins/work?whose=team&after={after}")).send().await.json();
            seen.extend(answer["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()));
            let Some(next) = answer["next"].as_str() else { break };
            after = next.to_owned();
        }
        let sql = "SELECT id FROM staff_tasks WHERE done_at IS NULL ORDER BY COALESCE(due_at, created_at), id";
        assert_eq!(seen, database.texts(sql).await);
        assert_eq!(seen.len(), 121);
        let shown = page(&owner, "?whose=team&task=refund").await;
        assert_eq!(shown["props"]["rows"].as_array().unwrap().len(), 40);
        let counts: Vec<&str> = shown["props"]["kinds"].as_array().unwrap().iter().map(|kind| kind["count"].as_str().unwrap()).collect();
        assert_eq!(counts, ["1", "40", "40", "40"]);
    }

    async fn what_was_listed_before_gets_its_tasks(database: Database) {
        let world = World::start(database.db()).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        open_week(&interviewer, &interviewer.staff.id, "2", "09:00", "12:00").await;
        let ada = world.submitted().await;
        book(&ada, "2026-05-12T14:00:00Z").await;
        // As left by a version that did not store tasks.
        database.run("DELETE FROM staff_tasks").await.unwrap();
        database.run("UPDATE listings SET has_tasks = 0").await.unwrap();
        world.app.complete_listings().await.unwrap();
        assert_eq!(work(&interviewer, "mine").await, ["interview"]);
    }

    async fn new_applications_are_given_by_rule(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let reviewers = [staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Reviewer).await];
        let set = async |values: Value| {
            let settings = owner.api("GET", "/api/admins/settings/work").send().await.json();
            let body = json!({ "replaces": settings["version"], "values": values });
            let answer = owner.api("PATCH", "/api/admins/settings/work").json(&body).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
        };
        let load = async || {
            let mut load = Vec::new();
            for reviewer in &reviewers {
                load.push(work(reviewer, "mine").await.len());
            }
            load
        };
        world.submitted().await;
        assert_eq!(load().await, [0, 0], "as long as nothing is set, somebody takes it");
        set(json!({ "owners": "turn" })).await;
        for _ in 0..4 {
            world.clock.advance(MINUTE);
            world.submitted().await;
        }
        assert_eq!(load().await, [2, 2]);
        set(json!({ "owners": "turn", "owners.bachelor": reviewers[1].staff.email, "owners.masters": reviewers[1].staff.email })).await;
        world.submitted().await;
        world.submitted().await;
        assert_eq!(load().await, [2, 4]);
        set(json!({ "owners": "load", "owners.bachelor": "", "owners.masters": "" })).await;
        world.submitted().await;
        assert_eq!(load().await, [3, 4]);
    }

    async fn what_waits_for_longer_than_the_office_wants_is_a_task(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let settings = owner.api("GET", "/api/admins/settings/work").send().await.json();
        let body = json!({ "replaces": settings["version"], "values": { "days.submitted": "3" } });
        assert_eq!(owner.api("PATCH", "/api/admins/settings/work").json(&body).send().await.status, 200);
        world.submitted().await;
        world.clock.advance(2 * DAY);
        world.work().await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        assert_eq!(work(&reviewer, "team").await, ["alert"]);
        world.clock.advance(4 * DAY);
        world.work().await;
        let reviewer = entered(&world, &reviewer.staff).await;
        assert_eq!(work(&reviewer, "team").await, ["alert", "slow"]);
        assert_eq!(page(&reviewer, "?whose=team").await["props"]["rows"][1]["detail"], "3 working days in its stage");
    }
}
