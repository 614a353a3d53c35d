//! Demo data.

use serde_json::json;

use crate::support::databases::story;
use crate::support::server::World;

story! {
    async fn demo_times_are_opened_once(database: Database) {
        let world = World::start(database.db()).await;
        let first = world.app.seed_demo().await.unwrap();
        assert!(first.contains("75 demo times"), "{first}");
        assert!(world.app.seed_demo().await.unwrap().contains("0 demo times"));
        assert_eq!(database.count("interview_slots").await, 75);
    }

    async fn a_demo_season_has_applications_at_every_stage_and_is_made_once(database: Database) {
        let world = World::start(database.db()).await;
        world.app.seed_questions().await.unwrap();
        let first = world.app.seed_season(98, |_| {}).await.unwrap();
        assert!(first.starts_with("98 demo applications"), "{first}");
        let stages = database.texts("SELECT DISTINCT stage FROM applications ORDER BY stage").await;
        let expected = [
            "archived", "booked", "changes", "confirmed", "draft", "held", "no_show", "offered", "rejected", "submitted",
            "waitlisted",
        ];
        assert_eq!(stages, expected);
        assert!(database.count("decisions WHERE state = 'draft'").await > 0);
        assert!(database.count("interview_wishes").await > 0);
        for state in ["asked", "received"] {
            assert!(database.count(&format!("referees WHERE state = '{state}'")).await > 0, "{state}");
        }
        // It is spread over time, as in a real season.
        let days = "SELECT CAST(COUNT(DISTINCT submitted_at / 86400000) AS TEXT) FROM applications";
        assert!(database.texts(days).await[0].parse::<i32>().unwrap() > 40);
        assert!(world.app.seed_season(98, |_| {}).await.unwrap().starts_with("0 demo applications"));
        // More of them, though places are taken by now.
        assert!(world.app.seed_season(120, |_| {}).await.unwrap().starts_with("22 demo applications"));
        assert!(world.app.seed_season(5001, |_| {}).await.is_err());
    }

    async fn a_demo_season_goes_on_where_a_fee_is_set(database: Database) {
        let world = World::start(database.db()).await;
        world.app.seed_questions().await.unwrap();
        crate::application_fee::set(&world, "application-fee-bachelor", json!({ "amount": "75" })).await;
        assert!(world.app.seed_season(60, |_| {}).await.unwrap().starts_with("60 demo applications"));
        for state in ["due", "waived"] {
            assert!(database.count(&format!("application_fees WHERE state = '{state}'")).await > 0, "{state}");
        }
        assert_eq!(database.count("fee_codes WHERE ended_at IS NULL").await, 0, "its code ends with it");
    }
}
