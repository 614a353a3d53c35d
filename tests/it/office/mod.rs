//! The office: who gets in, what each role may do, and how Owners manage accounts.

mod api_keys;
mod bulk;
mod calls;
mod cases;
mod decisions;
mod dossiers;
mod duplicates;
mod enrolment;
mod figures;
mod finance;
mod forgotten;
mod imports;
mod interviews;
mod invitations;
mod listings;
mod login;
mod pages;
mod prospects;
mod provisioning;
mod questionnaires;
mod readings;
mod roles_docs;
pub mod second_factor;
mod settings;
mod settings_api;
mod sign_on;
mod staff_list;
mod tasks;
mod viewer;
mod walk;
mod wording;
mod work;

use matricula::app::ports::PasswordHasher;
use matricula::auth::Argon2Hasher;
use matricula::domain::moments::HOUR;
use matricula::domain::role::Role;
use matricula::domain::session::Audience;
use matricula::domain::staff::Staff;
use matricula::store::NewSession;
use tokio::sync::OnceCell;
use totp_rs::{Algorithm, Builder, Secret};

use crate::support::rows::entry;
use crate::support::server::{Call, Client, PASSWORD, World};

/// A signed-in member of staff: calls use their token, and pages their cookie.
#[derive(Clone)]
pub struct StaffClient {
    pub staff: Staff,
    pub client: Client,
    pub session_id: String,
    cookie: String,
}

impl StaffClient {
    /// A call of the API.
    pub fn api(&self, method: &str, path: &str) -> Call {
        self.client.call(method, path)
    }

    /// A page.
    pub fn see(&self, path: &str) -> Call {
        self.client.without_token().get(path).header("cookie", &self.cookies())
    }

    /// A form.
    pub fn send(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        self.client.without_token().post(path).form(fields).header("cookie", &self.cookies())
    }

    fn cookies(&self) -> String {
        format!("matricula_staff={}", self.cookie)
    }
}

/// The hash of [`PASSWORD`], made once.
async fn hash() -> &'static str {
    static HASH: OnceCell<String> = OnceCell::const_new();
    HASH.get_or_init(async || Argon2Hasher::for_tests().hash(PASSWORD.into()).await.unwrap()).await
}

/// A new account with that role.
pub async fn hired(world: &World, role: Role) -> Staff {
    let id = world.app.random.id();
    let staff = Staff {
        name: format!("Demo {}", role.title()),
        email: format!("{}-{id}@example.org", role.as_str()),
        id,
        role,
        password_hash: hash().await.to_owned(),
        code_seed: None,
        passkeys: 0,
        suspended_at: None,
        created_at: world.app.clock.now(),
    };
    world.store.create_staff(&staff, &entry()).await.unwrap();
    staff
}

/// A session just opened with the password.
pub async fn entered(world: &World, staff: &Staff) -> StaffClient {
    let app = &world.app;
    let (id, secret, now) = (app.random.id(), app.random.secret(), app.clock.now());
    let session = NewSession {
        id: id.clone(),
        cookie_digest: world.tokens.digest(&secret),
        created_at: now,
        expires_at: now + 12 * HOUR,
        address: "192.0.2.1".into(),
        user_agent: "Firefox/150 Linux".into(),
    };
    assert!(world.store.create_staff_session(staff, &session, None, &entry()).await.unwrap());
    let token = world.tokens.issue(&id, Audience::Admin, now);
    let client = world.visitor().with_token(token);
    StaffClient { staff: staff.clone(), client, session_id: id, cookie: secret }
}

/// A new, signed-in member of staff with that role.
pub async fn staff_client(world: &World, role: Role) -> StaffClient {
    entered(world, &hired(world, role).await).await
}

/// The code an authenticator app with this secret shows now.
pub fn code(world: &World, secret: &str) -> String {
    let totp = Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_step_duration(30)
        .with_secret(Secret::try_from_base32(secret.replace(' ', "")).unwrap())
        .with_account_name("")
        .with_issuer(None::<String>)
        .build_noncompliant();
    totp.generate(world.app.clock.now() as u64 / 1000).to_string()
}
