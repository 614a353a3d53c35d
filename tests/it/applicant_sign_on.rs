//! Applicants log in with an identity provider that an Owner has added for them, which is a real one.

use std::io::{Cursor, Read};

use matricula::app::ports::Clock;
use matricula::auth::SystemClock;
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use serde_json::{Value, json};
use url::Url;

use crate::api::account::link_to;
use crate::api::passwords::mailed_token;
use crate::office::{StaffClient, code, staff_client};
use crate::pages::registration_form;
use crate::support::databases::{Database, story};
use crate::support::identity_provider::{Browser, CLIENT_ID, CLIENT_SECRET, IdentityProvider};
use crate::support::rows::entry;
use crate::support::server::{Answer, Call, Client, PASSWORD, PUBLIC_URL, World};

const PROVIDERS: &str = "/api/admins/identity-providers";
const NAME: &str = "Demo accounts";
const DIALOG: &str = "/bachelor/apply?dialog=login";
const CALLBACK: &str = "/login/sign-on/callback";
const OFFICE_CALLBACK: &str = "/admin-panel/sign-on/callback";
/// Of a login that was begun.
const COOKIE: &str = "matricula_applicant_sign_on";
/// Where a login leads without a page that was wanted.
const HOME: &str = "/bachelor/application";
const MAILS: &str = "SELECT template FROM outbox WHERE template LIKE 'provider%' ORDER BY template";
const RECORD: &str = "SELECT action FROM audit WHERE action LIKE 'applicant.%provider%' ORDER BY action";

/// An institute with a provider for applicants, and the Owner who has added it.
struct Institute {
    world: World,
    provider: IdentityProvider,
    owner: StaffClient,
    id: String,
}

impl Institute {
    async fn start(database: &Database) -> Institute {
        Institute::with(database, json!({})).await
    }

    /// With other settings of the provider than those of the story.
    async fn with(database: &Database, settings: Value) -> Institute {
        let world = World::start(database.db()).await;
        // The provider has the time of the machine.
        world.clock.advance(SystemClock { ahead: 0 }.now() - world.app.clock.now());
        let provider = new_provider();
        let owner = staff_client(&world, Role::Owner).await;
        let id = id_of(&add(&owner, &changed(settings_of(&provider.issuer), &settings)).await);
        Institute { world, provider, owner, id }
    }

    /// Adds or changes an account at the provider, whose email is verified.
    async fn account(&self, name: &str, email: &str) {
        let claims = json!({ "email": email, "email_verified": true, "given_name": "Demo", "family_name": "Person" });
        self.provider.set_account(name, &claims).await;
    }

    /// Where a login begins that is to lead to a page.
    fn href(&self, redirect: &str) -> String {
        let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("redirect", redirect).finish();
        format!("/login/sign-on/{}?{query}", self.id)
    }

    /// Begins a login; returns the address at the provider, and the cookie.
    async fn begin(&self, redirect: &str) -> (String, String) {
        let begun = self.world.visitor().get(&self.href(redirect)).send().await;
        assert_eq!(begun.status, 302, "{begun:?}");
        (begun.header("location").to_owned(), begun.set_cookie(COOKIE).unwrap())
    }

    /// The request of a browser that comes back from the provider.
    fn back(&self, address: &str, cookie: &str) -> Call {
        let path = address.strip_prefix(PUBLIC_URL).expect("it leads back here");
        self.world.visitor().get(path).header("cookie", &format!("{COOKIE}={cookie}"))
    }

    async fn log_in_for(&self, browser: &mut Browser, name: &str, redirect: &str) -> Answer {
        let (url, cookie) = self.begin(redirect).await;
        self.back(&browser.pass(&url, name).await, &cookie).send().await
    }

    async fn log_in(&self, browser: &mut Browser, name: &str) -> Answer {
        self.log_in_for(browser, name, "").await
    }

    /// The same in a browser that the provider does not know.
    async fn log_in_anew(&self, name: &str) -> Answer {
        self.log_in(&mut self.provider.browser(), name).await
    }

    /// Logs in, and returns the secret of the session.
    async fn session(&self, browser: &mut Browser, name: &str) -> String {
        let answer = self.log_in(browser, name).await;
        answer.assert_redirect(303, HOME);
        session_of(&answer)
    }

    async fn sees(&self, path: &str, session: &str) -> Answer {
        self.world.visitor().get(path).header("cookie", &format!("matricula_session={session}")).send().await
    }

