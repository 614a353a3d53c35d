//! Contracts as stories: written from templates, sent, read, signed, countersigned, verified by anybody; and what
//! prevents each step.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::join_all;
use matricula::app::contracts::check_contracts;
use matricula::domain::application::ApplicationKey;
use matricula::domain::contract::{ContractState, fingerprint, starter};
use matricula::domain::language::Language;
use matricula::domain::moments::{DAY, HOUR, MINUTE};
use matricula::domain::program::Program;
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::documents::{as_form, form};
use crate::decisions::advance;
use crate::money::placed_under;
use crate::office::{StaffClient, entered, staff_client};
use crate::pdf::{text_of, tool};
use crate::support::databases::{Database, story};
use crate::support::rows::at_once;
use crate::support::server::{Answer, Client, PASSWORD, World};

const TEMPLATES: &str = "/api/admins/contract-templates";
const TEMPLATE: &str = "/admin-panel/contracts/templates/bachelor";

/// An applicant who has accepted an offer and pays everything at once, and their application.
pub async fn confirmed(world: &World) -> (Client, String) {
    let (client, id) = placed_under(world, &["A diploma"]).await;
    let plan = json!({ "amounts": { "self_pay": 2_480_000 }, "upFront": 2_480_000, "monthly": 0, "revision": 0 });
    ok(client.post("/api/users/funding").json(&plan).send().await).await;
    (client, id)
}

/// Whether both have signed a contract that says how tuition is paid.
async fn is_agreed(world: &World, id: &str) -> bool {
    let (_, application) = world.app.find_application(ApplicationKey::Id(id)).await.unwrap();
    world.app.is_contract_countersigned(&application).await.unwrap()
}

pub async fn ok(answer: Answer) -> Value {
    assert!(matches!(answer.status, 200 | 201), "{answer:?}");
    answer.json()
}

fn of(id: &str) -> String {
    format!("/api/admins/applications/{id}/contracts")
}

/// The id of a draft, and the hash of the text it would have.
async fn prepared(finance: &StaffClient, id: &str) -> (String, String) {
    let draft = ok(finance.api("POST", &of(id)).json(&json!({})).send().await).await;
    let seen = ok(finance.api("GET", &of(id)).send().await).await;
    (draft["id"].as_str().unwrap().to_owned(), seen["draftSha256"].as_str().unwrap().to_owned())
}

pub async fn act(member: &StaffClient, contract: &str, what: &str, body: Value) -> Answer {
    member.api("POST", &format!("/api/admins/contracts/{contract}/{what}")).json(&body).send().await
}

/// A contract that was just sent.
pub async fn sent(world: &World, id: &str) -> String {
    let finance = staff_client(world, Role::Finance).await;
    let (contract, hash) = prepared(&finance, id).await;
    ok(act(&finance, &contract, "send", json!({ "textSha256": hash })).await).await;
    contract
}

pub async fn own(client: &Client, contract: &str, what: &str, body: Value) -> Answer {
    client.post(&format!("/api/users/contract/{contract}/{what}")).json(&body).send().await
}

pub fn signature() -> Value {
    json!({ "signerName": "demo  sample", "agree": true, "currentPassword": PASSWORD })
}

/// Has the applicant read it, consent and sign.
pub async fn signed(client: &Client, contract: &str) {
    ok(client.get("/api/users/contract").send().await).await;
    ok(own(client, contract, "consent", json!({})).await).await;
    ok(own(client, contract, "sign", signature()).await).await;
}

/// A contract that both have signed.
struct Complete {
    client: Client,
    /// The id of the application.
    id: String,
    contract: String,
    /// Who signed for the institute.
    name: String,
}

async fn complete(world: &World) -> Complete {
    let (client, id) = confirmed(world).await;
    let contract = sent(world, &id).await;
    signed(&client, &contract).await;
    let name = countersigned(world, &contract).await;
    Complete { client, id, contract, name }
}

/// Countersigns; returns who signed for the institute.
pub async fn countersigned(world: &World, contract: &str) -> String {
    let decider = staff_client(world, Role::Decider).await;
    let body = json!({ "signerName": decider.staff.name, "agree": true });
    ok(act(&decider, contract, "countersign", body).await).await;
    decider.staff.name
}

async fn state(world: &World, contract: &str) -> ContractState {
    world.store.contract(contract).await.unwrap().unwrap().state
}

async fn mails(database: &Database) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for template in database.texts("SELECT template FROM outbox WHERE template LIKE 'contract%'").await {
        *counts.entry(template).or_default() += 1;
    }
    counts
}

async fn open_tasks(database: &Database) -> Vec<String> {
    let sql =
        "SELECT kind FROM staff_tasks WHERE done_at IS NULL AND kind IN ('contract', 'countersign') ORDER BY kind";
    database.texts(sql).await
}

async fn props(answer: Answer) -> Value {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["props"].clone()
}

async fn verification(world: &World, path: &str) -> Value {
    props(world.visitor().get(path).header("accept", "application/json").send().await).await
}

