//! The page of one application: who sees what on it, and what one person, or two at once, can do there.

use matricula::domain::application::ApplicationKey;
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use matricula::domain::task::TaskKind;
use matricula::store::AuditEntry;
use serde_json::{Value, json};

use super::{StaffClient, staff_client};
use crate::api::documents;
use crate::support::databases::story;
use crate::support::files::pdf;
use crate::support::server::{Answer, Client, World};

/// The id of the client's application.
async fn id_of(client: &Client) -> String {
    client.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned()
}

/// The id of the application's applicant.
async fn applicant_of(world: &World, id: &str) -> String {
    world.store.application(ApplicationKey::Id(id)).await.unwrap().unwrap().0.id
}

fn path(id: &str, rest: &str) -> String {
    format!("/admin-panel/applications/{id}{rest}")
}

async fn looked_at(member: &StaffClient, path: &str) -> Answer {
    member.see(path).header("accept", "application/json").send().await
}

/// The props of a page.
async fn props(member: &StaffClient, path: &str) -> Value {
    let page = looked_at(member, path).await;
    assert_eq!(page.status, 200, "{path}: {page:?}");
    page.json()["props"].clone()
}

/// Sends a form; the page that it answers with.
async fn sent(member: &StaffClient, path: &str, fields: &[(&str, &str)]) -> Answer {
    member.send(path, fields).header("accept", "application/json").send().await
}

/// An applicant who has uploaded a proof of identity, their application, and the path of its documents.
async fn with_identity(world: &World) -> (Client, String, String) {
    let applicant = world.submitted().await;
    let id = id_of(&applicant).await;
    let file = documents::send(&applicant, "identity", "passport.pdf", &pdf(2000)).await;
    assert_eq!(file.status, 201, "{file:?}");
    let to = path(&id, "/documents");
    (applicant, id, to)
}

/// The proof of identity, as the member sees it at `to`.
async fn identity(member: &StaffClient, to: &str) -> Value {
    let props = props(member, to).await;
    props["slots"].as_array().unwrap().iter().find(|slot| slot["slot"] == "identity").unwrap().clone()
}

/// The form's value for the state it was shown in.
async fn seen_of(member: &StaffClient, to: &str) -> String {
    identity(member, to).await["seen"].as_str().unwrap().to_owned()
}

fn replace(reason: &str) -> [(&str, &str); 3] {
    [("_action", "replace"), ("slot", "identity"), ("reason-identity", reason)]
}

