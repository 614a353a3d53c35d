//! Invitations by mail.

use matricula::domain::moments::DAY;
use matricula::domain::role::Role;
use matricula::domain::staff::Invitation;
use matricula::store::{StaffChange, StaffChanged};
use serde_json::{Value, json};

use super::{StaffClient, entered, hired, staff_client};
use crate::support::databases::story;
use crate::support::rows::{NOW, entry, mail};
use crate::support::server::{Answer, PASSWORD, World};

/// The secret of the newest invitation mailed to this address.
async fn mailed(world: &World, email: &str) -> String {
    let mails = world.mails(100).await;
    let text = mails.into_iter().filter(|mail| mail.to == email).find_map(|mail| {
        let (_, rest) = mail.text.split_once("http://apply.example.org/admin-panel/invitation?token=")?;
        Some(rest.lines().next().unwrap_or_default().to_owned())
    });
    text.expect("an invitation was mailed")
}

async fn look(world: &World, token: &str) -> Answer {
    world.visitor().get(&format!("/admin-panel/invitation?token={token}")).send().await
}

async fn take(world: &World, token: &str, name: &str) -> Answer {
    let form = [("token", token), ("name", name), ("password", PASSWORD), ("passwordRepeat", PASSWORD)];
    world.visitor().post("/admin-panel/invitation").form(&form).send().await
}