story! {
    async fn another_site_cannot_make_a_contract_count_as_opened(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let contract = sent(&world, &id).await;
        let open = async |header, value| {
            let call = client.get("/dashboard/contract").with_cookie(&client).header(header, value);
            assert_eq!(call.send().await.status, 200);
            state(&world, &contract).await
        };
        for (header, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-purpose", "prefetch;prerender"),
        ] {
            assert_eq!(open(header, value).await, ContractState::Sent, "{header}: {value}");
        }
        assert_eq!(open("sec-fetch-site", "none").await, ContractState::Viewed);
    }

    async fn a_draft_is_unknown_to_the_applicant_and_sent_as_it_was_seen(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        client.get("/api/users/contract").send().await.assert_problem(404, "contract.not_found");
        assert_eq!(open_tasks(&database).await, ["contract"]);
        let finance = staff_client(&world, Role::Finance).await;
        let (contract, hash) = prepared(&finance, &id).await;
        client.get("/api/users/contract").send().await.assert_problem(404, "contract.not_found");

        let sent = ok(act(&finance, &contract, "send", json!({ "textSha256": hash })).await).await;
        assert_eq!((&sent["state"], &sent["textSha256"]), (&json!("sent"), &json!(hash)));
        let text = sent["text"].as_str().unwrap();
        assert_eq!(fingerprint(text.as_bytes()), hash);
        for said in ["**Demo Sample**", "$24,800", "August 31, 2026", "- A diploma", "# Cost sheet", "May 18, 2026"] {
            assert!(text.contains(said), "{said} in {text}");
        }
        assert!(open_tasks(&database).await.is_empty());
        let dashboard = props(client.get("/dashboard").with_cookie(&client).header("accept", "application/json").send().await).await;
        assert_eq!(dashboard["nextStep"]["title"], "Read and sign your contract");
    }

    async fn an_applicant_agrees_and_signs_once_with_forms_alone(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let contract = sent(&world, &id).await;
        let page = async || props(client.get("/dashboard/contract").with_cookie(&client).header("accept", "application/json").send().await).await;
        assert_eq!((&page().await["state"], &page().await["maySign"]), (&json!("viewed"), &json!(true)));
        let post = async |fields: &[(&str, &str)]| {
            let mut all = vec![("contract", contract.as_str())];
            all.extend_from_slice(fields);
            client.without_token().post("/dashboard/contract").form(&all).with_cookie(&client).send().await
        };
        let sign = async |name: &str, password: &str| {
            post(&[("_action", "sign"), ("signerName", name), ("agree", "yes"), ("currentPassword", password)]).await
        };
        let early = sign("Demo Sample", PASSWORD).await;
        assert!(early.status == 422 && early.text.contains("First agree to sign electronically"), "{early:?}");
        for _ in 0..2 {
            assert_eq!(post(&[("_action", "consent")]).await.header("location"), "/dashboard/contract?done=consent");
        }

        let wrong = sign("Somebody Else", PASSWORD).await;
        assert!(wrong.status == 422 && wrong.text.contains("Type your name as it is in your account: Demo Sample."), "{wrong:?}");
        assert!(wrong.text.contains("value=\"Somebody Else\""), "what was typed stays");
        let empty = post(&[("_action", "sign")]).await;
        for said in ["Type your full name", "Check the box to confirm that you have read", "Enter your current password"] {
            assert!(empty.status == 422 && empty.text.contains(said), "{said} {empty:?}");
        }
        assert_eq!(sign("Demo Sample", "another one").await.status, 422);

        for _ in 0..2 {
            assert_eq!(sign("Demo Sample", PASSWORD).await.header("location"), "/dashboard/contract?done=sign");
        }
        assert_eq!((state(&world, &contract).await, open_tasks(&database).await), (ContractState::Signed, vec!["countersign".to_owned()]));
        let late = post(&[("_action", "decline")]).await;
        assert_eq!(late.status, 409, "{late:?}");
    }

    async fn the_institute_signs_once_in_its_own_name(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let contract = sent(&world, &id).await;
        signed(&client, &contract).await;
        let decider = staff_client(&world, Role::Decider).await;
        let path = format!("/admin-panel/applications/{id}/contract/countersign");
        let sign = async |name: &str| {
            decider.send(&path, &[("contract", &contract), ("signerName", name), ("agree", "yes")]).send().await
        };
        let odd = sign("Nobody").await;
        assert!(odd.status == 422 && odd.text.contains("Type your name as it is in your account."), "{odd:?}");
        for _ in 0..2 {
            let done = sign(&decider.staff.name).await;
            assert!(done.header("location").contains("done=contract-countersigned"), "{done:?}");
        }
        assert!(is_agreed(&world, &id).await);
        assert!(open_tasks(&database).await.is_empty());
        let sent: Vec<(String, usize)> = mails(&database).await.into_iter().collect();
        let once = ["contract-complete", "contract-ready", "contract-signed"].map(|template| (template.to_owned(), 1));
        assert_eq!(sent, once);
    }

    async fn the_signed_copy_has_every_word_both_names_and_a_certificate(database: Database) {
        let world = World::start(database.db()).await;
        let Complete { client, contract, name, .. } = complete(&world).await;
        let file = client.get("/dashboard/contract.pdf").with_cookie(&client).send().await;
        assert_eq!((file.status, file.header("content-type")), (200, "application/pdf"));
        assert_eq!(file.bytes, client.get("/api/users/contract/file").send().await.bytes);
        assert!(tool(&["qpdf", "--check", "FILE"], &file.bytes).contains("No syntax or stream encoding errors"));
        let structure = tool(&["pdfinfo", "-struct", "FILE"], &file.bytes);
        for tag in ["H1", "H2", "Table", "TH", "LBody", "Lbl"] {
            assert!(structure.contains(tag), "{tag} in {structure}");
        }
        assert!(tool(&["pdfinfo", "FILE"], &file.bytes).contains("Tagged:          yes"));

        let set = text_of(&file.bytes);
        let flat = set.split_whitespace().collect::<String>();
        let stored = world.store.contract(&contract).await.unwrap().unwrap();
        let (text, hash) = (stored.text.unwrap(), stored.text_hash.unwrap());
        let verify = format!("/verify/{}", stored.code);
        for said in ["Demo Sample", &name, &hash, &verify, "Certificate", "Cost sheet", "A diploma", "198.18.", "6. Countersigned", "As the product came"] {
            assert!(flat.contains(&said.split_whitespace().collect::<String>()), "{said} in {set}");
        }
        let mut rest = flat.as_str();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('|')).take(6) {
            let words = line.trim_start_matches(['#', '-']).replace("**", "").split_whitespace().collect::<String>();
            let at = rest.find(&words).unwrap_or_else(|| panic!("{words}, in the order of the text, in {rest}"));
            rest = &rest[at..];
        }
        for event in world.store.contract_events(&contract).await.unwrap() {
            assert!(flat.contains(&event.hash), "{event:?}");
        }
    }

    async fn anybody_with_its_address_can_check_a_contract(database: Database) {
        let world = World::start(database.db()).await;
        let Complete { client, contract, name, .. } = complete(&world).await;
        let file = client.get("/api/users/contract/file").send().await;
        let stored = world.store.contract(&contract).await.unwrap().unwrap();
        let (hash, verify) = (stored.text_hash.unwrap(), format!("/verify/{}", stored.code));
        let seen = verification(&world, &verify).await;
        assert_eq!((&seen["verdict"], &seen["signed"]["name"], &seen["countersigned"]["name"]), (&json!("success"), &json!("demo  sample"), &json!(name)));
        for path in ["/verify/abc", "/verify/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "/verify/%27--"] {
            assert_eq!(world.visitor().get(path).send().await.status, 404, "{path}");
        }

        let compare = async |hash: &str| {
            let call = world.visitor().post(&verify).form(&[("hash", hash)]);
            call.header("accept", "application/json").send().await
        };
        for (typed, well) in [(fingerprint(&file.bytes), true), (hash.to_uppercase(), true), (fingerprint(b"another"), false)] {
            assert_eq!(props(compare(&typed).await).await["comparedWell"], well, "{typed}");
        }
        for odd in ["", "abc", &"g".repeat(64)] {
            assert_eq!(compare(odd).await.status, 422, "{odd}");
        }

        let upload = async |body: Vec<u8>| {
            let call = as_form(world.visitor().post(&verify), body);
            call.header("sec-fetch-site", "same-origin").header("accept", "application/json").send().await
        };
        let mut changed = file.bytes.clone();
        *changed.last_mut().unwrap() ^= 1;
        for (bytes, well) in [(&file.bytes, true), (&changed, false)] {
            assert_eq!(props(upload(form("x", "contract.pdf", bytes)).await).await["comparedWell"], well);
        }
        let one = form("x", "a.pdf", &file.bytes);
        let two = [&one[..one.len() - "--edge--\r\n".len()], &form("x", "b.pdf", &changed)].concat();
        assert_eq!(upload(two).await.status, 422, "which of them was meant is not known");
    }

    async fn the_record_of_a_contract_is_whole_and_names_nobody(database: Database) {
        let world = World::start(database.db()).await;
        let Complete { client, id, contract, .. } = complete(&world).await;
        assert_eq!(check_contracts(&database.db()).await.unwrap(), Ok(1));
        assert!(database.db().is_record_unbroken(&format!("application:{id}")).await.unwrap());
        let timeline = database.texts(&format!("SELECT action FROM audit WHERE subject = 'application:{id}' AND action LIKE 'contract.%' ORDER BY happened_at, id")).await;
        assert_eq!(timeline.len(), 6, "{timeline:?}");
        let details = database.texts("SELECT detail FROM audit WHERE action LIKE 'contract.%'").await.concat();
        assert!(!details.contains("Sample") && !details.contains("198.18"), "{details}");
        let archive = client.post("/api/users/personal-data").json(&json!({ "currentPassword": PASSWORD })).send().await;
        assert_eq!(archive.status, 200);
        assert!(archive.text.contains(&format!("contracts/{contract}.pdf")), "what is stored about somebody has it, too");
    }

    async fn one_changed_byte_shows(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let contract = sent(&world, &id).await;
        let code = world.store.contract(&contract).await.unwrap().unwrap().code;
        let db = database.db();
        // Before signing: a changed text cannot be signed.
        ok(own(&client, &contract, "consent", json!({})).await).await;
        let change = "UPDATE contracts SET body = replace(body, 'for the part of', 'for the part if')";
        let back = "UPDATE contracts SET body = replace(body, 'for the part if', 'for the part of')";
        database.run(change).await.unwrap();
        own(&client, &contract, "sign", signature()).await.assert_problem(409, "contract.broken");
        let page = client.get("/dashboard/contract").with_cookie(&client).header("accept", "application/json").send().await;
        assert_eq!((&page.json()["props"]["broken"], &page.json()["props"]["texts"]), (&json!(true), &json!([])));
        database.run(back).await.unwrap();
        ok(own(&client, &contract, "sign", signature()).await).await;
        countersigned(&world, &contract).await;
        let path = format!("/verify/{code}");
        assert_eq!(verification(&world, &path).await["verdict"], "success");

        let changes = [
            (change, back),
            ("UPDATE contracts SET signed_name = 'demo  simple'", "UPDATE contracts SET signed_name = 'demo  sample'"),
            ("UPDATE contracts SET signed_at = signed_at + 1", "UPDATE contracts SET signed_at = signed_at - 1"),
            ("UPDATE contracts SET state = 'signed'", "UPDATE contracts SET state = 'countersigned'"),
            ("UPDATE contract_events SET address = '192.0.2.99' WHERE act = 'declined' OR act = 'nothing'", ""),
            ("UPDATE contract_events SET happened_at = happened_at + 1 WHERE act = 'consented'", "UPDATE contract_events SET happened_at = happened_at - 1 WHERE act = 'consented'"),
        ];
        for (change, back) in changes {
            database.run(change).await.unwrap();
            let verdict = verification(&world, &path).await["verdict"].clone();
            // An event that does not exist cannot be changed.
            let expected = if back.is_empty() { "success" } else { "error" };
            assert_eq!(verdict, expected, "{change}");
            assert_eq!(check_contracts(&db).await.unwrap().is_ok(), expected != "error", "{change}");
            if !back.is_empty() {
                database.run(back).await.unwrap();
            }
        }
        assert_eq!(check_contracts(&db).await.unwrap(), Ok(1));
        // Text and hash together: the chain still has the original hash.
        database.run(change).await.unwrap();
        let text = database.texts("SELECT body FROM contracts").await.remove(0);
        database.run(&format!("UPDATE contracts SET body_hash = '{}'", fingerprint(text.as_bytes()))).await.unwrap();
        assert_eq!(verification(&world, &path).await["verdict"], "error");
        assert_eq!(check_contracts(&db).await.unwrap(), Err(contract.clone()));
        // And the file.
        database.run("UPDATE contracts SET file_hash = 'x'").await.unwrap();
        client.get("/api/users/contract/file").send().await.assert_problem(409, "contract.broken");
    }

    async fn a_contract_waits_for_fourteen_days(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let (other, other_id) = confirmed(&world).await;
        let (contract, signed_one) = (sent(&world, &id).await, sent(&world, &other_id).await);
        signed(&other, &signed_one).await;
        let mut reminded = Vec::new();
        for _ in 0..14 {
            advance(&world, DAY).await;
            reminded.push(mails(&database).await.get("contract-reminder").copied().unwrap_or_default());
        }
        assert_eq!(reminded, [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3]);
        let told = database.texts("SELECT body_text FROM outbox WHERE template = 'contract-reminder' LIMIT 1").await;
        assert!(told[0].contains("until the end of Monday, May 18, 2026") && told[0].contains("/dashboard/contract"), "{told:?}");
        // It was sent at seven in the morning: the last day runs until midnight.
        assert_eq!(state(&world, &contract).await, ContractState::Sent);
        world.clock.advance(17 * HOUR);
        let client = client.log_in().await;
        // Even before the job has run.
        own(&client, &contract, "consent", json!({})).await.assert_problem(409, "contract.closed");
        advance(&world, MINUTE).await;
        assert_eq!((state(&world, &contract).await, state(&world, &signed_one).await), (ContractState::Expired, ContractState::Signed));
        own(&client, &contract, "sign", signature()).await.assert_problem(409, "contract.closed");
        assert_eq!(mails(&database).await["contract-expired"], 1);
        assert_eq!(open_tasks(&database).await, ["contract", "countersign"]);
        // Another one can be sent.
        let again = sent(&world, &id).await;
        assert_ne!(again, contract);
        assert_eq!(ok(client.log_in().await.get("/api/users/contract").send().await).await["number"], 2);
    }

    async fn what_comes_twice_is_done_once(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        let drafts = at_once(4, |_| {
            let (finance, path) = (finance.clone(), of(&id));
            async move { finance.api("POST", &path).json(&json!({})).send().await.json()["id"].clone() }
        });
        let drafts = drafts.await;
        assert!(drafts.iter().all(|draft| *draft == drafts[0]), "{drafts:?}");
        let (contract, hash) = prepared(&finance, &id).await;
        let sendings = at_once(3, |_| {
            let (finance, contract, hash) = (finance.clone(), contract.clone(), hash.clone());
            async move { act(&finance, &contract, "send", json!({ "textSha256": hash })).await.status }
        });
        assert_eq!(sendings.await, [200, 200, 200]);
        ok(own(&client, &contract, "consent", json!({})).await).await;
        let signings = at_once(3, |_| {
            let (client, contract) = (client.clone(), contract.clone());
            async move { own(&client, &contract, "sign", signature()).await.status }
        });
        assert_eq!(signings.await, [200, 200, 200]);
        let decider = staff_client(&world, Role::Decider).await;
        let body = json!({ "signerName": decider.staff.name, "agree": true });
        let countersignings = at_once(3, |_| {
            let (decider, contract, body) = (decider.clone(), contract.clone(), body.clone());
            async move { act(&decider, &contract, "countersign", body).await.status }
        });
        assert_eq!(countersignings.await, [200, 200, 200]);
        assert!(mails(&database).await.values().all(|count| *count == 1), "{:?}", mails(&database).await);
        assert_eq!(database.count("contract_events").await, 5);
        assert_eq!(check_contracts(&database.db()).await.unwrap(), Ok(1));

        // One tab signs and another declines: exactly one of the two happens.
        let (client, id) = confirmed(&world).await;
        let contract = sent(&world, &id).await;
        ok(own(&client, &contract, "consent", json!({})).await).await;
        let both = at_once(2, |number| {
            let (client, contract) = (client.clone(), contract.clone());
            async move {
                match number {
                    0 => own(&client, &contract, "sign", signature()).await.status,
                    _ => own(&client, &contract, "decline", json!({ "declineReason": "Too dear" })).await.status,
                }
            }
        });
        let mut both = both.await;
        both.sort_unstable();
        assert_eq!(both, [200, 409]);
    }

    async fn what_is_read_while_it_changes_is_whole(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let contract = sent(&world, &id).await;
        let code = world.store.contract(&contract).await.unwrap().unwrap().code;
        let is_over = AtomicBool::new(false);
        let readers = join_all((0..8).map(|_| async {
            while !is_over.load(Ordering::Relaxed) {
                assert!(world.app.verify_contract(&code).await.unwrap().unchanged);
                tokio::task::yield_now().await;
            }
        }));
        let acts = async {
            signed(&client, &contract).await;
            countersigned(&world, &contract).await;
            is_over.store(true, Ordering::Relaxed);
        };
        tokio::join!(readers, acts);
    }

    async fn what_was_looked_at_is_what_is_sent(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        let (contract, hash) = prepared(&finance, &id).await;
        act(&finance, &contract, "send", json!({})).await.assert_problem(422, "textSha256.required");
        act(&finance, &contract, "send", json!({ "textSha256": "x" })).await.assert_problem(412, "contract.stale");
        // Meanwhile, somebody publishes another template.
        let text = starter(Program::Bachelor).text.replace("# Signing", "# How we sign");
        let body = json!({ "applicationType": "ba", "replaces": 0, "text": text });
        assert_eq!(finance.api("POST", TEMPLATES).json(&body).send().await.status, 204);
        act(&finance, &contract, "send", json!({ "textSha256": hash })).await.assert_problem(412, "contract.stale");
        finance.api("POST", TEMPLATES).json(&body).send().await.assert_problem(412, "contract_template.stale");
        let (again, hash) = prepared(&finance, &id).await;
        assert_eq!(again, contract);
        ok(act(&finance, &contract, "send", json!({ "textSha256": hash })).await).await;
        // A sent contract stays as it is, whatever is published.
        let older = json!({ "applicationType": "ba", "replaces": 1, "text": starter(Program::Bachelor).text });
        assert_eq!(finance.api("POST", TEMPLATES).json(&older).send().await.status, 204);
        let kept = ok(client.get("/api/users/contract").send().await).await;
        assert!(kept["text"].as_str().unwrap().contains("# How we sign"));
        // An application without an offer has no contract; a contract belongs to one application only.
        let early = world.submitted().await;
        let early = early.get("/api/users/application").send().await.json()["id"].as_str().unwrap().to_owned();
        finance.api("POST", &of(&early)).json(&json!({})).send().await.assert_problem(409, "contract.stage");
        let (other, _) = confirmed(&world).await;
        let finance = entered(&world, &finance.staff).await;
        for (what, body) in [("consent", json!({})), ("sign", signature()), ("decline", json!({}))] {
            own(&other, &contract, what, body).await.assert_problem(404, "contract.not_found");
        }
        // Reviewers can look, deciders cannot send, Finance cannot countersign.
        let (reviewer, decider) = (staff_client(&world, Role::Reviewer).await, staff_client(&world, Role::Decider).await);
        assert_eq!(reviewer.api("GET", "/api/admins/contracts?state=viewed").send().await.json()["contracts"].as_array().unwrap().len(), 1);
        act(&decider, &contract, "void", json!({ "reason": "No" })).await.assert_problem(403, "role.forbidden");
        act(&finance, &contract, "countersign", json!({ "signerName": finance.staff.name, "agree": true })).await.assert_problem(403, "role.forbidden");
        act(&decider, &contract, "countersign", json!({ "signerName": decider.staff.name, "agree": true })).await.assert_problem(409, "contract.closed");
        world.clock.advance(6 * MINUTE);
        act(&finance, &contract, "void", json!({ "reason": "No" })).await.assert_problem(401, "auth.step_up");
    }

    async fn contracts_are_voided_declined_signed_on_paper_and_replaced(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        // On paper.
        let first = sent(&world, &id).await;
        let print = client.get("/api/users/contract/file").send().await;
        let print = text_of(&print.bytes);
        assert!(print.contains("Your signature") && !print.contains("Certificate"), "{print}");
        let finance = staff_client(&world, Role::Finance).await;
        for (day, code) in [("2026-05-03", "signedOn.range"), ("2026-05-05", "signedOn.range"), ("soon", "signedOn.invalid")] {
            act(&finance, &first, "paper", json!({ "signedOn": day, "seen": true })).await.assert_problem(422, code);
        }
        act(&finance, &first, "paper", json!({ "signedOn": "2026-05-04" })).await.assert_problem(422, "seen.required");
        let noted = ok(act(&finance, &first, "paper", json!({ "signedOn": "2026-05-04", "seen": true })).await).await;
        assert_eq!((&noted["state"], &noted["onPaper"]), (&json!("signed"), &json!(true)));
        countersigned(&world, &first).await;
        assert_eq!(check_contracts(&database.db()).await.unwrap(), Ok(1));

        // A change after signing is a new contract; the first one holds until both have signed the new one.
        let second = sent(&world, &id).await;
        let code = async |contract: &str| world.store.contract(contract).await.unwrap().unwrap().code;
        let first_path = format!("/verify/{}", code(&first).await);
        assert_eq!(verification(&world, &first_path).await["superseded"], false);
        signed(&client, &second).await;
        countersigned(&world, &second).await;
        let superseded = verification(&world, &first_path).await;
        assert_eq!((&superseded["superseded"], &superseded["verdict"]), (&json!(true), &json!("warning")));

        // Declined, with a reason that the office can read.
        let third = sent(&world, &id).await;
        let long = json!({ "declineReason": "x".repeat(1001) });
        own(&client, &third, "decline", long).await.assert_problem(422, "declineReason.too_long");
        for _ in 0..2 {
            ok(own(&client, &third, "decline", json!({ "declineReason": "Too dear" })).await).await;
        }
        assert_eq!(open_tasks(&database).await, ["contract"]);
        let tab = finance.see(&format!("/admin-panel/applications/{id}/contract")).header("accept", "application/json").send().await;
        assert_eq!(tab.json()["props"]["contracts"][0]["reason"], "Too dear");

        // Voided by the office, and by a withdrawal.
        let fourth = sent(&world, &id).await;
        let finance = staff_client(&world, Role::Finance).await;
        act(&finance, &fourth, "void", json!({})).await.assert_problem(422, "reason.required");
        for _ in 0..2 {
            ok(act(&finance, &fourth, "void", json!({ "reason": "Wrong price" })).await).await;
        }
        assert_eq!(mails(&database).await["contract-voided"], 1);
        let page = client.get("/dashboard/contract").with_cookie(&client).header("accept", "application/json").send().await;
        assert_eq!(page.json()["props"]["reason"], "Wrong price");
        assert!(is_agreed(&world, &id).await);
        let fifth = sent(&world, &id).await;
        let gone = client.post("/api/users/application/withdraw").json(&json!({ "reason": "I move." })).send().await;
        assert_eq!(gone.status, 200, "{gone:?}");
        for contract in [&second, &fifth] {
            assert_eq!(state(&world, contract).await, ContractState::Voided);
        }
        assert!(!is_agreed(&world, &id).await);
        own(&client, &fifth, "sign", signature()).await.assert_problem(404, "contract.not_found");
        let voided = verification(&world, &format!("/verify/{}", code(&second).await)).await;
        assert_eq!(voided["title"], "Signed and unchanged, but voided: it is no longer valid");
        assert_eq!(check_contracts(&database.db()).await.unwrap(), Ok(5));
        assert!(open_tasks(&database).await.is_empty());
        advance(&world, 20 * DAY).await;
        assert_eq!((mails(&database).await.get("contract-reminder"), mails(&database).await.get("contract-expired")), (None, None));
    }

    async fn a_contract_comes_with_a_translation_for_its_reader_and_says_which_text_counts(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        let (contract, english) = prepared(&finance, &id).await;
        ok(client.call("PATCH", "/api/users/profile").json(&json!({ "language": "es" })).send().await).await;
        act(&finance, &contract, "send", json!({ "textSha256": english })).await.assert_problem(412, "contract.stale");
        let (_, hash) = prepared(&finance, &id).await;
        let told = ok(act(&finance, &contract, "send", json!({ "textSha256": hash })).await).await;
        let text = told["text"].as_str().unwrap().to_owned();
        // Both texts are signed, and neither can be changed unnoticed.
        assert_eq!(fingerprint(text.as_bytes()), hash);
        for said in ["~ en\n", "the text in English counts.", "August 31, 2026", "~ es\n", "prevalece el texto en inglés.", "31 de agosto de 2026", "# Hoja de costos"] {
            assert!(text.contains(said), "{said} in {text}");
        }
        let page = client.get("/dashboard/contract").with_cookie(&client).send().await;
        let (spanish, counts) = (page.text.find("Cuánto cuesta").unwrap(), page.text.find("What it costs").unwrap());
        assert!(spanish < counts && page.text.contains("El texto que prevalece"), "the reader's language comes first");
        let pdf = client.get("/api/users/contract/file").send().await;
        let printed = text_of(&pdf.bytes);
        assert!(printed.find("Cost sheet").unwrap() < printed.find("Traducción al español").unwrap(), "{printed}");
        signed(&client, &contract).await;
        countersigned(&world, &contract).await;
        assert!(is_agreed(&world, &id).await, "the text that counts has the cost sheet that is planned");
        assert_eq!(check_contracts(&database.db()).await.unwrap(), Ok(1));
    }

    async fn the_office_chooses_which_text_counts(database: Database) {
        let world = World::start(database.db()).await;
        let (client, id) = confirmed(&world).await;
        let finance = staff_client(&world, Role::Finance).await;
        let Some(spanish) = starter(Program::Bachelor).of(Language::Es).map(str::to_owned) else { panic!() };
        let english = starter(Program::Bachelor).text;
        let publish = async |replaces: i64, counts: &str, text: &str, translations: Value| {
            let body = json!({ "applicationType": "ba", "replaces": replaces, "counts": counts, "text": text, "translations": translations });
            finance.api("POST", TEMPLATES).json(&body).send().await
        };
        for (counts, translations, code) in [
            ("fr", json!({}), "language.unknown"),
            ("en", json!({ "fr": "x" }), "language.unknown"),
            ("en", json!({ "en": "x" }), "translations.counts"),
            ("en", json!({ "es": 1 }), "translations.type"),
            ("en", json!([]), "translations.type"),
            ("en", json!({ "es": "Hola" }), "contract.missing"),
            ("en", json!({ "es": spanish.replace("{contactEmail}", "x") }), "contract.translation"),
        ] {
            publish(0, counts, &english, translations).await.assert_problem(422, code);
        }
        assert_eq!(publish(0, "es", &spanish, json!({ "en": english })).await.status, 204);
        let all = ok(finance.api("GET", TEMPLATES).send().await).await;
        let now = &all["templates"][0];
        assert_eq!((&now["counts"], &now["text"], &now["translations"]["en"]), (&json!("es"), &json!(spanish), &json!(english)));
        // An applicant who reads English signs the Spanish text, with a translation.
        let contract = sent(&world, &id).await;
        let text = ok(client.get("/api/users/contract").send().await).await["text"].as_str().unwrap().to_owned();
        assert!(text.starts_with("~ es\n") && text.contains("The contract is made in Spanish"), "{text}");
        signed(&client, &contract).await;
        countersigned(&world, &contract).await;
        assert!(is_agreed(&world, &id).await);
        // Without a translation, the Spanish text stands alone.
        assert_eq!(publish(1, "es", &spanish, json!({ "en": " " })).await.status, 204);
        let (other, other_id) = confirmed(&world).await;
        sent(&world, &other_id).await;
        let text = ok(other.get("/api/users/contract").send().await).await["text"].as_str().unwrap().to_owned();
        assert!(text.starts_with("~ es\n") && !text.contains("~ en") && !text.contains("Idioma de este contrato"), "{text}");
        // The form has a field for each language, and a mistake is shown beside the field it is in.
        let key = world.app.random.id();
        let wrong = spanish.replace("{institute}", "{password}");
        let fields = [("key", key.as_str()), ("published", "2"), ("revision", "0"), ("counts", "en"), ("texts.en", &english), ("texts.es", &wrong), ("_action", "look")];
        let owner = staff_client(&world, Role::Owner).await;
        let refused = owner.send(TEMPLATE, &fields).header("accept", "application/json").send().await;
        assert_eq!(refused.status, 422);
        let shown = refused.json()["props"].clone();
        assert!(shown["form"]["errors"]["texts.es"].as_str().unwrap().contains("{password}"), "{shown}");
        assert_eq!((&shown["form"]["errors"]["texts.en"], &shown["texts"][1]["text"]), (&Value::Null, &json!(wrong)));
    }

    async fn a_template_is_drafted_looked_at_published_and_brought_back(database: Database) {
        let world = World::start(database.db()).await;
        let (_, id) = confirmed(&world).await;
        let reference = database.texts(&format!("SELECT reference FROM applications WHERE id = '{id}'")).await.remove(0);
        let finance = staff_client(&world, Role::Finance).await;
        let see = async || props(finance.see(TEMPLATE).header("accept", "application/json").send().await).await;
        let post = async |fields: &[(&str, &str)]| {
            let key = world.app.random.id();
            let now = see().await;
            let (published, revision) = (now["published"].to_string(), now["revision"].to_string());
            let mut all = vec![("key", key.as_str()), ("published", &published), ("revision", &revision), ("counts", "en")];
            all.extend_from_slice(fields);
            finance.send(TEMPLATE, &all).header("accept", "application/json").send().await
        };
        let fresh = see().await;
        assert_eq!((&fresh["published"], &fresh["revision"], &fresh["texts"][0]["text"]), (&json!(0), &json!(0), &json!(starter(Program::Bachelor).text)));
        // Mistakes are kept in a draft and shown with their places, and are not published.
        let wrong = starter(Program::Bachelor).text.replace("{institute}", "{password}");
        assert_eq!(post(&[("_action", "save"), ("texts.en", &wrong)]).await.header("location"), format!("{TEMPLATE}?done=saved"));
        assert!(see().await["form"]["errors"]["texts.en"].as_str().unwrap().contains("Line 3: There is no field {password}."));
        let refused = post(&[("_action", "publish"), ("texts.en", &wrong)]).await;
        assert_eq!((refused.status, &refused.json()["props"]["texts"][0]["text"]), (422, &json!(wrong)));
        for (text, code) in [("<script>alert(1)</script>", "contract.content"), ("{{7*7}}", "contract.content"), ("Nothing", "contract.missing"), ("{nothing}", "contract.field")] {
            let body = json!({ "applicationType": "ba", "replaces": 0, "text": text });
            finance.api("POST", TEMPLATES).json(&body).send().await.assert_problem(422, code);
        }
        // Previewed with a real applicant's data before it is published.
        let better = starter(Program::Bachelor).text.replace("# Signing", "# How you sign, {applicantName}");
        // Its changes are reviewed first.
        assert_eq!(post(&[("_action", "look"), ("texts.en", &wrong)]).await.status, 422);
        assert_eq!(post(&[("_action", "look"), ("texts.en", &better)]).await.header("location"), format!("{TEMPLATE}?publish=look#publish"));
        let looked = finance.see(&format!("{TEMPLATE}?publish=look")).send().await.assert_document(200, "adminTemplate")["props"]["publication"]["texts"].clone();
        // The draft has no translation: all of it is removed.
        assert_eq!((looked.as_array().unwrap().len(), &looked[1]["language"]), (2, &json!("es")), "{looked}");
        let looked = looked[0]["changes"].clone();
        let lines = looked[0]["lines"].as_array().unwrap();
        assert_eq!(looked.as_array().unwrap().len(), 1, "{looked}");
        let of = |kind: &str| lines.iter().find(|line| line["kind"] == kind).unwrap()["pieces"].to_string();
        assert!(of("removed").contains("Signing") && of("added").contains("applicantName"), "{looked}");
        let preview = post(&[("_action", "preview"), ("texts.en", &better), ("reference", &reference.to_lowercase())]).await;
        assert!(preview.json()["props"]["preview"].to_string().contains("How you sign, Demo Sample"), "{preview:?}");
        let unknown = post(&[("_action", "preview"), ("texts.en", &better), ("reference", "B26-0000-0000")]).await;
        assert_eq!(unknown.json()["props"]["form"]["errors"]["reference"], "There is no application with this reference number.");
        assert_eq!(post(&[("_action", "publish"), ("texts.en", &better)]).await.header("location"), format!("{TEMPLATE}?done=published"));
        let now = see().await;
        assert_eq!((&now["published"], &now["revision"]), (&json!(1), &json!(0)));
        // Two people edit at once: the second is shown what the first wrote.
        let key = world.app.random.id();
        let stale = finance.send(TEMPLATE, &[("key", &key), ("published", "1"), ("revision", "0"), ("counts", "en"), ("_action", "save"), ("texts.en", "Mine")]).send().await;
        assert_eq!(stale.status, 303, "{stale:?}");
        let owner = staff_client(&world, Role::Owner).await;
        let stale = owner.send(TEMPLATE, &[("key", &key), ("published", "1"), ("revision", "0"), ("counts", "en"), ("_action", "save"), ("texts.en", "Yours")]).header("accept", "application/json").send().await;
        assert_eq!((stale.status, &stale.json()["props"]["theirs"][0]["text"]), (412, &json!("Mine")), "{stale:?}");
        assert_eq!(post(&[("_action", "discard"), ("texts.en", "Mine")]).await.header("location"), format!("{TEMPLATE}?done=discarded"));
        // Restores the product's default as a new version; sent twice, it is done once.
        let key = world.app.random.id();
        for _ in 0..2 {
            let fields = [("key", key.as_str()), ("published", "1"), ("revision", "0"), ("counts", "en"), ("_action", "restore:0")];
            assert_eq!(finance.send(TEMPLATE, &fields).send().await.status, 303);
        }
        let now = see().await;
        assert_eq!((&now["published"], &now["texts"][1]["text"]), (&json!(2), &json!(starter(Program::Bachelor).of(Language::Es))));
        assert_eq!(database.count("contract_templates").await, 2);
        assert!(database.db().is_record_unbroken("contract_template:ba").await.unwrap());
    }
}