story! {
    async fn an_application_has_a_page_and_nothing_else_has(database: Database) {
        let world = World::start(database.db()).await;
        let draft = world.register().await;
        draft.post("/api/users/application/start").json(&json!({ "applicationType": "ba" })).send().await;
        let applicant = world.submitted().await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let page = looked_at(&viewer, &path(&id_of(&applicant).await, "")).await;
        assert_eq!(page.status, 200, "{page:?}");
        for id in ["1 OR 1=1", "1%20OR%201%3D1", "0", "x'--", &"9".repeat(300), &id_of(&draft).await] {
            for rest in ["", "/mark"] {
                let reviewer = staff_client(&world, Role::Reviewer).await;
                let answer = match rest {
                    "" => viewer.see(&path(&id.replace(' ', "%20"), rest)).send().await,
                    _ => {
                        let fields = [("_action", "assign"), ("owner", reviewer.staff.id.as_str())];
                        reviewer.send(&path(&id.replace(' ', "%20"), rest), &fields).send().await
                    }
                };
                assert_eq!(answer.status, 404, "{id}{rest}: {answer:?}");
                assert!(answer.text.contains("Application not found."), "{id}{rest}");
            }
        }
        // After an application is taken back, only its applicant can see it.
        applicant.post("/api/users/application/unsubmit").json(&json!({})).send().await;
        assert_eq!(viewer.see(&path(&id_of(&applicant).await, "")).send().await.status, 404);
    }

    async fn each_role_reads_what_is_its_own(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let me = applicant.get("/api/users/me").send().await.json();
        let secrets = [me["phoneNumber"].as_str().unwrap(), "US citizen", me["email"].as_str().unwrap()];
        for role in Role::ALL {
            let member = staff_client(&world, role).await;
            let document = member.see(&path(&id, "")).send().await;
            assert_eq!(document.status, 200, "{role:?}");
            for secret in secrets {
                assert_eq!(document.text.contains(secret), role != Role::Viewer, "{role:?} {secret}");
            }
            let props = props(&member, &path(&id, "")).await;
            assert_eq!(props["person"].is_null(), role == Role::Viewer, "{role:?}");
            let assigns = matches!(role, Role::Reviewer | Role::Decider | Role::Owner);
            assert_eq!(props["frame"]["mayAssign"], assigns, "{role:?}");
            // Every tab and every act that is offered can be opened.
            let tabs = props["frame"]["tabs"].as_array().unwrap().iter();
            let tabs = tabs.map(|tab| path(&id, tab.as_str().unwrap()));
            let acts = props["frame"]["acts"].as_array().unwrap().iter();
            let acts = acts.map(|link| link["href"].as_str().unwrap().to_owned());
            for href in tabs.chain(acts) {
                assert_eq!(member.see(&href).send().await.status, 200, "{role:?} {href}");
            }
        }
    }

    async fn submissions_are_shown_beside_each_other(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let first = props(&reviewer, &path(&id, "")).await;
        assert_eq!((&first["version"], &first["against"], &first["changesText"]), (&json!("1"), &json!(""), &Value::Null));
        applicant.post("/api/users/application/unsubmit").json(&json!({})).send().await;
        let change = json!({ "applicationType": "ba", "financialPlan": { "selectedPayments": ["gi_bill"] } });
        let saved = applicant.post("/api/users/application").json(&change).send().await;
        assert_eq!(saved.status, 200, "{saved:?}");
        applicant.post("/api/users/application/submit").json(&json!({ "declaration": true })).send().await;
        let second = props(&reviewer, &path(&id, "")).await;
        assert_eq!((&second["version"], &second["against"]), (&json!("2"), &json!("1")));
        let changed = |props: &Value| -> Vec<Value> {
            let sections = props["sections"].as_array().unwrap();
            let answers = sections.iter().flat_map(|section| section["answers"].as_array().unwrap());
            answers.filter(|answer| !answer["change"].is_null()).cloned().collect()
        };
        let payment = changed(&second).into_iter().find(|one| one["name"] == "Ways to pay").unwrap();
        assert_eq!((&payment["change"], &payment["value"]), (&json!("changed"), &json!("GI Bill")));
        assert_ne!(payment["before"], payment["value"]);
        assert_eq!(changed(&props(&reviewer, &path(&id, "?version=1&against=none")).await), Vec::<Value>::new());
        // Invalid parameters are ignored.
        assert_eq!(props(&reviewer, &path(&id, "?version=99&against=x%27")).await["version"], "2");
    }

    async fn the_way_through_the_list_keeps_its_view(database: Database) {
        let world = World::start(database.db()).await;
        let staff = staff_client(&world, Role::Reviewer).await;
        for _ in 0..3 {
            world.submitted().await;
        }
        for sort in ["waiting", "submitted", "name", "stage&then=name", "waiting&then=-owner", "interview"] {
            let view = format!("tab=all&sort={sort}&pageSize=2");
            let list = props(&staff, &format!("/admin-panel/applications?{view}")).await;
            let first = format!("/admin-panel/applications/{}{}", list["rows"][0]["id"].as_str().unwrap(), list["rowQuery"].as_str().unwrap());
            let mut seen = Vec::new();
            let mut at = Some(first);
            while let Some(href) = at {
                let frame = props(&staff, &href).await["frame"].clone();
                assert_eq!(frame["backHref"], format!("/admin-panel/applications?{view}"), "{sort}");
                seen.push(frame["id"].clone());
                at = frame["nextHref"].as_str().map(str::to_owned);
                if let Some(previous) = frame["previousHref"].as_str() {
                    assert_eq!(props(&staff, previous).await["frame"]["id"], seen[seen.len() - 2], "{sort}");
                } else {
                    assert_eq!(seen.len(), 1, "{sort}");
                }
            }
            assert_eq!(seen.len(), 3, "{sort}");
        }
        // A view without this application still has neighbours and a way back; an invalid view counts as the default.
        let elsewhere = props(&staff, "/admin-panel/applications?tab=all").await["rows"][0]["id"].clone();
        // The page of an act links to the neighbours themselves, not to the same act on them.
        let act = props(&staff, &path(elsewhere.as_str().unwrap(), "/act?act=withdraw&view=tab%3Dall")).await;
        let next = act["frame"]["nextHref"].as_str().unwrap();
        assert_eq!(props(&staff, next).await["frame"]["tab"], "");
        let odd = props(&staff, &path(elsewhere.as_str().unwrap(), "?view=tab%3Dinterviews%26q%3D%2500")).await;
        assert_eq!(odd["frame"]["nextHref"], Value::Null);
    }

    async fn two_people_do_not_hand_the_same_application_over(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Owner).await);
        let assign = |owner: &str| [("_action", "assign".to_owned()), ("seenOwner", String::new()), ("owner", owner.to_owned())];
        let to = path(&id, "/mark");
        let send = async |member: &StaffClient, owner: &str| {
            let fields = assign(owner);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            sent(member, &to, &fields).await
        };
        let done = send(&one, &one.staff.id).await;
        assert_eq!((done.status, done.header("location")), (303, format!("{}?done=assigned&what=nobody", path(&id, "")).as_str()));
        // The page has a form that undoes what was done.
        let undo = props(&one, done.header("location")).await["frame"]["undo"].clone();
        let fields: Vec<(&str, &str)> = undo["fields"].as_array().unwrap().iter().map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap())).collect();
        assert_eq!(sent(&one, undo["href"].as_str().unwrap(), &fields).await.status, 303);
        assert_eq!(props(&one, &path(&id, "")).await["frame"]["owner"], "");
        assert_eq!(send(&one, &one.staff.id).await.status, 303);
        // The second one last saw it without an owner.
        let stale = send(&two, &two.staff.id).await;
        assert_eq!(stale.status, 412, "{stale:?}");
        let page = stale.json()["props"].clone();
        let sentence = "Another administrator changed this application. Reload to see the latest version.";
        assert_eq!(page["form"]["error"], sentence);
        let meanwhile = json!([{ "what": "Owner", "seen": "Nobody", "now": "Demo Reviewer" }]);
        assert_eq!(page["frame"]["meanwhile"], meanwhile);
        assert_eq!((&page["frame"]["owner"], &page["form"]["values"]["owner"]), (&json!(one.staff.id), &json!(two.staff.id)));
        // Sending the same again is not an error.
        assert_eq!(send(&one, &one.staff.id).await.status, 303);
        assert_eq!(database.texts("SELECT action FROM audit WHERE action = 'application.assigned'").await.len(), 3);
        assert_eq!(send(&one, "nobody-like-that").await.status, 404);

        let tagged = sent(&one, &to, &[("_action", "tag"), ("newTag", "Second Look"), ("tab", ""), ("view", "tab=all")]).await;
        assert!(tagged.header("location").ends_with("?view=tab%3Dall&done=tagged&what=second+look"), "{tagged:?}");
        let undo = props(&one, tagged.header("location")).await["frame"]["undo"].clone();
        assert_eq!(undo["fields"][0], json!(["_action", "untag:second look"]));
        // A role that may not tag has nothing to undo.
        let viewer = staff_client(&world, Role::Viewer).await;
        assert_eq!(props(&viewer, tagged.header("location")).await["frame"]["undo"], Value::Null);

        let seen = props(&one, &path(&id, "")).await["frame"].clone();
        assert_eq!((&seen["tags"], &seen["ownerName"]), (&json!(["second look"]), &json!("Demo Reviewer")));
        let refused = sent(&one, &to, &[("_action", "tag"), ("newTag", "a:b")]).await;
        assert_eq!(refused.status, 422);
        assert!(refused.json()["props"]["form"]["errors"]["newTag"].is_string());
        assert_eq!(sent(&one, &to, &[("_action", "untag:second look")]).await.status, 303);
        assert_eq!(props(&one, &path(&id, "")).await["frame"]["tags"], json!([]));
        assert_eq!(sent(&one, &to, &[("_action", "nothing")]).await.status, 400);
    }

    async fn changes_are_asked_for_once_and_taken_back(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let to = path(&id, "/act");
        let opened = props(&reviewer, &format!("{to}?act=request_changes")).await;
        assert_eq!((&opened["obstacle"], &opened["act"]["button"]), (&Value::Null, &json!("Ask for these changes")));
        let revision = opened["frame"]["revision"].to_string();
        let key = opened["idempotencyKey"].as_str().unwrap().to_owned();
        let own = [("_action", "request_changes"), ("revision", revision.as_str()), ("key", key.as_str())];
        let empty = sent(&reviewer, &to, &own).await;
        assert_eq!(empty.status, 422, "{empty:?}");
        let errors = empty.json()["props"]["form"]["errors"].clone();
        assert!(["sections", "message", "dueOn"].iter().all(|name| errors[name].is_string()), "{errors}");
        let typed = [("sections", "education"), ("sections", "employment"), ("message", "Please add your <employer>."),
                     ("dueOn", "2030-01-31")];
        let past = [&own[..], &typed[..3], &[("dueOn", "2020-01-31")]].concat();
        let past = sent(&reviewer, &to, &past).await;
        assert_eq!(past.status, 409, "{past:?}");
        assert_eq!(past.json()["props"]["form"]["values"]["sections"], json!(["education", "employment"]));
        let all = [&own[..], &typed[..]].concat();
        for _ in 0..2 {
            let done = sent(&reviewer, &to, &all).await;
            assert_eq!((done.status, done.header("location")), (303, format!("{}?done=request_changes", path(&id, "")).as_str()));
        }
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'changes-requested'").await.len(), 1);
        let frame = props(&reviewer, &path(&id, "?done=request_changes")).await;
        assert!(frame["form"]["message"].as_str().unwrap().contains("asked for changes"));
        assert_eq!(frame["frame"]["stage"], "Changes asked for");
        // The stage determines what can be done.
        let acts = frame["frame"]["acts"].to_string();
        assert!(acts.contains("drop_changes") && !acts.contains("request_changes"), "{acts}");
        let taken = props(&reviewer, &format!("{to}?act=drop_changes")).await;
        assert!(taken["act"]["request"].as_str().unwrap().contains("<employer>"));
        let revision = taken["frame"]["revision"].to_string();
        let back = sent(&reviewer, &to, &[("_action", "drop_changes"), ("revision", &revision), ("key", "again-1")]).await;
        assert_eq!(back.status, 303, "{back:?}");
    }

    async fn who_comes_too_late_is_told_and_overwrites_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Owner).await);
        let to = path(&id, "/act");
        let revision = props(&two, &format!("{to}?act=withdraw")).await["frame"]["revision"].to_string();
        let form = |key: &'static str, reason: &'static str| {
            [("_action", "withdraw".to_owned()), ("revision", revision.clone()), ("key", key.to_owned()), ("reason", reason.to_owned())]
        };
        let send = async |member: &StaffClient, key, reason| {
            let fields = form(key, reason);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            sent(member, &to, &fields).await
        };
        assert_eq!(send(&one, "one", " ").await.status, 422);
        assert_eq!(send(&one, "one", "They asked for it by phone.").await.status, 303);
        let late = send(&two, "two", "What I typed.").await;
        assert_eq!(late.status, 412, "{late:?}");
        let page = late.json()["props"].clone();
        assert_eq!(page["form"]["values"]["reason"], "What I typed.");
        let sentence = "Another administrator changed this application. Reload to see the latest version.";
        assert_eq!(page["form"]["error"], sentence);
        let meanwhile = &page["frame"]["meanwhile"][0];
        assert_eq!((&meanwhile["what"], &meanwhile["seen"]), (&json!("Stage"), &json!("Submitted")));
        assert!(meanwhile["now"].as_str().unwrap().starts_with("Withdrawn or declined"), "{meanwhile}");
        // Sending the first one's form again is not an error, and does nothing twice.
        assert_eq!(send(&one, "one", "They asked for it by phone.").await.status, 303);
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'application-withdrawn'").await.len(), 1);
        let reasons = database.texts("SELECT reason FROM stage_changes WHERE act = 'withdraw'").await;
        assert_eq!(reasons, ["They asked for it by phone."]);
        assert!(!database.texts("SELECT detail FROM audit").await.concat().contains("by phone"));

        let undo = props(&two, &format!("{to}?act=undo_withdraw")).await;
        assert_eq!(undo["obstacle"], Value::Null);
        let revision = undo["frame"]["revision"].to_string();
        let back = sent(&two, &to, &[("_action", "undo_withdraw"), ("revision", &revision), ("key", "three")]).await;
        assert_eq!(back.status, 303, "{back:?}");
        assert_eq!(props(&two, &path(&id, "")).await["frame"]["stage"], "Submitted");
        // An act that the stage rules out is refused with a reason, and not even shown to roles that may not do it.
        let resume = sent(&two, &to, &[("_action", "resume"), ("rechecked", "yes"), ("key", "four")]).await;
        assert_eq!(resume.status, 409, "{resume:?}");
        assert_eq!(resume.json()["props"]["form"]["error"], "A submitted application cannot be resumed.");
        assert_eq!(staff_client(&world, Role::Finance).await.see(&format!("{to}?act=withdraw")).send().await.status, 403);
        assert_eq!(sent(&two, &to, &[("_action", "offer")]).await.status, 400);
    }

    async fn a_file_is_read_under_its_own_application_alone(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id, to) = with_identity(&world).await;
        let other = id_of(&world.submitted().await).await;
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let seen = identity(&interviewer, &to).await;
        assert_eq!((&seen["state"], &seen["mayAccept"]), (&json!("received"), &json!(false)));
        let (href, preview) = (seen["files"][0]["href"].as_str().unwrap(), seen["files"][0]["previewHref"].as_str().unwrap());
        let saved = interviewer.see(href).send().await;
        assert_eq!(saved.status, 200);
        assert!(saved.header("content-disposition").starts_with("attachment"));
        assert_eq!(saved.header("content-security-policy"), "sandbox; default-src 'none'");
        let part = interviewer.see(preview).header("range", "bytes=0-4").send().await;
        assert_eq!((part.status, part.text.as_str()), (206, "%PDF-"));
        assert!(part.header("content-disposition").starts_with("inline"));
        assert_eq!(part.header("x-frame-options"), "SAMEORIGIN");
        assert_eq!(part.header("x-content-type-options"), "nosniff");
        assert!(part.header("content-security-policy").contains("default-src 'none'"));
        assert!(part.header("content-security-policy").contains("frame-ancestors 'self'"));

        let file_id = href.split("file=").nth(1).unwrap();
        for bad in [path(&other, &format!("/file?file={file_id}")), path(&id, "/file?file=1%20OR%201%3D1"), path(&id, "/file")] {
            assert_eq!(interviewer.see(&bad).send().await.status, 404, "{bad}");
        }
        assert_eq!(staff_client(&world, Role::Viewer).await.see(href).send().await.status, 403);
        let fields = [("_action", "accept"), ("slot", "identity")];
        assert_eq!(sent(&interviewer, &to, &fields).await.status, 403);
    }

    async fn two_decide_about_a_document_by_what_they_have_seen(database: Database) {
        let world = World::start(database.db()).await;
        let (applicant, _, to) = with_identity(&world).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Owner).await);
        let seen = seen_of(&one, &to).await;
        let without = sent(&one, &to, &[&replace(" ")[..], &[("seen", &seen)]].concat()).await;
        assert_eq!(without.status, 422, "{without:?}");
        assert!(without.json()["props"]["form"]["errors"]["reason-identity"].is_string());
        let first = sent(&one, &to, &[&replace("It is too dark.")[..], &[("seen", &seen)]].concat()).await;
        let place = first.header("location");
        assert!(first.status == 303 && place.starts_with(&format!("{to}?done=replace&slot=identity&what=identity.")), "{first:?}");

        let accept = [("_action", "accept"), ("slot", "identity")];
        let late = sent(&two, &to, &[&accept[..], &[("seen", &seen)]].concat()).await;
        assert_eq!(late.status, 412, "{late:?}");
        let meanwhile = late.json()["props"]["frame"]["meanwhile"][0].clone();
        assert_eq!((&meanwhile["what"], &meanwhile["seen"]), (&json!("Proof of identity"), &json!("To be looked at")));
        assert!(meanwhile["now"].as_str().unwrap().contains("Demo Reviewer"), "{meanwhile}");
        let mails = database.texts("SELECT body_text FROM outbox WHERE template = 'document-needed-again'").await;
        assert!(mails.len() == 1 && mails[0].contains("too dark"), "{mails:?}");
        let record = database.texts("SELECT detail FROM audit").await.concat();
        assert!(!record.contains("too dark"), "the words stand where they can be erased");

        world.clock.advance(1000);
        documents::send(&applicant, "identity", "bright.pdf", &pdf(3000)).await;
        let seen = seen_of(&one, &to).await;
        assert_eq!(sent(&one, &to, &[&accept[..], &[("seen", &seen)]].concat()).await.status, 303);
        assert_eq!(identity(&one, &to).await["word"], "Accepted");
        assert_eq!(sent(&one, &to, &[("_action", "undo:identity")]).await.status, 400);
        let late = format!("undo:{}", place.split("what=").nth(1).unwrap().split('#').next().unwrap());
        assert!(sent(&one, &to, &[("_action", &late)]).await.header("location").contains("done=review-stays"));
        assert_eq!(identity(&one, &to).await["word"], "Accepted", "the first decision is not the latest word any more");
        assert_eq!(sent(&one, &to, &[("_action", "accept"), ("slot", "no-such"), ("seen", "x")]).await.status, 422);
    }

    async fn a_decision_about_a_document_is_taken_back_by_who_made_it(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id, to) = with_identity(&world).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Owner).await);
        let interviewer = staff_client(&world, Role::Interviewer).await;
        let seen = seen_of(&one, &to).await;
        assert_eq!(sent(&one, &to, &[("_action", "accept"), ("slot", "identity"), ("seen", &seen)]).await.status, 303);
        let decision = format!("/api/admins/applications/{id}/documents/identity/decision");
        two.api("DELETE", &decision).send().await.assert_problem(409, "document.not_decided");
        assert_eq!(one.api("DELETE", &decision).send().await.status, 204);
        assert_eq!(identity(&one, &to).await["state"], "received");
        one.api("DELETE", &decision).send().await.assert_problem(409, "document.not_decided");
        one.api("DELETE", &decision.replace("identity", "no-such")).send().await.assert_problem(422, "document.slot");
        interviewer.api("DELETE", &decision).send().await.assert_problem(403, "role.forbidden");

        let in_order = async || database.texts("SELECT id FROM outbox WHERE template = 'document-in-order'").await.len();
        assert_eq!(in_order().await, 0, "nobody was asked for another one");
        let seen = seen_of(&one, &to).await;
        let asked = sent(&one, &to, &[&replace("It is cut off.")[..], &[("seen", &seen)]].concat()).await;
        let undo = one.see(asked.header("location").split('#').next().unwrap()).send().await.assert_document(200, "adminDocuments")["props"]["frame"]["undo"].clone();
        assert_eq!(undo["href"], json!(to));
        let action = undo["fields"][0][1].as_str().unwrap().to_owned();
        for done in ["review-undone", "review-stays"] {
            assert!(sent(&one, &to, &[("_action", &action)]).await.header("location").contains(done));
        }
        assert_eq!((identity(&one, &to).await["state"].clone(), in_order().await), (json!("received"), 1));
    }

    async fn notes_are_the_offices_own(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let (one, two) = (staff_client(&world, Role::Interviewer).await, staff_client(&world, Role::Finance).await);
        let viewer = staff_client(&world, Role::Viewer).await;
        let to = path(&id, "/notes");
        let key = props(&one, &to).await["idempotencyKey"].as_str().unwrap().to_owned();
        let text = "A secret word about them. @Demo Finance, please look. @Demo Viewer";
        for _ in 0..2 {
            let written = sent(&one, &to, &[("_action", "write"), ("key", &key), ("note", text)]).await;
            assert_eq!((written.status, written.header("location")), (303, format!("{to}?done=noted").as_str()));
        }
        let mails = database.texts("SELECT recipient || ' ' || body_text FROM outbox WHERE template = 'note-mention'").await;
        assert!(mails.len() == 1 && mails[0].starts_with(&two.staff.email) && mails[0].contains(&to), "{mails:?}");
        assert!(!mails[0].contains("secret"));
        let notes = async |member: &StaffClient, query: &str| props(member, &format!("{to}{query}")).await["notes"].clone();
        let note = notes(&two, "").await[0].clone();
        assert_eq!((&note["text"], &note["own"]), (&json!(text), &json!(false)));
        let note_id = note["id"].as_str().unwrap();
        // Another person's note can only be pinned.
        for action in ["edit", "delete"] {
            let action = format!("{action}:{note_id}");
            assert_eq!(sent(&two, &to, &[("_action", &action), ("noteRevision", "1"), ("note", "x")]).await.status, 403);
        }
        assert_eq!(sent(&two, &to, &[("_action", &format!("pin:{note_id}"))]).await.status, 303);
        world.clock.advance(1000);
        sent(&two, &to, &[("_action", "write"), ("key", "k2"), ("note", "Another.")]).await;
        assert_eq!(notes(&one, "").await[0]["pinned"], true);
        assert_eq!(notes(&one, "?q=ANOTHER").await.as_array().unwrap().len(), 1);
        assert_eq!(notes(&one, "?q=nothing+like+it").await, json!([]));
        assert_eq!(looked_at(&one, &format!("{to}?q={}", "x".repeat(201))).await.status, 422);
        let edit = format!("edit:{note_id}");
        let edited = |revision: &'static str, text: &'static str| [("_action", edit.clone()), ("noteRevision", revision.into()), ("note", text.into())];
        let send = async |revision, text| {
            let fields = edited(revision, text);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value): &(&str, String)| (*name, value.as_str())).collect();
            sent(&one, &to, &fields).await
        };
        assert_eq!(send("1", "Changed. @Demo Finance").await.status, 303);
        let stale = send("1", "From an old tab").await;
        assert_eq!((stale.status, &stale.json()["props"]["form"]["values"]["note"]), (412, &json!("From an old tab")));
        assert_eq!(database.texts("SELECT id FROM outbox WHERE template = 'note-mention'").await.len(), 1, "nobody is told twice");
        let long = "ä".repeat(4001);
        let refused = sent(&one, &to, &[("_action", "write"), ("key", "k3"), ("note", &long)]).await;
        assert_eq!(refused.status, 422);

        // Neither viewers nor the applicant can ever read one.
        assert_eq!(viewer.see(&to).send().await.status, 403);
        assert!(!viewer.see(&path(&id, "/timeline")).send().await.text.contains("Note written"));
        let data = world.store.records(&applicant_of(&world, &id).await).await.unwrap();
        assert!(!format!("{data:?}").contains("Changed."));
        assert_eq!(sent(&one, &to, &[("_action", &format!("delete:{note_id}"))]).await.status, 303);
        assert_eq!(notes(&one, "").await.as_array().unwrap().len(), 1);
    }

    async fn a_conversation_is_held_without_a_script(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let to = path(&id, "/messages");
        let page = async || applicant.without_token().get("/dashboard/messages").with_cookie(&applicant).send().await;
        let own = async || page().await.assert_document(200, "messages")["props"]["conversation"].clone();
        let ask = async |text: &str, key: &str| {
            applicant.without_token().post("/dashboard/messages").with_cookie(&applicant).form(&[("text", text), ("key", key)]).send().await
        };
        let empty = ask("  ", "one").await;
        assert_eq!((empty.status, &empty.assert_document(422, "messages")["props"]["form"]["errors"]["text"]), (422, &json!("Write something first.")));
        for _ in 0..2 {
            assert_eq!(ask("May I send it later?", "one").await.status, 303);
        }
        let work = reviewer.see("/admin-panel/work?whose=unassigned").send().await;
        assert!(work.text.contains("Answer the applicant"));
        world.clock.advance(MINUTE);
        let key = props(&reviewer, &to).await["idempotencyKey"].as_str().unwrap().to_owned();
        let empty = sent(&reviewer, &to, &[("_action", "write"), ("key", &key), ("text", " ")]).await;
        assert_eq!((empty.status, &empty.json()["props"]["form"]["errors"]["text"]), (422, &json!("Write something first.")));
        for _ in 0..2 {
            let fields = [("_action", "write"), ("key", key.as_str()), ("text", "One.\r\n\r\nTwo <b>.")];
            assert_eq!(sent(&reviewer, &to, &fields).await.status, 303);
        }
        assert!(!reviewer.see("/admin-panel/work?whose=unassigned").send().await.text.contains("Answer the applicant"));
        let messages = props(&reviewer, &to).await["messages"].clone();
        assert_eq!((messages.as_array().unwrap().len(), &messages[0]["text"], &messages[0]["readText"]), (2, &json!("One.\n\nTwo <b>."), &json!(null)));
        assert_eq!((&messages[0]["own"], &messages[1]["author"]), (&json!(true), &json!(null)));
        let read = own().await;
        assert_eq!((&read["entries"][0]["unread"], &read["entries"][1]["own"], &read["canWrite"]), (&json!(true), &json!(true), &json!(true)));
        assert_eq!(own().await["entries"][0]["unread"], false, "it is new once");
        assert!(props(&reviewer, &to).await["messages"][0]["readText"].is_string());
        // Nobody else can read it, and the record has none of its words.
        assert_eq!(staff_client(&world, Role::Interviewer).await.see(&to).send().await.status, 403);
        assert!(!database.texts("SELECT detail FROM audit").await.concat().contains("Two"));
        let data = world.store.records(&applicant_of(&world, &id).await).await.unwrap();
        assert_eq!(data.conversation.len(), 2);
        // A message that needs no answer is ticked off.
        assert_eq!(ask("Thank you!", "two").await.status, 303);
        let task = world.store.open_tasks(&id).await.unwrap().into_iter().find(|task| task.kind == TaskKind::Message).unwrap();
        let fields = [("_action", format!("close:{}", task.id)), ("taskNote", "No answer needed".to_owned())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(sent(&reviewer, &path(&id, "/tasks"), &fields).await.status, 303);
        assert!(world.store.open_tasks(&id).await.unwrap().iter().all(|task| task.kind != TaskKind::Message));
    }

    async fn mails_are_sent_again(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let to = path(&id, "/emails");
        let mail = props(&reviewer, &to).await["mails"][0].clone();
        assert_eq!((&mail["state"], &mail["mayResend"]), (&json!("waiting"), &json!(false)));
        let mail_id = mail["id"].as_str().unwrap();
        let resend = format!("resend:{mail_id}");
        assert_eq!(sent(&reviewer, &to, &[("_action", &resend)]).await.status, 409);
        world.store.mail_failed(mail_id, "no such mailbox", None).await.unwrap();
        let failed = props(&reviewer, &to).await["mails"][0].clone();
        assert_eq!((&failed["state"], &failed["mayResend"]), (&json!("failed"), &json!(true)));
        assert!(failed["stateText"].as_str().unwrap().contains("no such mailbox"));
        assert_eq!(sent(&reviewer, &to, &[("_action", &resend)]).await.status, 303);
        assert_eq!(props(&reviewer, &to).await["mails"][0]["state"], "waiting");
        // A mail with a secret is shown without it, and can never be sent again.
        database.run(&format!("UPDATE outbox SET message_text = 'Without it', state = 'sent' WHERE id = '{mail_id}'")).await.unwrap();
        let secret = props(&reviewer, &to).await["mails"][0].clone();
        assert_eq!((&secret["text"], &secret["mayResend"]), (&json!("Without it"), &json!(false)));
        assert_eq!(sent(&reviewer, &to, &[("_action", &resend)]).await.status, 409);
        assert_eq!(sent(&reviewer, &to, &[("_action", "write")]).await.status, 400);
        assert_eq!(staff_client(&world, Role::Interviewer).await.see(&to).send().await.status, 403);
    }

    async fn the_timeline_tells_everything_and_shows_a_changed_line(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = world.submitted().await;
        let id = id_of(&applicant).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let mine = [("_action", "assign"), ("seenOwner", ""), ("owner", reviewer.staff.id.as_str())];
        assert_eq!(sent(&reviewer, &path(&id, "/mark"), &mine).await.status, 303);
        let to = path(&id, "/timeline");
        let timeline = props(&reviewer, &to).await;
        assert_eq!(timeline["unbroken"], true);
        let events = timeline["events"].as_array().unwrap();
        let words: Vec<&str> = events.iter().map(|event| event["words"].as_str().unwrap()).collect();
        assert_eq!(words, ["Owner changed", "Submitted", "Application started"]);
        assert_eq!((&events[0]["who"], &events[0]["detail"]), (&json!("Demo Reviewer"), &json!("nobody → Demo Reviewer")));
        assert_eq!((&events[1]["who"], &events[1]["to"]), (&json!("The applicant"), &json!("Submitted")));
        let db = database.db();
        let all = db.check_chain(None).await.unwrap().unwrap();
        assert_eq!(i64::try_from(all).unwrap(), database.count("audit").await, "every line is in a chain");
        // Tampering by somebody who can bypass the database's triggers is detected.
        database.tamper("UPDATE audit SET actor = 'system' WHERE action = 'application.submitted'").await;
        assert_eq!(props(&reviewer, &to).await["unbroken"], false);
        let broken = db.check_chain(None).await.unwrap().unwrap_err();
        assert_eq!((broken.subject, broken.position), (format!("application:{id}"), 2));
    }

    async fn many_lines_at_once_make_one_chain(database: Database) {
        let world = World::start(database.db()).await;
        let entry = |number: i64| AuditEntry {
            id: world.app.random.id(),
            at: 1000 - number,
            actor: "system".into(),
            subject: "application:many".into(),
            action: "application.tagged",
            detail: json!({ "tag": number }),
        };
        let lines: Vec<AuditEntry> = (0..40).map(entry).collect();
        let noted = futures::future::join_all(lines.iter().map(|line| world.store.note(line))).await;
        assert!(noted.iter().all(Result::is_ok), "{noted:?}");
        assert_eq!(database.db().check_chain(Some("application:many")).await.unwrap(), Ok(40));
        // Entries from an earlier version are chained when the server starts; a missing last line is detected.
        database
            .run("INSERT INTO audit (id, happened_at, actor, subject, action, detail) VALUES ('old', 1, 'system', 'application:old', 'x', '{}')")
            .await
            .unwrap();
        assert_eq!(database.db().unchained().await.unwrap(), 1);
        world.app.complete_record().await.unwrap();
        assert_eq!(database.db().unchained().await.unwrap(), 0);
        assert_eq!(database.db().check_chain(Some("application:old")).await.unwrap(), Ok(1));
        database.tamper("DELETE FROM audit_chain WHERE subject = 'application:many' AND position = 40").await;
        assert_eq!(database.db().check_chain(None).await.unwrap().unwrap_err().position, 0);
    }

    async fn who_looks_at_the_same_application_is_shown(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let (one, two) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Viewer).await);
        assert_eq!(props(&one, &path(&id, "")).await["frame"]["lookers"], json!([]));
        assert_eq!(props(&two, &path(&id, "/timeline")).await["frame"]["lookers"], json!(["Demo Reviewer"]));
        let present = looked_at(&one, &path(&id, "/presence")).await;
        assert_eq!(present.json()["lookers"], json!(["Demo Viewer"]));
        world.clock.advance(31_000);
        assert_eq!(looked_at(&one, &path(&id, "/presence")).await.json()["lookers"], json!([]));
        assert_eq!(one.see(&path("1%20OR%201%3D1", "/presence")).send().await.status, 404);
    }

    async fn a_status_is_changed_by_call(database: Database) {
        let world = World::start(database.db()).await;
        let id = id_of(&world.submitted().await).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let viewer = staff_client(&world, Role::Viewer).await;
        let to = format!("/api/admins/applications/{id}");
        let seen = reviewer.api("GET", &to).send().await;
        assert_eq!((seen.status, &seen.json()["stage"]), (200, &json!("submitted")));
        assert!(seen.json()["applicant"]["email"].is_string());
        assert_eq!(viewer.api("GET", &to).send().await.json()["applicant"], Value::Null);
        let patch = async |body: Value| reviewer.api("PATCH", &to).json(&body).send().await;
        patch(json!({})).await.assert_problem(422, "status.required");
        patch(json!({ "status": "none" })).await.assert_problem(422, "reason.required");
        patch(json!({ "status": "none", "reason": "x", "userId": 1 })).await.assert_problem(422, "field.unknown");
        patch(json!({ "status": "deferred", "intake": "2027-01" })).await.assert_problem(409, "status.transition");
        patch(json!({ "status": "accepted" })).await.assert_problem(403, "role.forbidden");
        patch(json!({ "status": "scheduled" })).await.assert_problem(422, "status.act");
        let asked = json!({ "status": "incomplete", "sections": ["education"], "message": "Please.", "dueOn": "2030-01-31" });
        let done = reviewer.api("PATCH", &to).header("if-match", seen.header("etag")).json(&asked).send().await;
        assert_eq!((done.status, &done.json()["stage"]), (200, &json!("changes")));
        assert_ne!(done.header("etag"), seen.header("etag"));
        viewer.api("PATCH", &to).json(&asked).send().await.assert_problem(403, "role.forbidden");
    }
}