    /// Whose session it is.
    async fn email_of(&self, session: &str) -> String {
        let page = self.sees("/dashboard/account", session).await.assert_document(200, "account");
        page["props"]["profile"]["email"].as_str().unwrap().to_owned()
    }
}

/// Sends staff and applicants back.
fn new_provider() -> IdentityProvider {
    IdentityProvider::start(&format!("{PUBLIC_URL}{CALLBACK},{PUBLIC_URL}{OFFICE_CALLBACK}"))
}

fn settings_of(issuer: &str) -> Value {
    json!({
        "name": NAME,
        "forApplicants": true,
        "issuer": issuer,
        "clientId": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
    })
}

/// Of a provider of staff.
fn settings_for_staff(issuer: &str) -> Value {
    let mut settings = changed(settings_of(issuer), &json!({ "name": "Demo directory", "otherwise": "viewer" }));
    settings.as_object_mut().unwrap().remove("forApplicants");
    settings
}

fn changed(mut body: Value, changes: &Value) -> Value {
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    body
}

async fn add(owner: &StaffClient, settings: &Value) -> Value {
    let made = owner.api("POST", PROVIDERS).json(settings).send().await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// The secret of the session that an answer opens.
#[track_caller]
fn session_of(answer: &Answer) -> String {
    answer.set_cookie("matricula_session").unwrap_or_else(|| panic!("{answer:?}"))
}

/// The open dialog of an answer that logs nobody in.
#[track_caller]
fn dialog(answer: &Answer, status: u16, mode: &str) -> Value {
    let page = answer.assert_document(status, "apply");
    let dialog = page["props"]["dialog"].clone();
    assert_eq!(dialog["mode"], mode, "{dialog}");
    for cookie in ["matricula_session", "matricula_login", "matricula_device"] {
        assert_eq!(answer.set_cookie(cookie), None, "{answer:?}");
    }
    dialog
}

/// The sentence that somebody who is refused reads in the login dialog.
#[track_caller]
fn refusal(answer: &Answer, status: u16) -> String {
    let dialog = dialog(answer, status, "login");
    dialog["error"].as_str().unwrap_or_else(|| panic!("{dialog}")).to_owned()
}

/// An address with another value of a parameter.
fn with(address: &str, name: &str, value: &str) -> String {
    let mut url = Url::parse(address).unwrap();
    let others: Vec<(String, String)> = url.query_pairs().into_owned().filter(|(key, _)| key != name).collect();
    url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
    url.into()
}

async fn confirm_email(world: &World, email: &str) {
    let token = link_to(world, email).await;
    let confirm = world.visitor().post("/api/users/email-confirmation/confirm").json(&json!({ "token": token }));
    assert_eq!(confirm.send().await.status, 204);
}

/// Sets an authenticator app up, and returns its key.
async fn set_up_app(world: &World, client: &Client) -> String {
    let begun = client.post("/api/users/second-factor").json(&json!({})).send().await.json();
    let secret = begun["secret"].as_str().unwrap().to_owned();
    let proof = json!({ "seed": begun["seed"], "code": code(world, &secret), "currentPassword": PASSWORD });
    let on = client.post("/api/users/second-factor/confirm").json(&proof).send().await;
    assert_eq!(on.status, 200, "{on:?}");
    secret
}

async fn disable(world: &World, client: &Client) {
    assert!(world.store.set_disabled(client.user["id"].as_str().unwrap(), true, &entry()).await.unwrap());
}

story! {
    async fn an_account_with_the_same_email_is_linked_and_then_found_by_the_subject(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        let (applicant, other) = (world.register().await, world.register().await);
        institute.account("demo", &applicant.email.to_uppercase()).await;
        let (url, cookie) = institute.begin("/dashboard/messages").await;
        let asked = Url::parse(&url).unwrap();
        let asks = |name: &str| asked.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default();
        assert_eq!((asks("code_challenge_method"), asks("response_type")), ("S256".into(), "code".into()));
        assert_eq!(asks("redirect_uri"), format!("{PUBLIC_URL}{CALLBACK}"));
        assert!(asks("nonce").len() > 15 && asks("state").len() > 15, "{url}");

        let mut browser = institute.provider.browser();
        let answer = institute.back(&browser.pass(&url, "demo").await, &cookie).send().await;
        answer.assert_redirect(303, "/dashboard/messages");
        assert_eq!(answer.set_cookie(COOKIE).as_deref(), Some(""), "it is of no more use");
        assert!(answer.set_cookie("matricula_device").is_some());
        let session = session_of(&answer);
        assert_eq!(institute.email_of(&session).await, applicant.email);
        assert_eq!(institute.sees("/dashboard/messages", &session).await.status, 200);
        assert_eq!(database.texts(RECORD).await, ["applicant.logged_in_with_provider", "applicant.provider_linked"]);
        let mails = world.mails(10).await;
        assert!(mails.len() == 1 && mails[0].to == applicant.email && mails[0].text.contains(NAME), "{mails:?}");
        assert_eq!(database.texts(MAILS).await, ["provider-linked"]);
        // The record names the provider, and no address.
        assert!(!database.texts("SELECT detail FROM audit").await.iter().any(|detail| detail.contains('@')));

        // Whatever email the provider has for them from now on, verified or not.
        for claims in [
            json!({ "email": "demo.new@example.org", "email_verified": false }),
            json!({ "email": other.email, "email_verified": true }),
            json!({ "name": "Demo" }),
        ] {
            institute.provider.set_account("demo", &claims).await;
            let session = institute.session(&mut browser, "demo").await;
            assert_eq!(institute.email_of(&session).await, applicant.email, "{claims}");
        }
        assert_eq!(database.count("applicant_identities").await, 1);
        assert_eq!(database.texts(MAILS).await, ["provider-linked"], "once");
        // The password stays.
        applicant.log_in().await;
    }

    async fn an_email_that_is_not_verified_links_nothing(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        for claims in [
            json!({ "email": applicant.email, "email_verified": false }),
            json!({ "email": applicant.email }),
            json!({ "email": "demo.new@example.org" }),
            json!({ "name": "Demo" }),
        ] {
            institute.provider.set_account("demo", &claims).await;
            let sentence = refusal(&institute.log_in_anew("demo").await, 403);
            assert!(sentence.contains("no verified email"), "{claims}: {sentence}");
        }
        assert_eq!((database.count("applicant_identities").await, database.count("outbox").await), (0, 0));
    }

    async fn an_owner_says_that_emails_are_verified_where_the_provider_does_not(database: Database) {
        let institute = Institute::with(&database, json!({ "verifiedEmails": true })).await;
        let applicant = institute.world.register().await;
        institute.provider.set_account("demo", &json!({ "email": applicant.email })).await;
        let session = institute.session(&mut institute.provider.browser(), "demo").await;
        assert_eq!(institute.email_of(&session).await, applicant.email);
    }

    async fn an_account_that_somebody_else_may_have_registered_is_not_linked(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        // A stranger registers an address of somebody who reads its mail, and waits for them.
        let stranger = world.register_unconfirmed().await;
        institute.account("demo", &stranger.email).await;
        let mut browser = institute.provider.browser();
        let sentence = refusal(&institute.log_in(&mut browser, "demo").await, 403);
        assert!(sentence.contains("not confirmed") && sentence.contains("password"), "{sentence}");
        assert_eq!(database.count("applicant_identities").await, 0);
        assert!(database.texts(MAILS).await.is_empty() && database.texts(RECORD).await.is_empty());

        // A password that is set by mail confirms the address, and the stranger is out, with whatever they have set up.
        database.run("UPDATE applicants SET code_seed = 'seed', passkeys = 1").await.unwrap();
        let forgot = world.visitor().post("/api/users/forgot-password").json(&json!({ "email": stranger.email }));
        assert_eq!(forgot.send().await.status, 200);
        let body = json!({ "token": mailed_token(world, &stranger).await, "password": "another horse, a battery" });
        assert_eq!(world.visitor().post("/api/users/reset-password").json(&body).send().await.status, 200);
        assert_eq!(database.count("applicants WHERE code_seed IS NOT NULL OR passkeys > 0").await, 0);
        let session = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.email_of(&session).await, stranger.email);
        stranger.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
    }

    async fn somebody_without_an_account_registers_with_what_the_provider_says(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        let email = "demo.new@example.org";
        institute.account("demo", email).await;
        let mut browser = institute.provider.browser();
        let answer = institute.log_in_for(&mut browser, "demo", "/dashboard/messages").await;
        let registration = dialog(&answer, 200, "register");
        assert_eq!(registration["redirect"], "/dashboard/messages");
        for (name, value) in [("email", email), ("firstName", "Demo"), ("lastName", "Person")] {
            assert_eq!(registration["values"][name], value, "{registration}");
            assert!(answer.text.contains(&format!("value=\"{value}\"")), "{name}: {}", answer.text);
        }
        let sentence = registration["message"].as_str().unwrap_or_else(|| panic!("{registration}"));
        assert!(sentence.contains("no account with") && sentence.contains(NAME), "{sentence}");
        assert_eq!((database.count("applicants").await, database.count("applicant_identities").await), (0, 0));

        // Without names, only the email.
        institute.provider.set_account("other", &json!({ "email": "demo.other@example.org", "email_verified": true })).await;
        let without = dialog(&institute.log_in_anew("other").await, 200, "register");
        assert_eq!(without["values"]["email"], "demo.other@example.org");

        // A password is chosen, and the address has to be confirmed, as always.
        let registered = world.visitor().post("/auth/register").form(&registration_form(email, "bachelor")).send().await;
        registered.assert_redirect(303, HOME);
        refusal(&institute.log_in(&mut browser, "demo").await, 403);
        confirm_email(world, email).await;
        let session = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.email_of(&session).await, email);
        assert_eq!(database.count("applicant_identities").await, 1);
    }

    async fn a_second_factor_is_asked_for_as_after_a_password(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        let applicant = world.register().await;
        let secret = set_up_app(world, &applicant).await;
        // The code of the setup is spent.
        world.clock.advance(MINUTE);
        institute.account("demo", &applicant.email).await;
        let first = institute.log_in_for(&mut institute.provider.browser(), "demo", "/dashboard/messages").await;
        first.assert_redirect(303, "/login/code?redirect=%2Fdashboard%2Fmessages");
        assert_eq!(first.set_cookie("matricula_session"), None, "the provider alone is no session");
        let waiting = format!("matricula_login={}", first.set_cookie("matricula_login").unwrap());
        let visitor = world.visitor();
        visitor.get("/login/code").header("cookie", &waiting).send().await.assert_document(200, "loginCode");
        let give = async |typed: &str| {
            let form = [("code", typed), ("redirect", "/dashboard/messages")];
            visitor.post("/login/code").form(&form).header("cookie", &waiting).send().await
        };
        assert_eq!(give("000000").await.status, 422);
        let entered = give(&code(world, &secret)).await;
        entered.assert_redirect(303, "/dashboard/messages");
        assert_eq!(institute.email_of(&session_of(&entered)).await, applicant.email);
    }

    async fn a_disabled_account_is_refused_and_not_linked(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        let (linked, unlinked) = (world.register().await, world.register().await);
        institute.account("linked", &linked.email).await;
        institute.account("unlinked", &unlinked.email).await;
        institute.session(&mut institute.provider.browser(), "linked").await;
        for client in [&linked, &unlinked] {
            disable(world, client).await;
        }
        for name in ["linked", "unlinked"] {
            let sentence = refusal(&institute.log_in_anew(name).await, 403);
            assert!(sentence.contains("disabled"), "{name}: {sentence}");
        }
        assert_eq!(database.count("applicant_identities").await, 1);
    }

    async fn closing_the_account_ends_its_links(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        let mut browser = institute.provider.browser();
        institute.session(&mut browser, "demo").await;
        let body = json!({ "currentPassword": PASSWORD, "confirm": true });
        assert_eq!(applicant.post("/api/users/close-account").json(&body).send().await.status, 204);
        assert_eq!(database.count("applicant_identities").await, 0);
        // As if there had never been one.
        let registration = dialog(&institute.log_in(&mut browser, "demo").await, 200, "register");
        assert_eq!(registration["values"]["email"], applicant.email);
    }

    async fn what_a_browser_brings_back_must_be_what_it_took(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        let mut browser = institute.provider.browser();
        let begun = institute.world.visitor().get(&institute.href("")).send().await;
        let cookies: Vec<&str> = begun.headers.get_all("set-cookie").iter().map(|it| it.to_str().unwrap()).collect();
        let cookie = cookies.iter().find(|it| it.starts_with(COOKIE)).expect("it is set");
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=900"), "{cookie}");

        let refused = async |address: &str, cookie: &str, words: &str| {
            let sentence = refusal(&institute.back(address, cookie).send().await, 400);
            assert!(sentence.contains(words), "{words}: {sentence}");
        };
        let (other_browser, failed) = ("begun in another browser", "did not confirm");
        let (url, cookie) = institute.begin("").await;
        let (_, others) = institute.begin("").await;
        let back = browser.pass(&url, "demo").await;
        refused(&back, "", other_browser).await;
        refused(&back, &others, other_browser).await;
        refused(&with(&back, "state", "made-up"), &cookie, other_browser).await;
        refused(&format!("{PUBLIC_URL}{CALLBACK}"), &cookie, other_browser).await;
        // Another provider that passes itself off as this one.
        refused(&with(&back, "iss", "https://login.example.org"), &cookie, failed).await;
        let state = Url::parse(&back).unwrap().query_pairs().find(|(key, _)| key == "state").unwrap().1.into_owned();
        let denied = format!("{PUBLIC_URL}{CALLBACK}?error=access_denied&state={state}");
        refused(&denied, &cookie, failed).await;
        refused(&with(&back, "code", "made-up"), &cookie, failed).await;
        institute.back(&back, &cookie).send().await.assert_redirect(303, HOME);
        refused(&back, &cookie, failed).await;
        let (url, cookie) = institute.begin("").await;
        let back = browser.pass(&url, "demo").await;
        institute.world.clock.advance(16 * MINUTE);
        refused(&back, &cookie, "took too long").await;
        assert_eq!(database.texts(MAILS).await, ["provider-linked"]);
    }

    async fn each_provider_is_for_staff_or_for_applicants(database: Database) {
        let institute = Institute::start(&database).await;
        let Institute { world, provider, owner, id } = &institute;
        let of_staff = id_of(&add(owner, &settings_for_staff(&provider.issuer)).await);
        let applicant = world.register().await;
        institute.account("demo", &applicant.email).await;
        let visitor = world.visitor();
        let office = visitor.get("/admin-panel/login").send().await.text;
        assert!(office.contains("Demo directory") && !office.contains(NAME), "{office}");
        let login = visitor.get(DIALOG).send().await;
        let offered = json!([{ "href": format!("/login/sign-on/{id}"), "name": NAME }]);
        assert_eq!(login.assert_document(200, "apply")["shared"]["signOn"], offered);
        assert!(!login.text.contains("Demo directory"));

        // One of the others is as unknown as one that does not exist.
        let mut sentences = Vec::new();
        for unknown in [id.as_str(), "none"] {
            let answer = visitor.get(&format!("/admin-panel/sign-on/{unknown}")).send().await;
            let page = answer.assert_document(404, "adminLogin");
            assert_eq!(answer.set_cookie("matricula_sign_on"), None);
            sentences.push(page["props"]["error"].clone());
        }
        assert!(sentences[0].is_string() && sentences[0] == sentences[1], "{sentences:?}");
        let mut sentences = Vec::new();
        for unknown in [of_staff.as_str(), "none"] {
            let answer = visitor.get(&format!("/login/sign-on/{unknown}")).send().await;
            sentences.push(refusal(&answer, 404));
            assert_eq!(answer.set_cookie(COOKIE), None);
        }
        assert_eq!(sentences[0], sentences[1]);

        // Nor does what one side has begun end on the other.
        let (url, cookie) = institute.begin("").await;
        let back = provider.browser().pass(&url, "demo").await.replace(CALLBACK, OFFICE_CALLBACK);
        let cookie = format!("matricula_sign_on={cookie}");
        let crossed = visitor.get(back.strip_prefix(PUBLIC_URL).unwrap()).header("cookie", &cookie).send().await;
        assert!(crossed.status == 400 && crossed.set_cookie("matricula_staff").is_none(), "{crossed:?}");
        let begun = visitor.get(&format!("/admin-panel/sign-on/{of_staff}")).send().await;
        let back = provider.browser().pass(begun.header("location"), "demo").await.replace(OFFICE_CALLBACK, CALLBACK);
        refusal(&institute.back(&back, &begun.set_cookie("matricula_sign_on").unwrap()).send().await, 400);
        assert_eq!((database.count("staff").await, database.count("staff_identities").await), (1, 0));
        assert_eq!(database.count("applicant_identities").await, 0);
        // Somebody who is both has two accounts.
        let session = institute.session(&mut provider.browser(), "demo").await;
        assert_eq!(institute.email_of(&session).await, applicant.email);
        let begun = visitor.get(&format!("/admin-panel/sign-on/{of_staff}")).send().await;
        let back = provider.browser().pass(begun.header("location"), "demo").await;
        let cookie = format!("matricula_sign_on={}", begun.set_cookie("matricula_sign_on").unwrap());
        let entered = visitor.get(back.strip_prefix(PUBLIC_URL).unwrap()).header("cookie", &cookie).send().await;
        assert!(entered.status == 200 && entered.set_cookie("matricula_staff").is_some(), "{entered:?}");
        assert_eq!((database.count("staff_identities").await, database.count("applicant_identities").await), (1, 1));
    }

    async fn an_owner_says_for_whom_a_provider_is_when_it_is_added(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let issuer = "https://login.example.org";
        let made = add(&owner, &settings_of(issuer)).await;
        assert_eq!((&made["forApplicants"], &made["logoutUri"], &made["provisioning"]), (&json!(true), &Value::Null, &Value::Null));
        assert_eq!(made["redirectUri"], format!("{PUBLIC_URL}{CALLBACK}"));
        let of_staff = add(&owner, &settings_for_staff(issuer)).await;
        assert_eq!(of_staff["forApplicants"], false, "not if it is not said");
        assert_eq!(of_staff["redirectUri"], format!("{PUBLIC_URL}{OFFICE_CALLBACK}"));

        // Roles are needed for staff only.
        let without = changed(settings_of(issuer), &json!({ "forApplicants": false }));
        owner.api("POST", PROVIDERS).json(&without).send().await.assert_problem(422, "otherwise.nobody");
        let wrong = changed(settings_of(issuer), &json!({ "forApplicants": "yes" }));
        let wrong = owner.api("POST", PROVIDERS).json(&wrong).send().await;
        assert!(wrong.status == 422 && wrong.json()["fields"]["forApplicants"].is_string(), "{wrong:?}");

        let path = format!("{PROVIDERS}/{}", id_of(&made));
        let change = async |changes: &Value| owner.api("PATCH", &path).json(&changed(settings_of(issuer), changes)).send().await;
        change(&json!({ "forApplicants": false, "otherwise": "viewer" })).await.assert_problem(422, "forApplicants.fixed");
        let renamed = change(&json!({ "name": "Other accounts" })).await;
        assert_eq!((renamed.status, &renamed.json()["name"]), (200, &json!("Other accounts")), "{renamed:?}");
        let mut unsaid = settings_of(issuer);
        unsaid.as_object_mut().unwrap().remove("forApplicants");
        let kept = owner.api("PATCH", &path).json(&unsaid).send().await;
        assert_eq!((kept.status, &kept.json()["forApplicants"]), (200, &json!(true)), "{kept:?}");
        let path_of_staff = format!("{PROVIDERS}/{}", id_of(&of_staff));
        let swapped = changed(settings_for_staff(issuer), &json!({ "forApplicants": true }));
        owner.api("PATCH", &path_of_staff).json(&swapped).send().await.assert_problem(422, "forApplicants.fixed");

        for method in ["POST", "DELETE"] {
            let provisioning = owner.api(method, &format!("{path}/scim-token")).send().await;
            provisioning.assert_problem(404, "identity_provider.not_found");
        }
        let listed = owner.api("GET", PROVIDERS).send().await.json()["identityProviders"].clone();
        let for_whom: Vec<&Value> = listed.as_array().unwrap().iter().map(|it| &it["forApplicants"]).collect();
        assert_eq!(for_whom, [&json!(true), &json!(false)]);
        let decider = staff_client(&world, Role::Decider).await;
        decider.api("POST", PROVIDERS).json(&settings_of(issuer)).send().await.assert_problem(403, "role.forbidden");
    }

    async fn a_provider_is_offered_wherever_applicants_log_in_while_it_is_there(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let visitor = world.visitor();
        let offered = async || {
            // What is cached is good for five seconds.
            world.clock.advance(6_000);
            let mut offered = Vec::new();
            for path in ["/bachelor/apply", "/masters/apply", DIALOG, "/bachelor/application"] {
                let answer = visitor.get(path).send().await;
                assert_eq!(answer.status, 200, "{path}: {answer:?}");
                offered.push(answer.page()["shared"]["signOn"].clone());
            }
            assert!(offered.iter().all(|each| *each == offered[0]), "{offered:?}");
            offered.remove(0)
        };
        assert_eq!(offered().await, Value::Null);
        let id = id_of(&add(&owner, &settings_of("https://login.example.org")).await);
        let link = |name: &str| json!([{ "href": format!("/login/sign-on/{id}"), "name": name }]);
        assert_eq!(offered().await, link(NAME));
        let path = format!("{PROVIDERS}/{id}");
        let renamed = changed(settings_of("https://login.example.org"), &json!({ "name": "Other accounts" }));
        assert_eq!(owner.api("PATCH", &path).json(&renamed).send().await.status, 200);
        assert_eq!(offered().await, link("Other accounts"));
        assert_eq!(owner.api("DELETE", &path).send().await.status, 204);
        assert_eq!(offered().await, Value::Null);
    }

    async fn unlinking_ends_it_until_the_next_login_links_again(database: Database) {
        let institute = Institute::start(&database).await;
        let world = &institute.world;
        let (applicant, other) = (world.register().await, world.register().await);
        institute.account("demo", &applicant.email).await;
        let mut browser = institute.provider.browser();
        let session = institute.session(&mut browser, "demo").await;
        let shown = institute.sees("/dashboard/account", &session).await;
        let providers = shown.assert_document(200, "account")["props"]["providers"].clone();
        assert_eq!((&providers[0]["id"], &providers[0]["name"], &providers[1]), (&json!(institute.id), &json!(NAME), &Value::Null));
        assert!(providers[0]["sinceText"].is_string() && shown.text.contains("Unlink"), "{providers}");

        let visitor = world.visitor();
        let unlink = async |session: &str, provider: &str| {
            let call = visitor.post("/dashboard/account").form(&[("_action", "unlink"), ("provider", provider)]);
            call.header("cookie", &format!("matricula_session={session}")).send().await
        };
        // Only one's own.
        assert!(unlink(other.cookie.as_deref().unwrap(), &institute.id).await.status < 500);
        assert!(unlink(&session, "none").await.status < 500);
        assert_eq!(unlink("none", &institute.id).await.status, 303, "to the login");
        assert_eq!(database.count("applicant_identities").await, 1);
        assert_eq!(database.texts(MAILS).await, ["provider-linked"]);

        let unlinked = unlink(&session, &institute.id).await;
        assert!(unlinked.status == 303 && unlinked.location().starts_with("/dashboard/account?"), "{unlinked:?}");
        let shown = institute.sees(unlinked.location(), &session).await;
        assert_eq!(shown.assert_document(200, "account")["props"]["providers"], json!([]));
        assert!(shown.text.contains(&format!("{NAME} was unlinked from your account.")), "{}", shown.text);
        assert_eq!(database.count("applicant_identities").await, 0);
        assert_eq!(database.texts(MAILS).await, ["provider-linked", "provider-unlinked"]);
        let record = ["applicant.logged_in_with_provider", "applicant.provider_linked", "applicant.provider_unlinked"];
        assert_eq!(database.texts(RECORD).await, record);
        assert!(unlink(&session, &institute.id).await.status < 500, "once more does no harm");

        let session = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.email_of(&session).await, applicant.email);
        assert_eq!(database.count("applicant_identities").await, 1);
        assert_eq!(database.texts(MAILS).await, ["provider-linked", "provider-linked", "provider-unlinked"]);
    }

    async fn deleting_a_provider_ends_its_links_and_no_session(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        let session = institute.session(&mut institute.provider.browser(), "demo").await;
        let (url, cookie) = institute.begin("").await;
        let back = institute.provider.browser().pass(&url, "demo").await;
        let deleted = institute.owner.api("DELETE", &format!("{PROVIDERS}/{}", institute.id)).send().await;
        assert_eq!(deleted.status, 204, "{deleted:?}");
        assert_eq!(database.count("applicant_identities").await, 0);
        assert_eq!(institute.email_of(&session).await, applicant.email);
        refusal(&institute.world.visitor().get(&institute.href("")).send().await, 404);
        refusal(&institute.back(&back, &cookie).send().await, 404);
        applicant.log_in().await;
    }

    async fn another_issuer_ends_the_links_and_another_name_does_not(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        let session = institute.session(&mut institute.provider.browser(), "demo").await;
        let path = format!("{PROVIDERS}/{}", institute.id);
        let change = async |settings: Value| {
            let answer = institute.owner.api("PATCH", &path).json(&settings).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
        };
        change(changed(settings_of(&institute.provider.issuer), &json!({ "name": "Other accounts" }))).await;
        assert_eq!(database.count("applicant_identities").await, 1);
        let other = new_provider();
        change(settings_of(&other.issuer)).await;
        assert_eq!(database.count("applicant_identities").await, 0);
        assert_eq!(institute.email_of(&session).await, applicant.email, "sessions go on");
        // Its subjects are others: the same name there says nothing.
        other.set_account("demo", &json!({ "email": "demo.new@example.org", "email_verified": true })).await;
        dialog(&institute.log_in(&mut other.browser(), "demo").await, 200, "register");
        other.set_account("head", &json!({ "email": applicant.email, "email_verified": true })).await;
        let session = institute.session(&mut other.browser(), "head").await;
        assert_eq!(institute.email_of(&session).await, applicant.email);
    }

    async fn ones_data_list_the_providers(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        let data = async || -> Value {
            let body = json!({ "currentPassword": PASSWORD });
            let answer = applicant.post("/api/users/personal-data").json(&body).send().await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let mut archive = zip::ZipArchive::new(Cursor::new(answer.bytes)).unwrap();
            let mut text = String::new();
            archive.by_name("data.json").unwrap().read_to_string(&mut text).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        assert_eq!(data().await["linkedAccounts"], json!([]));
        institute.session(&mut institute.provider.browser(), "demo").await;
        let listed = data().await["linkedAccounts"].clone();
        assert_eq!((listed.as_array().unwrap().len(), &listed[0]["provider"]), (1, &json!(NAME)));
        assert!(listed[0]["linkedAt"].as_str().unwrap().ends_with('Z'), "{listed}");
    }

    async fn a_login_leads_to_our_own_pages_only(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        let mut browser = institute.provider.browser();
        for (wanted, to) in [
            ("/dashboard/account", "/dashboard/account"),
            ("/masters/application", "/masters/application"),
            ("https://evil.example.org/dashboard", HOME),
            ("//evil.example.org", HOME),
            ("/\\evil.example.org", HOME),
            ("/nowhere", HOME),
            ("/admin-panel/work", HOME),
            ("", HOME),
        ] {
            let answer = institute.log_in_for(&mut browser, "demo", wanted).await;
            assert_eq!((answer.status, answer.location()), (303, to), "{wanted}: {answer:?}");
        }
        // Nothing is to be done for somebody who is logged in.
        let session = institute.session(&mut browser, "demo").await;
        for path in [institute.href("/dashboard/messages"), format!("{CALLBACK}?code=code&state=state")] {
            institute.sees(&path, &session).await.assert_redirect(302, "/dashboard");
        }
    }

    async fn a_provider_that_is_away_leaves_the_password(database: Database) {
        let institute = Institute::start(&database).await;
        let applicant = institute.world.register().await;
        institute.account("demo", &applicant.email).await;
        institute.provider.set_down(true).await;
        let away = institute.world.visitor().get(&institute.href("/dashboard/messages")).send().await;
        assert!(refusal(&away, 503).contains("does not answer"));
        assert!(away.set_cookie(COOKIE).is_none() && away.text.contains("name=\"password\""), "{away:?}");
        institute.provider.set_down(false).await;
        let (url, cookie) = institute.begin("").await;
        let back = institute.provider.browser().pass(&url, "demo").await;
        institute.provider.set_down(true).await;
        let away = institute.back(&back, &cookie).send().await;
        refusal(&away, if away.status == 400 { 400 } else { 503 });
        applicant.log_in().await;
        institute.provider.set_down(false).await;
        institute.session(&mut institute.provider.browser(), "demo").await;
    }

    async fn who_is_refused_reads_it_in_their_language(database: Database) {
        let institute = Institute::start(&database).await;
        let unconfirmed = institute.world.register_unconfirmed().await;
        institute.account("unconfirmed", &unconfirmed.email).await;
        institute.account("new", "demo.new@example.org").await;
        let log_in_in_spanish = async |name: &str| {
            let (url, cookie) = institute.begin("").await;
            let back = institute.provider.browser().pass(&url, name).await;
            institute.back(&back, &cookie).header("accept-language", "es").send().await
        };
        let refused = log_in_in_spanish("unconfirmed").await;
        let sentence = refusal(&refused, 403);
        assert!(refused.text.contains("<html lang=\"es\"") && sentence.contains("contraseña"), "{sentence}");
        let new = log_in_in_spanish("new").await;
        let sentence = dialog(&new, 200, "register")["message"].to_string();
        assert!(sentence.contains(NAME) && !sentence.contains("no account with"), "{sentence}");
    }
}
