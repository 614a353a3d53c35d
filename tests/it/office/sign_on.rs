//! Single sign-on: staff log in with an identity provider of the institute, which is a real one.

use matricula::app::ports::Clock;
use matricula::auth::SystemClock;
use matricula::domain::moments::MINUTE;
use matricula::domain::role::Role;
use matricula::domain::staff::Staff;
use serde_json::{Value, json};
use url::Url;

use super::{StaffClient, entered, hired, staff_client};
use crate::support::databases::{Database, story};
use crate::support::identity_provider::{Browser, CLIENT_ID, CLIENT_SECRET, IdentityProvider};
use crate::support::server::{Answer, PASSWORD, PUBLIC_URL, World};

pub(super) const PROVIDERS: &str = "/api/admins/identity-providers";
pub(super) const PAGE: &str = "/admin-panel/settings/sign-on";
pub(super) const HOME: &str = "/admin-panel/work";

/// An institute with a provider, and an Owner with a password.
pub(super) struct Institute {
    pub(super) world: World,
    pub(super) provider: IdentityProvider,
    pub(super) owner: StaffClient,
    pub(super) id: String,
}

impl Institute {
    pub(super) async fn start(database: &Database) -> Institute {
        Institute::with(database, json!({})).await
    }

    /// With other settings of the provider than those of the story.
    async fn with(database: &Database, settings: Value) -> Institute {
        let world = World::start(database.db()).await;
        // The provider has the time of the machine.
        world.clock.advance(SystemClock { ahead: 0 }.now() - world.app.clock.now());
        let provider = IdentityProvider::start(&format!("{PUBLIC_URL}/admin-panel/sign-on/callback"));
        let owner = staff_client(&world, Role::Owner).await;
        let mut body = settings_of(&provider.issuer);
        body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let made = owner.api("POST", PROVIDERS).json(&body).send().await;
        assert_eq!(made.status, 201, "{made:?}");
        let id = made.json()["id"].as_str().unwrap().to_owned();
        Institute { world, provider, owner, id }
    }

    pub(super) async fn account(&self, name: &str, email: &str, groups: &[&str]) {
        let claims = json!({ "email": email, "email_verified": true, "name": "Demo Reader", "groups": groups });
        self.provider.set_account(name, &claims).await;
    }

    /// Begins a login or a confirmation; returns the address at the provider, and the cookie.
    async fn begin(&self, query: &str, cookies: &str) -> (String, String) {
        let begun = self
            .world
            .visitor()
            .get(&format!("/admin-panel/sign-on/{}{query}", self.id))
            .header("cookie", cookies)
            .send()
            .await;
        assert_eq!(begun.status, 302, "{begun:?}");
        (begun.header("location").to_owned(), begun.set_cookie("matricula_sign_on").unwrap())
    }

    /// Comes back from the provider.
    async fn come_back(&self, address: &str, cookie: &str) -> Answer {
        let path = address.strip_prefix(PUBLIC_URL).expect("it leads back here");
        self.world.visitor().get(path).header("cookie", &format!("matricula_sign_on={cookie}")).send().await
    }

    pub(super) async fn log_in(&self, browser: &mut Browser, name: &str) -> Answer {
        let (url, cookie) = self.begin("", "").await;
        self.come_back(&browser.pass(&url, name).await, &cookie).await
    }

    /// Logs in, and returns the cookie of the session.
    pub(super) async fn session(&self, browser: &mut Browser, name: &str) -> String {
        let answer = self.log_in(browser, name).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        format!("matricula_staff={}", answer.set_cookie("matricula_staff").unwrap())
    }

    pub(super) async fn sees(&self, path: &str, cookies: &str) -> Answer {
        self.world.visitor().get(path).header("cookie", cookies).send().await
    }

    pub(super) async fn staff(&self, email: &str) -> Staff {
        self.world.store.staff_by_email(email).await.unwrap().unwrap()
    }
}

pub(super) fn settings_of(issuer: &str) -> Value {
    json!({
        "name": "Demo directory",
        "issuer": issuer,
        "clientId": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "roles": { "reviewer": ["readers", "deans"], "owner": ["admins"] },
    })
}