story! {
    async fn an_invitation_is_taken_once_and_looking_takes_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let invited = owner.send("/admin-panel/admins", &[("_action", "invite"), ("email", "New@example.org"), ("role", "reviewer")]);
        invited.send().await.assert_redirect(303, "/admin-panel/admins?done=invited");
        let token = mailed(&world, "New@example.org").await;
        for _ in 0..3 {
            let page = look(&world, &token).await.assert_document(200, "adminInvitation");
            assert_eq!((page["props"]["invited"]["role"].as_str(), page["props"]["invited"]["email"].as_str()), (Some("Reviewer"), Some("New@example.org")));
        }
        look(&world, "nonsense").await.assert_document(404, "adminInvitation");
        let form = [("token", token.as_str()), ("name", " "), ("password", PASSWORD), ("passwordRepeat", PASSWORD)];
        let unnamed = world.visitor().post("/admin-panel/invitation").form(&form).send().await;
        let page = unnamed.assert_document(422, "adminInvitation");
        assert_eq!(page["props"]["errors"]["name"], "Enter your name.");
        let form = [("token", token.as_str()), ("name", "Demo Reviewer"), ("password", PASSWORD), ("passwordRepeat", "other")];
        let different = world.visitor().post("/admin-panel/invitation").form(&form).send().await;
        let page = different.assert_document(422, "adminInvitation");
        assert_eq!((page["props"]["errors"]["passwordRepeat"].as_str(), page["props"]["values"]["name"].as_str()), (Some("Passwords do not match"), Some("Demo Reviewer")));

        let (one, two) = tokio::join!(take(&world, &token, "Demo Reviewer"), take(&world, &token, "Demo Reviewer"));
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 404], "of two at once one takes it");
        let entered = if one.status == 303 { one } else { two };
        let cookie = format!("matricula_staff={}", entered.set_cookie("matricula_staff").unwrap());
        let page = world.visitor().get("/admin-panel/account").header("cookie", &cookie).send().await;
        let page = page.assert_document(200, "adminAccount");
        assert_eq!((page["props"]["name"].as_str(), page["props"]["role"].as_str()), (Some("Demo Reviewer"), Some("Reviewer")));
        look(&world, &token).await.assert_document(404, "adminInvitation");
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'staff.%' ORDER BY id").await;
        assert_eq!(acts, ["staff.invited", "staff.joined"]);
    }

    async fn an_invitation_is_sent_again_taken_back_and_too_old(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let invite = async |email: &str, role: &str| {
            owner.api("POST", "/api/admins/admins").json(&json!({ "email": email, "role": role })).send().await
        };
        invite("nobody", "reviewer").await.assert_problem(422, "email.invalid");
        invite("new@example.org", "emperor").await.assert_problem(422, "role.unknown");
        let id = invite("new@example.org", "finance").await.json()["id"].as_str().unwrap().to_owned();
        invite("NEW@example.org", "viewer").await.assert_problem(422, "invitation.open");
        let first = mailed(&world, "new@example.org").await;
        let resend = async || owner.api("POST", &format!("/api/admins/invitations/{id}/resend")).json(&json!({})).send().await;
        assert_eq!(resend().await.status, 200);
        let second = mailed(&world, "new@example.org").await;
        assert_ne!(first, second);
        look(&world, &first).await.assert_document(404, "adminInvitation");
        assert_eq!(take(&world, &first, "Demo Finance").await.status, 404);

        world.clock.advance(7 * DAY);
        look(&world, &second).await.assert_document(404, "adminInvitation");
        let owner = entered(&world, &owner.staff).await;
        let listed = owner.api("GET", "/api/admins/admins").send().await.json();
        assert_eq!(listed["invitations"][0]["email"], "new@example.org", "it can be sent again");
        let page = owner.see("/admin-panel/admins").send().await.assert_document(200, "adminAdmins");
        assert_eq!(page["props"]["invitations"][0]["expired"], true);
        let act = async |action: String| owner.send("/admin-panel/admins", &[("_action", &action)]).send().await;
        act(format!("resend:{id}")).await.assert_redirect(303, "/admin-panel/admins?done=resent");
        let third = mailed(&world, "new@example.org").await;
        look(&world, &third).await.assert_document(200, "adminInvitation");
        act(format!("revoke:{id}")).await.assert_redirect(303, "/admin-panel/admins?done=revoked");
        look(&world, &third).await.assert_document(404, "adminInvitation");
        let gone = act(format!("revoke:{id}")).await.assert_document(404, "adminAdmins");
        assert_eq!(gone["props"]["form"]["error"], "This invitation is no longer valid. Ask for another one.");
        let again = owner.api("POST", "/api/admins/admins").json(&json!({ "email": "new@example.org", "role": "viewer" }));
        assert_eq!(again.send().await.status, 201);
        let token = mailed(&world, "new@example.org").await;
        let body = json!({ "token": token, "name": "Demo Viewer", "password": PASSWORD });
        let taken = world.visitor().post("/api/admins/invitations/accept").json(&body).send().await;
        assert_eq!(taken.status, 201);
        let client = world.visitor().with_token(taken.json()["token"].as_str().unwrap());
        assert_eq!(client.get("/api/admins/me").send().await.json()["role"], "viewer");
    }

    async fn who_is_there_cannot_be_invited(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let other = hired(&world, Role::Viewer).await;
        let form = [("_action", "invite"), ("email", other.email.as_str()), ("role", "viewer")];
        let page = owner.send("/admin-panel/admins", &form).send().await.assert_document(409, "adminAdmins");
        assert_eq!(page["props"]["form"]["errors"]["email"], "This person is already an administrator.");
        assert_eq!(page["props"]["form"]["values"]["role"], "viewer");
        // Once removed, the address is free.
        let removed = owner.send(&format!("/admin-panel/admins/{}", other.id), &[("_action", "remove")]).send().await;
        removed.assert_redirect(303, "/admin-panel/admins?done=removed");
        owner.send("/admin-panel/admins", &form).send().await.assert_redirect(303, "/admin-panel/admins?done=invited");
        let page = owner.see("/admin-panel/admins").send().await.page();
        let names: Vec<&Value> = page["props"]["admins"].as_array().unwrap().iter().map(|row| &row["email"]).collect();
        assert_eq!(names, [&json!(owner.staff.email)]);
    }

    async fn invitations_end_with_the_owner_who_sent_them(database: Database) {
        let world = World::start(database.db()).await;
        let owner = staff_client(&world, Role::Owner).await;
        let invite = async |by: &StaffClient, email: &str| {
            by.api("POST", "/api/admins/admins").json(&json!({ "email": email, "role": "owner" })).send().await
        };
        for (number, gone) in [json!(null), json!({ "suspended": true }), json!({ "role": "reviewer" })].into_iter().enumerate() {
            let other = staff_client(&world, Role::Owner).await;
            let (own, taken_over, own_of_owner) =
                (format!("own-{number}@example.org"), format!("over-{number}@example.org"), format!("stays-{number}@example.org"));
            assert_eq!(invite(&other, &own).await.status, 201);
            let id = invite(&other, &taken_over).await.json()["id"].as_str().unwrap().to_owned();
            assert_eq!(invite(&owner, &own_of_owner).await.status, 201);
            let resend = owner.api("POST", &format!("/api/admins/invitations/{id}/resend")).json(&json!({}));
            assert_eq!(resend.send().await.status, 200);

            let path = format!("/api/admins/admins/{}", other.staff.id);
            let ended = if gone.is_null() { owner.api("DELETE", &path).send().await } else { owner.api("PATCH", &path).json(&gone).send().await };
            assert!(matches!(ended.status, 200 | 204), "{ended:?}");
            look(&world, &mailed(&world, &own).await).await.assert_document(404, "adminInvitation");
            assert_eq!(take(&world, &mailed(&world, &own).await, "Demo Stranger").await.status, 404, "{gone}");
            for stays in [&taken_over, &own_of_owner] {
                look(&world, &mailed(&world, stays).await).await.assert_document(200, "adminInvitation");
            }
            assert_eq!(invite(&owner, &own).await.status, 201, "the address can be invited again");
        }

        // A member of staff removed while inviting invites nobody.
        let store = world.store.clone();
        for round in 0..10 {
            let other = hired(&world, Role::Owner).await;
            let invitation = Invitation {
                id: world.app.random.id(),
                email: format!("late-{round}@example.org"),
                role: Role::Owner,
                digest: format!("late {round}"),
                invited_by: other.id.clone(),
                created_at: NOW,
                sent_at: NOW,
                expires_at: NOW + DAY,
            };
            let (inviting, removing) = (entry(), entry());
            let (invited, removed) = tokio::join!(
                async { store.invite(&invitation, &inviting, &mail()).await.unwrap() },
                store.change_staff(&owner.staff.id, &other.id, StaffChange::Remove, &removing, None),
            );
            assert_eq!(removed.unwrap(), StaffChanged::Done);
            assert!(store.invitation(&invitation.id).await.unwrap().is_none(), "round {round}: {invited}");
            assert!(!store.invite(&invitation, &entry(), &mail()).await.unwrap());
        }
    }
}