story! {
    async fn somebody_new_gets_an_account_with_the_role_of_their_group(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "Demo.Reader@example.org", &["deans", "others"]).await;
        let (url, _) = institute.begin("", "").await;
        let asked = Url::parse(&url).unwrap();
        let asks = |name: &str| asked.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default();
        assert_eq!((asks("code_challenge_method"), asks("response_type")), ("S256".into(), "code".into()));
        assert_eq!(asks("redirect_uri"), format!("{PUBLIC_URL}/admin-panel/sign-on/callback"));
        assert!(asks("nonce").len() > 15 && asks("state").len() > 15 && asks("scope").contains("groups"));

        let mut browser = institute.provider.browser();
        let answer = institute.log_in(&mut browser, "demo").await;
        assert_eq!((answer.status, answer.header("refresh")), (200, format!("0; url={HOME}").as_str()), "{answer:?}");
        assert!(answer.text.contains("You are logged in") && answer.text.contains(&format!("href=\"{HOME}\"")), "{}", answer.text);
        let cookies = format!("matricula_staff={}", answer.set_cookie("matricula_staff").unwrap());
        assert_eq!(institute.sees(HOME, &cookies).await.status, 200);
        let staff = institute.staff("demo.reader@example.org").await;
        assert_eq!((staff.role, staff.name.as_str(), staff.has_password()), (Role::Reviewer, "Demo Reader", false));
        let account = institute.sees("/admin-panel/account", &cookies).await.text;
        assert!(account.contains("Demo directory") && !account.contains("Change password"), "{account}");
        let record = database.texts(&format!("SELECT action FROM audit WHERE subject = 'staff:{}' ORDER BY action", staff.id)).await;
        assert_eq!(record, ["staff.logged_in_with_provider", "staff.provisioned"]);
        let listed = institute.owner.api("GET", PROVIDERS).send().await.json()["identityProviders"][0].clone();
        assert!(listed["people"] == 1 && listed["clientSecret"].is_null(), "{listed}");
        // Again: the same account.
        institute.session(&mut browser, "demo").await;
        assert_eq!(database.count("staff").await, 2);
    }

    async fn the_page_that_was_wanted_comes_after_the_login(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["deans"]).await;
        let (url, cookie) = institute.begin("", &format!("office_wanted={}", "%2Fadmin%2Dpanel%2Fwork%3Fof%3Dall")).await;
        let back = institute.provider.browser().pass(&url, "demo").await;
        assert_eq!(institute.come_back(&back, &cookie).await.header("refresh"), "0; url=/admin-panel/work?of=all");
    }

    async fn each_login_brings_the_role_up_to_date(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["readers", "admins"]).await;
        let mut browser = institute.provider.browser();
        let first = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.staff("demo@example.org").await.role, Role::Owner, "the last of several");
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let second = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.staff("demo@example.org").await.role, Role::Reviewer);
        assert_eq!(institute.sees(HOME, &first).await.status, 302, "the sessions with the former role have ended");
        assert_eq!(institute.sees(HOME, &second).await.status, 200);
        // Without any of the groups, nobody stays.
        institute.account("demo", "demo@example.org", &["others"]).await;
        let refused = institute.log_in(&mut browser, "demo").await;
        assert_eq!(refused.status, 403);
        assert!(refused.text.contains("has no access here") && refused.text.contains("Log in with"), "{}", refused.text);
        assert_eq!(institute.sees(HOME, &second).await.status, 302);
    }

    async fn the_last_owner_stays_one(database: Database) {
        let institute = Institute::start(&database).await;
        let owner = institute.owner.staff.clone();
        institute.account("demo", &owner.email, &["readers"]).await;
        institute.session(&mut institute.provider.browser(), "demo").await;
        let staff = institute.staff(&owner.email).await;
        assert!(staff.role == Role::Owner && staff.has_password(), "{staff:?}");
        hired(&institute.world, Role::Owner).await;
        institute.session(&mut institute.provider.browser(), "demo").await;
        let staff = institute.staff(&owner.email).await;
        assert!(staff.role == Role::Reviewer && !staff.has_password(), "{staff:?}");
    }

    async fn an_account_is_linked_by_a_verified_address_only(database: Database) {
        let institute = Institute::start(&database).await;
        let reader = staff_client(&institute.world, Role::Viewer).await;
        let email = reader.staff.email.clone();
        for claims in [json!({ "email": email, "email_verified": false, "groups": ["readers"] }), json!({ "email": email, "groups": ["readers"] }), json!({ "groups": ["readers"] })] {
            institute.provider.set_account("demo", &claims).await;
            let refused = institute.log_in(&mut institute.provider.browser(), "demo").await;
            assert!(refused.status == 403 && refused.text.contains("no verified email"), "{claims}: {refused:?}");
            assert!(refused.set_cookie("matricula_staff").is_none());
        }
        institute.account("demo", &email, &["readers"]).await;
        institute.session(&mut institute.provider.browser(), "demo").await;
        let staff = institute.staff(&email).await;
        assert_eq!((&staff.id, staff.role, staff.has_password()), (&reader.staff.id, Role::Reviewer, false));
        assert_eq!(reader.see(HOME).send().await.status, 302, "the former session has ended");
        let visitor = institute.world.visitor();
        visitor.post("/api/admins/login").json(&json!({ "email": email, "password": PASSWORD })).send().await.assert_problem(401, "auth.invalid");
        visitor.post("/admin-panel/forgot-password").form(&[("email", &email)]).send().await;
        let mails = database.texts("SELECT template FROM outbox ORDER BY created_at, id").await;
        assert_eq!(mails, ["staff-provider-linked", "staff-no-password"]);
    }

    async fn an_owner_says_that_addresses_are_verified_where_the_provider_does_not(database: Database) {
        let institute = Institute::with(&database, json!({ "verifiedEmails": true, "roles": {}, "otherwise": "viewer" })).await;
        institute.provider.set_account("demo", &json!({ "email": "demo@example.org" })).await;
        institute.session(&mut institute.provider.browser(), "demo").await;
        let staff = institute.staff("demo@example.org").await;
        assert_eq!((staff.role, staff.name.as_str()), (Role::Viewer, ""));
    }

    async fn what_a_browser_brings_back_must_be_what_it_took(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let mut browser = institute.provider.browser();
        let refused = async |address: &str, cookie: &str, sentence: &str| {
            let answer = institute.come_back(address, cookie).await;
            assert!(answer.status == 400 && answer.text.contains(sentence), "{sentence}: {answer:?}");
            assert!(answer.set_cookie("matricula_staff").is_none());
        };
        let (url, cookie) = institute.begin("", "").await;
        let (_, others) = institute.begin("", "").await;
        let back = browser.pass(&url, "demo").await;
        let other_browser = "begun in another browser";
        refused(&back, "", other_browser).await;
        refused(&back, &others, other_browser).await;
        refused(&format!("{PUBLIC_URL}/admin-panel/sign-on/callback"), &cookie, other_browser).await;
        let (state, _) = back.split_once("state=").unwrap_or_default();
        refused(&format!("{state}state=made-up"), &cookie, other_browser).await;
        let denied = Url::parse(&back).unwrap().query_pairs().find(|(key, _)| key == "state").unwrap().1.into_owned();
        refused(&format!("{PUBLIC_URL}/admin-panel/sign-on/callback?error=access_denied&state={denied}"), &cookie, "did not confirm").await;
        refused(&back.replace("code=", "code=x"), &cookie, "did not confirm").await;
        assert_eq!(institute.come_back(&back, &cookie).await.status, 200);
        refused(&back, &cookie, "did not confirm").await;
        let (url, cookie) = institute.begin("", "").await;
        let back = browser.pass(&url, "demo").await;
        institute.world.clock.advance(15 * MINUTE);
        refused(&back, &cookie, "took too long").await;
    }

    async fn suspended_staff_do_not_get_in(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let mut browser = institute.provider.browser();
        institute.session(&mut browser, "demo").await;
        let id = institute.staff("demo@example.org").await.id;
        let path = format!("/api/admins/admins/{id}");
        assert_eq!(institute.owner.api("PATCH", &path).json(&json!({ "suspended": true })).send().await.status, 200);
        let refused = institute.log_in(&mut browser, "demo").await;
        assert!(refused.status == 403 && refused.text.contains("suspended"), "{refused:?}");
        // Removed and hired anew, they are somebody else.
        assert_eq!(institute.owner.api("DELETE", &path).send().await.status, 204);
        institute.session(&mut browser, "demo").await;
        assert_ne!(institute.staff("demo@example.org").await.id, id);
    }

    async fn a_provider_that_is_away_leaves_owners_their_password(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let (url, cookie) = institute.begin("", "").await;
        let back = institute.provider.browser().pass(&url, "demo").await;
        institute.provider.set_down(true).await;
        let away = institute.come_back(&back, &cookie).await;
        assert!(away.status == 400 || away.status == 503, "{away:?}");
        assert!(away.text.contains("Log in with") && away.text.contains("name=\"password\""), "{}", away.text);
        let check = format!("{PROVIDERS}/{}/check", institute.id);
        let error = institute.owner.api("POST", &check).send().await.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("503"), "{error}");
        let body = json!({ "email": institute.owner.staff.email, "password": PASSWORD });
        assert_eq!(institute.world.visitor().post("/api/admins/login").json(&body).send().await.status, 200);
        institute.provider.set_down(false).await;
        assert_eq!(institute.owner.api("POST", &check).send().await.json()["error"], Value::Null);
        institute.session(&mut institute.provider.browser(), "demo").await;
    }

    async fn keys_may_change_at_any_time(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let mut browser = institute.provider.browser();
        institute.session(&mut browser, "demo").await;
        institute.provider.rotate_keys().await;
        // Made-up keys must not make us ask the provider each time: the keys are loaded again after some seconds.
        tokio::time::sleep(std::time::Duration::from_secs(10)).await;
        institute.session(&mut browser, "demo").await;
    }

    async fn our_second_factor_is_asked_for_unless_the_provider_asks(database: Database) {
        let institute = Institute::start(&database).await;
        let reader = staff_client(&institute.world, Role::Reviewer).await;
        let email = reader.staff.email.clone();
        crate::office::second_factor::set_up(&institute.world, &reader).await;
        institute.account("demo", &email, &["readers"]).await;
        let mut browser = institute.provider.browser();
        let first = institute.log_in(&mut browser, "demo").await;
        assert_eq!(first.header("refresh"), "0; url=/admin-panel/login", "{first:?}");
        let cookies = format!("matricula_staff={}", first.set_cookie("matricula_staff").unwrap());
        assert!(institute.sees("/admin-panel/login", &cookies).await.text.contains("One more step"));
        assert_eq!(institute.sees(HOME, &cookies).await.status, 302, "not in yet");
        let mut settings = settings_of(&institute.provider.issuer);
        settings["secondFactor"] = json!(true);
        let changed = institute.owner.api("PATCH", &format!("{PROVIDERS}/{}", institute.id)).json(&settings).send().await;
        assert_eq!(changed.status, 200, "{changed:?}");
        let cookies = institute.session(&mut browser, "demo").await;
        assert_eq!(institute.sees(HOME, &cookies).await.status, 200);
        // It is as good where everybody must have one.
        institute.account("other", "other@example.org", &["readers"]).await;
        let other = institute.session(&mut institute.provider.browser(), "other").await;
        institute.world.store.require_second_factor(true, &crate::support::rows::entry()).await.unwrap();
        assert_eq!(institute.sees(HOME, &other).await.status, 200);
    }

    async fn what_needs_a_recent_password_is_confirmed_with_the_provider(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["admins"]).await;
        institute.account("other", "other@example.org", &["admins"]).await;
        let mut browser = institute.provider.browser();
        institute.session(&mut browser, "demo").await;
        institute.world.clock.advance(6 * MINUTE);
        // The provider still knows them and asks for nothing: that is no confirmation.
        let cookies = institute.session(&mut browser, "demo").await;
        let file = "/admin-panel/applications.csv";
        let asked = institute.sees(file, &cookies).await;
        assert!(asked.status == 302 && asked.header("location").starts_with("/admin-panel/step-up"), "{asked:?}");
        let page = institute.sees(asked.header("location"), &cookies).await.text;
        assert!(page.contains("Confirm with") && !page.contains("type=\"password\""), "{page}");

        let (url, cookie) = institute.begin("?confirm=yes&to=%2Fadmin-panel%2Fapplications.csv", &cookies).await;
        assert!(url.contains("max_age=0") && url.contains("prompt=login"), "{url}");
        // By the clocks, it asked six minutes before we did.
        let back = browser.pass(&url, "demo").await;
        assert_eq!(institute.come_back(&back, &cookie).await.status, 400);
        institute.world.clock.advance(-12 * MINUTE);
        let cookies = institute.session(&mut browser, "demo").await;
        institute.world.clock.advance(6 * MINUTE);
        assert_eq!(institute.sees(file, &cookies).await.status, 302);
        let (url, cookie) = institute.begin("?confirm=yes&to=%2Fadmin-panel%2Fapplications.csv", &cookies).await;
        let other = institute.provider.browser().pass(&url, "other").await;
        let refused = institute.come_back(&other, &cookie).await;
        assert_eq!(refused.status, 403, "{refused:?}");
        institute.session(&mut institute.provider.browser(), "other").await;
        let (url, cookie) = institute.begin("?confirm=yes&to=%2Fadmin-panel%2Fapplications.csv", &cookies).await;
        let other = institute.provider.browser().pass(&url, "other").await;
        assert!(institute.come_back(&other, &cookie).await.text.contains("a different account"));
        assert_eq!(institute.sees(file, &cookies).await.status, 302, "nothing is confirmed");

        let (url, cookie) = institute.begin("?confirm=yes&to=%2Fadmin-panel%2Fapplications.csv", &cookies).await;
        let done = institute.come_back(&browser.pass(&url, "demo").await, &cookie).await;
        assert_eq!(done.header("refresh"), "0; url=/admin-panel/applications?save=%2Fadmin-panel%2Fapplications.csv", "{done:?}");
        assert_eq!(institute.sees(file, &cookies).await.status, 200);
    }

    async fn a_form_is_kept_while_its_sender_confirms_in_another_tab(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["admins"]).await;
        let mut browser = institute.provider.browser();
        institute.world.clock.advance(-6 * MINUTE);
        let cookies = institute.session(&mut browser, "demo").await;
        institute.world.clock.advance(6 * MINUTE);
        let send = async |path: &str, fields: &[(&str, &str)]| {
            institute.world.visitor().post(path).form(fields).header("cookie", &cookies).send().await
        };
        let kept = send("/admin-panel/admins", &[("_action", "invite"), ("email", "new@example.org"), ("role", "viewer")]).await;
        assert!(kept.status == 401 && kept.text.contains("value=\"new@example.org\"") && kept.text.contains("new tab"), "{kept:?}");
        let resume = [("_to", "/admin-panel/admins"), ("_method", "post"), ("carried._action", "invite"), ("carried.email", "new@example.org"), ("carried.role", "viewer")];
        let early = send("/admin-panel/step-up", &resume).await;
        assert!(early.status == 422 && early.text.contains("Confirm with Demo directory first") && early.text.contains("value=\"new@example.org\""), "{early:?}");
        let (url, cookie) = institute.begin("?confirm=yes", &cookies).await;
        let done = institute.come_back(&browser.pass(&url, "demo").await, &cookie).await;
        assert!(done.text.contains("You have confirmed") && done.header("refresh").is_empty(), "{done:?}");
        assert_eq!(send("/admin-panel/step-up", &resume).await.status, 303);
        assert_eq!(database.texts("SELECT email FROM staff_invitations").await, ["new@example.org"]);
    }

    async fn a_session_ends_with_the_one_at_the_provider(database: Database) {
        let institute = Institute::start(&database).await;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        institute.account("other", "other@example.org", &["readers"]).await;
        let path = format!("/api/sign-on/{}/logout", institute.id);
        institute.provider.send_logouts_to(&format!("http://{}{path}", institute.world.address())).await;
        let (mut browser, mut elsewhere) = (institute.provider.browser(), institute.provider.browser());
        let here = institute.session(&mut browser, "demo").await;
        let there = institute.session(&mut elsewhere, "demo").await;
        let other = institute.session(&mut institute.provider.browser(), "other").await;
        browser.log_out().await;
        assert_eq!(institute.sees(HOME, &here).await.status, 302);
        assert_eq!(institute.sees(HOME, &there).await.status, 200, "another session there is another one here");
        assert_eq!(institute.sees(HOME, &other).await.status, 200);
        let record = database.texts("SELECT action FROM audit WHERE action LIKE 'sign_on.sessions%'").await;
        assert_eq!(record, ["sign_on.sessions_ended"]);

        let send = async |token: &str| institute.world.visitor().post(&path).form(&[("logout_token", token)]).send().await;
        for token in ["", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"] {
            send(token).await.assert_problem(400, "sign_on.failed");
        }
        institute.world.visitor().post("/api/sign-on/none/logout").form(&[]).send().await.assert_problem(400, "sign_on.failed");
        assert_eq!(institute.sees(HOME, &there).await.status, 200);
    }

    async fn a_provider_that_makes_no_sense_is_refused_field_by_field(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        for (change, field) in [
            (json!({ "name": "" }), "name"),
            (json!({ "issuer": "login" }), "issuer"),
            (json!({ "issuer": "https://user@login.example.org" }), "issuer"),
            (json!({ "issuer": "https://login.example.org/?tenant=1" }), "issuer"),
            (json!({ "clientId": 7 }), "clientId"),
            (json!({ "clientSecret": "" }), "clientSecret"),
            (json!({ "roles": { "dean": ["deans"] } }), "roles.dean"),
            (json!({ "roles": { "viewer": "deans" } }), "roles.viewer"),
            (json!({ "roles": {} }), "otherwise"),
            (json!({ "otherwise": "dean" }), "otherwise"),
            (json!({ "secondFactor": "yes" }), "secondFactor"),
        ] {
            let mut body = settings_of("https://login.example.org");
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let answer = owner.api("POST", PROVIDERS).json(&body).send().await;
            assert!(answer.status == 422 && !answer.json()["fields"][field].is_null(), "{change}: {answer:?}");
        }
        assert_eq!(database.count("identity_providers").await, 0);
        let reviewer = staff_client(&world, Role::Decider).await;
        reviewer.api("GET", PROVIDERS).send().await.assert_problem(403, "role.forbidden");
        owner.api("GET", &format!("{PROVIDERS}/none")).send().await.assert_problem(404, "identity_provider.not_found");
    }

    async fn the_pages_work_without_a_script(database: Database) {
        let institute = Institute::start(&database).await;
        let Institute { world, owner, provider, .. } = &institute;
        institute.account("demo", "demo@example.org", &["readers"]).await;
        let fields = [
            ("name", "Other directory"),
            ("issuer", provider.issuer.as_str()),
            ("clientId", CLIENT_ID),
            ("clientSecret", CLIENT_SECRET),
            ("roleClaim", "groups"),
            ("roles.viewer", "guests, visitors"),
            ("otherwise", ""),
        ];
        let wrong = owner.send(PAGE, &[("name", "Other"), ("issuer", "login"), ("clientSecret", "typed"), ("roles.viewer", "guests")]).send().await;
        assert!(wrong.status == 422 && wrong.text.contains("value=\"login\"") && wrong.text.contains("value=\"guests\""), "{}", wrong.text);
        assert!(!wrong.text.contains("typed"), "secrets never come back");
        let made = owner.send(PAGE, &fields).send().await;
        let page = made.header("location").split('?').next().unwrap().to_owned();
        assert_eq!(made.status, 303, "{made:?}");
        let shown = owner.see(&page).send().await.text;
        for text in ["Other directory", "guests, visitors", "/admin-panel/sign-on/callback", "/logout", "Nobody has logged in with it yet"] {
            assert!(shown.contains(text), "{text}: {shown}");
        }
        assert_eq!(owner.send(&page, &[("_action", "check")]).send().await.header("location"), format!("{page}?done=answers"));
        provider.set_down(true).await;
        let away = owner.send(&page, &[("_action", "check")]).send().await;
        assert!(away.text.contains("The provider cannot be used"), "{}", away.text);
        provider.set_down(false).await;
        let changed = fields.map(|(name, value)| if name == "clientSecret" { (name, "") } else { (name, value) });
        let changed = [&changed[..], &[("_action", "change"), ("secondFactor", "yes")]].concat();
        assert_eq!(owner.send(&page, &changed).send().await.status, 303);
        assert!(world.visitor().get("/admin-panel/login").send().await.text.contains("Other directory"));
        let first = format!("{PAGE}/{}", institute.id);
        let cookies = institute.session(&mut provider.browser(), "demo").await;
        assert_eq!(owner.send(&first, &[("_action", "delete")]).send().await.header("location"), format!("{PAGE}?done=deleted"));
        assert_eq!(institute.sees(HOME, &cookies).await.status, 302, "its sessions have ended");
        assert_eq!(owner.see(&first).send().await.status, 404);
        // Whoever has no password can set one now.
        world.visitor().post("/admin-panel/forgot-password").form(&[("email", "demo@example.org")]).send().await;
        assert_eq!(database.texts("SELECT template FROM outbox").await, ["staff-reset-password"]);
        let again = entered(world, &institute.staff("demo@example.org").await).await;
        assert_eq!(again.see(HOME).send().await.status, 200);
    }
}
