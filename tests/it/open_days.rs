//! Open days: booking places, changing and cancelling that, and what happens when the office moves or cancels a day.

use matricula::app::ports::Clock;
use matricula::domain::moments::{DAY, HOUR, Millis, rfc3339};
use matricula::domain::role::Role;
use serde_json::{Value, json};

use crate::api::account::mails_to;
use crate::decisions::advance;
use crate::inquiries::{prospect, secret_in};
use crate::office::{StaffClient, staff_client};
use crate::pages::see;
use crate::support::databases::{Database, story};
use crate::support::rows::at_once;
use crate::support::server::{Answer, Client, START, World};

const CALL: &str = "/api/admins/open-days";
const OFFICE: &str = "/admin-panel/open-days";
const BOOKING: &str = "/open-days/booking";
const SPANISH: &str = "language=es";
/// Three o'clock in the afternoon at the institute, in ten days.
pub const SOON: Millis = START + 10 * DAY + 8 * HOUR;

/// What the office enters about a day, with some of it changed.
pub fn day(changes: &Value) -> Value {
    let mut day = json!({
        "title": "Open day on campus",
        "titleEs": "Jornada de puertas abiertas",
        "program": "ba",
        "startsAt": rfc3339(SOON),
        "minutes": 90,
        "place": "12 Demo Street, Room 4",
        "places": 12,
    });
    for (name, value) in changes.as_object().unwrap() {
        day[name] = value.clone();
    }
    day
}

/// A new open day, as the API describes it.
pub async fn open_day(world: &World, changes: Value) -> Value {
    let reviewer = staff_client(world, Role::Reviewer).await;
    let made = reviewer.api("POST", CALL).json(&day(&changes)).send().await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

fn id(day: &Value) -> String {
    day["id"].as_str().unwrap().to_owned()
}

/// What the form sends.
fn fields<'a>(email: &'a str, people: &'a str) -> Vec<(&'static str, &'a str)> {
    vec![("firstName", "Demo"), ("lastName", "Visitor"), ("email", email), ("people", people), ("consent", "yes")]
}

async fn book(client: &Client, day: &str, people: &str) -> Answer {
    client.post(&format!("/open-days/{day}")).form(&fields(&client.email, people)).send().await
}

/// Books places for a new visitor.
pub async fn booked(world: &World, day: &str, people: &str) -> Client {
    let client = world.visitor();
    let answer = book(&client, day, people).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    client
}

async fn cancel(world: &World, client: &Client) -> Answer {
    let token = secret_in(world, &client.email, BOOKING).await;
    client.post(BOOKING).form(&[("token", &token)]).send().await
}

async fn act(member: &StaffClient, method: &str, path: &str, body: Value) -> Value {
    let answer = member.api(method, &format!("{CALL}/{path}")).json(&body).send().await;
    assert!((200..300).contains(&answer.status), "{method} {path}: {answer:?}");
    if answer.text.is_empty() { Value::Null } else { answer.json() }
}

/// How many places are taken, by the rows.
async fn taken(database: &Database, day: &str) -> i64 {
    let sql = "SELECT CAST(COALESCE(SUM(people), 0) AS TEXT) FROM open_day_bookings WHERE cancelled_at IS NULL";
    let sql = format!("{sql} AND open_day_id = '{day}'");
    database.texts(&sql).await[0].parse().unwrap()
}

/// The calendar entries mailed to an address, oldest first, with lines unfolded.
async fn entries(database: &Database, to: &str) -> Vec<String> {
    let sql = format!(
        "SELECT attachment FROM outbox WHERE recipient = '{to}' AND attachment IS NOT NULL ORDER BY created_at, id"
    );
    let stored = database.texts(&sql).await;
    let text = |stored: &String| serde_json::from_str::<Value>(stored).unwrap()["text"].as_str().unwrap().to_owned();
    stored.iter().map(|stored| text(stored).replace("\r\n ", "")).collect()
}

fn line<'a>(entry: &'a str, name: &str) -> &'a str {
    entry.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name} is not in {entry}"))
}

story! {
    async fn a_place_is_booked_changed_and_given_back(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({})).await);
        let client = world.visitor();
        let landing = see(&client, "/bachelor/apply").await;
        assert!(landing.text.contains("Open day on campus") && landing.text.contains("12 places left"), "{landing:?}");
        assert!(landing.text.contains(&format!("/open-days/{day}")));
        let page = see(&client, &format!("/open-days/{day}")).await;
        page.assert_document(200, "openDay");
        for expected in ["Open day on campus", "Thursday, May", "12 places left", "3:00", "name=\"people\"", "name=\"consent\""] {
            assert!(page.text.contains(expected), "{expected}: {page:?}");
        }
        assert!(!page.text.contains("12 Demo Street"), "where it is, is told to those who have booked");

        let answer = book(&client, &day, "3").await;
        assert_eq!(answer.status, 303, "{answer:?}");
        let told = see(&client, answer.location()).await;
        assert!(told.status == 200 && told.text.contains("booked"), "{told:?}");
        assert_eq!(taken(&database, &day).await, 3);
        assert!(see(&client, &format!("/open-days/{day}")).await.text.contains("9 places left"));
        let mail = world.mails(1).await.remove(0);
        assert_eq!(mail.to, client.email);
        assert!(mail.text.contains("12 Demo Street, Room 4") && mail.text.contains(BOOKING), "{}", mail.text);
        let entry = entries(&database, &client.email).await.remove(0);
        assert!(["PUBLISH", "REQUEST"].contains(&line(&entry, "METHOD:")), "{entry}");
        assert_eq!((line(&entry, "DTSTART;TZID=America/Chicago:"), line(&entry, "DTEND;TZID=America/Chicago:")), ("20260514T150000", "20260514T163000"));
        assert_eq!((line(&entry, "SEQUENCE:"), line(&entry, "SUMMARY:")), ("0", "Open day on campus"));
        assert!(line(&entry, "LOCATION:").contains("12 Demo Street") && line(&entry, "UID:").ends_with("@apply.example.org"), "{entry}");
        assert!(entry.contains("BEGIN:VTIMEZONE"), "{entry}");

        // Once more with the same address, written in another way: the number of people changes.
        let mut shouting = client.clone();
        shouting.email = shouting.email.to_uppercase();
        assert_eq!(book(&shouting, &day, "4").await.status, 303);
        assert_eq!(taken(&database, &day).await, 4);
        assert_eq!(book(&client, &day, "1").await.status, 303);
        assert_eq!((taken(&database, &day).await, database.count("open_day_bookings").await), (1, 1));

        // Looking at the link gives nothing back; the button does.
        let token = secret_in(&world, &client.email, BOOKING).await;
        for method in ["GET", "HEAD", "GET"] {
            assert_eq!(world.visitor().call(method, &format!("{BOOKING}?token={token}")).send().await.status, 200);
        }
        let page = see(&world.visitor(), &format!("{BOOKING}?token={token}")).await;
        page.assert_document(200, "openDayBooking");
        assert!(page.text.contains("12 Demo Street, Room 4") && page.header("cache-control") == "no-store", "{page:?}");
        assert_eq!(taken(&database, &day).await, 1);
        let elsewhere = client.post(BOOKING).raw("application/x-www-form-urlencoded", format!("token={token}"));
        elsewhere.header("sec-fetch-site", "cross-site").send().await.assert_document(403, "problem");
        assert_eq!(taken(&database, &day).await, 1);
        let cancelled = cancel(&world, &client).await;
        assert!(matches!(cancelled.status, 200 | 303), "{cancelled:?}");
        assert_eq!(taken(&database, &day).await, 0);
        let last = entries(&database, &client.email).await.pop().unwrap();
        assert_eq!((line(&last, "METHOD:"), line(&last, "STATUS:"), line(&last, "UID:")), ("CANCEL", "CANCELLED", line(&entry, "UID:")));
        assert!(line(&last, "SEQUENCE:").parse::<i64>().unwrap() > 0, "{last}");
        // Once more is harmless, and mails nothing.
        let mailed = mails_to(&world, &client.email).await.len();
        client.post(BOOKING).form(&[("token", &token)]).send().await;
        assert_eq!((taken(&database, &day).await, mails_to(&world, &client.email).await.len()), (0, mailed));
        // Whoever cancelled can come after all.
        assert_eq!(book(&client, &day, "2").await.status, 303);
        assert_eq!(taken(&database, &day).await, 2);
        let acts = database.texts("SELECT actor || subject || detail FROM audit").await;
        assert!(acts.iter().all(|act| !act.contains('@')), "the record has no address: {acts:?}");
    }

    async fn a_day_is_never_overbooked_when_twenty_book_at_once(database: Database) {
        let world = World::start(database.db()).await;
        for (places, people, fit) in [(7, "1", 7), (7, "2", 3), (10, "4", 2), (1, "1", 1)] {
            let day = id(&open_day(&world, json!({ "places": places })).await);
            let visitors: Vec<Client> = (0..20).map(|_| world.visitor()).collect();
            let answers = at_once(20, |number| {
                let (client, day) = (visitors[number].clone(), day.clone());
                async move { book(&client, &day, people).await }
            })
            .await;
            let won = answers.iter().filter(|answer| answer.status == 303).count();
            assert_eq!(won, fit, "{places} places, {people} each: {:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
            for refused in answers.iter().filter(|answer| answer.status != 303) {
                refused.assert_document(409, "openDay");
            }
            let each: i64 = people.parse().unwrap();
            assert_eq!(taken(&database, &day).await, i64::try_from(fit).unwrap() * each);
            let mailed = database.texts("SELECT recipient FROM outbox WHERE template = 'open-day-booked'").await;
            let own: Vec<&str> = visitors.iter().map(|client| client.email.as_str()).collect();
            assert_eq!(mailed.iter().filter(|to| own.contains(&to.as_str())).count(), fit, "only who got places is told so");
        }
    }

    async fn one_address_at_once_has_one_booking(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({ "places": 4 })).await);
        let client = world.visitor();
        let answers = at_once(8, |number| {
            let (client, day) = (client.at(&format!("203.0.113.{number}")), day.clone());
            async move { book(&client, &day, ["1", "4"][number % 2]).await.status }
        })
        .await;
        assert!(answers.iter().all(|status| matches!(status, 303 | 429)), "{answers:?}");
        assert!(answers.contains(&303));
        assert_eq!(database.count("open_day_bookings").await, 1);
        assert!([1, 4].contains(&taken(&database, &day).await));
    }

    async fn a_full_day_says_so_and_offers_others(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({ "places": 5 })).await);
        let other = id(&open_day(&world, json!({ "title": "Evening online", "titleEs": "", "startsAt": rfc3339(SOON + DAY) })).await);
        let first = booked(&world, &day, "4").await;
        let late = world.visitor();
        let refused = book(&late, &day, "2").await;
        let page = refused.assert_document(409, "openDay");
        assert_eq!(page["props"]["form"]["values"]["email"], late.email.as_str(), "nothing typed is lost");
        assert!(refused.text.contains("1 place left") && refused.text.contains(&format!("/open-days/{other}")), "{refused:?}");
        assert_eq!(book(&late, &day, "1").await.status, 303);
        let full = see(&world.visitor(), &format!("/open-days/{day}")).await;
        assert!(full.text.contains(">Full<") && full.text.contains("Evening online"), "{full:?}");
        let landing = see(&world.visitor(), "/bachelor/apply").await;
        assert!(landing.text.contains(">Full<") && landing.text.contains("12 places left"), "{landing:?}");
        // Who has places keeps them when more do not fit, and can take fewer.
        book(&late, &day, "3").await.assert_document(409, "openDay");
        assert_eq!(taken(&database, &day).await, 5);
        assert_eq!(book(&first, &day, "2").await.status, 303);
        assert_eq!(book(&late, &day, "3").await.status, 303);
        assert_eq!(taken(&database, &day).await, 5);
        // Those that are cancelled are free for others.
        cancel(&world, &first).await;
        booked(&world, &day, "2").await;
    }

    async fn what_is_wrong_is_told_beside_its_field(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({})).await);
        let client = world.visitor();
        for (changed, value) in [
            ("firstName", ""), ("firstName", "www.evil.example"), ("lastName", ""), ("email", "nobody"), ("people", "0"), ("people", "5"),
            ("people", "two"), ("people", ""), ("consent", ""),
        ] {
            let mut sent = fields(&client.email, "2");
            sent.iter_mut().filter(|(name, _)| *name == changed).for_each(|field| field.1 = value);
            sent.retain(|(name, value)| *name != "consent" || !value.is_empty());
            let answer = client.post(&format!("/open-days/{day}")).form(&sent).send().await;
            let page = answer.assert_document(422, "openDay");
            assert!(page["props"]["form"]["errors"][changed].is_string(), "{changed} {value}: {page}");
            for (name, value) in sent {
                assert_eq!(page["props"]["form"]["values"][name], value, "{changed}: {page}");
            }
        }
        assert_eq!((database.count("open_day_bookings").await, world.mails(10).await.len()), (0, 0));
        for path in ["/open-days/nowhere", "/open-days/%27%20OR%201=1"] {
            see(&client, path).await.assert_document(404, "problem");
            assert_eq!(client.post(path).form(&fields(&client.email, "1")).send().await.status, 404, "{path}");
        }
        for token in ["", "nonsense"] {
            let looked = see(&client, &format!("{BOOKING}?token={token}")).await;
            assert!((200..500).contains(&looked.status), "{looked:?}");
            assert!((400..500).contains(&client.post(BOOKING).form(&[("token", token)]).send().await.status));
        }
    }

    async fn the_place_is_told_to_those_who_have_booked(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({ "place": "https://video.example/demo-room" })).await);
        for path in [format!("/open-days/{day}"), "/bachelor/apply".into()] {
            assert!(!see(&world.visitor(), &path).await.text.contains("demo-room"), "{path}");
        }
        let client = booked(&world, &day, "1").await;
        assert!(!see(&client, &format!("/open-days/{day}")).await.text.contains("demo-room"), "the address is known to all");
        let token = secret_in(&world, &client.email, BOOKING).await;
        assert!(see(&client, &format!("{BOOKING}?token={token}")).await.text.contains("https://video.example/demo-room"));
        assert!(world.mails(1).await[0].text.contains("https://video.example/demo-room"));
    }

    async fn a_day_that_is_moved_is_told_to_everybody_who_booked(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let made = open_day(&world, json!({})).await;
        let day = id(&made);
        let (one, two, gone) = (booked(&world, &day, "1").await, booked(&world, &day, "2").await, booked(&world, &day, "3").await);
        cancel(&world, &gone).await;
        let count = async |client: &Client| mails_to(&world, &client.email).await.len();
        let before = (count(&one).await, count(&two).await, count(&gone).await);
        // A better title is no news.
        act(&reviewer, "PATCH", &day, json!({ "title": "Open day, with lunch" })).await;
        assert_eq!((count(&one).await, count(&two).await, count(&gone).await), before);
        let moved = act(&reviewer, "PATCH", &day, json!({ "startsAt": rfc3339(SOON + DAY), "place": "Room 9" })).await;
        assert_eq!(moved["startsAt"], rfc3339(SOON + DAY).as_str());
        assert_eq!((count(&one).await, count(&two).await, count(&gone).await), (before.0 + 1, before.1 + 1, before.2));
        for client in [&one, &two] {
            let told = entries(&database, &client.email).await;
            let (first, last) = (&told[0], &told[told.len() - 1]);
            assert_eq!(line(first, "UID:"), line(last, "UID:"));
            let sequence = |entry: &str| line(entry, "SEQUENCE:").parse::<i64>().unwrap();
            assert!(sequence(last) > sequence(first), "{last}");
            assert_eq!(line(last, "DTSTART;TZID=America/Chicago:"), "20260515T150000");
            assert!(line(last, "LOCATION:").contains("Room 9"), "{last}");
        }
        // Two who move it at once, or to where it is, tell everybody once.
        act(&reviewer, "PATCH", &day, json!({ "startsAt": rfc3339(SOON + DAY) })).await;
        assert_eq!(count(&one).await, before.0 + 1);
        // There are never fewer places than are taken.
        let fewer = reviewer.api("PATCH", &format!("{CALL}/{day}")).json(&json!({ "places": 2 })).send().await;
        assert_eq!(fewer.status, 422, "{fewer:?}");
        assert!(fewer.json()["fields"]["places"].is_string(), "{fewer:?}");
        act(&reviewer, "PATCH", &day, json!({ "places": 3 })).await;
        assert!(see(&world.visitor(), &format!("/open-days/{day}")).await.text.contains(">Full<"));
    }

    async fn a_day_that_is_cancelled_is_told_to_everybody_and_takes_nobody(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let day = id(&open_day(&world, json!({})).await);
        let client = booked(&world, &day, "2").await;
        let mailed = mails_to(&world, &client.email).await.len();
        for _ in 0..2 {
            // Twice is once.
            let answer = reviewer.api("POST", &format!("{CALL}/{day}/cancel")).json(&json!({})).send().await;
            assert!(matches!(answer.status, 200 | 204 | 409), "{answer:?}");
        }
        assert_eq!(mails_to(&world, &client.email).await.len(), mailed + 1);
        let told = entries(&database, &client.email).await;
        let last = told.last().unwrap();
        assert_eq!((line(last, "METHOD:"), line(last, "UID:")), ("CANCEL", line(&told[0], "UID:")));
        let page = see(&world.visitor(), &format!("/open-days/{day}")).await;
        assert!(page.status < 500 && page.text.to_lowercase().contains("canceled") && !page.text.contains("name=\"people\""), "{page:?}");
        assert!((400..500).contains(&book(&world.visitor(), &day, "1").await.status));
        world.clock.advance(6_000);
        assert!(!see(&world.visitor(), "/bachelor/apply").await.text.contains(&day));
        let token = secret_in(&world, &client.email, BOOKING).await;
        assert!(see(&client, &format!("{BOOKING}?token={token}")).await.text.to_lowercase().contains("canceled"));
        // Nobody is reminded of it.
        world.app.plan_recurring().await.unwrap();
        for _ in 0..10 {
            advance(&world, DAY).await;
        }
        assert_eq!(mails_to(&world, &client.email).await.len(), mailed + 1);
    }

    async fn who_booked_is_reminded_once_a_day_before(database: Database) {
        let world = World::start(database.db()).await;
        world.app.plan_recurring().await.unwrap();
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let day = id(&open_day(&world, json!({})).await);
        let moved = id(&open_day(&world, json!({})).await);
        let (client, gone, later) = (booked(&world, &day, "1").await, booked(&world, &day, "1").await, booked(&world, &moved, "1").await);
        cancel(&world, &gone).await;
        act(&reviewer, "PATCH", &moved, json!({ "startsAt": rfc3339(SOON + 5 * DAY) })).await;
        let count = async |client: &Client| mails_to(&world, &client.email).await.len();
        let before = (count(&client).await, count(&gone).await, count(&later).await);
        world.clock.advance(SOON - 26 * HOUR - world.clock.now());
        world.work().await;
        assert_eq!((count(&client).await, count(&gone).await, count(&later).await), before, "it is more than a day away");
        advance(&world, 2 * HOUR).await;
        // Two servers, and the hours that follow.
        tokio::join!(world.work(), world.work());
        for _ in 0..6 {
            advance(&world, HOUR).await;
        }
        assert_eq!((count(&client).await, count(&gone).await, count(&later).await), (before.0 + 1, before.1, before.2));
        let reminder = world.mails(1).await.remove(0);
        assert!(reminder.to == client.email && reminder.text.contains("12 Demo Street, Room 4") && reminder.text.contains(BOOKING), "{reminder:?}");
        for _ in 0..6 {
            advance(&world, DAY).await;
        }
        assert_eq!((count(&client).await, count(&later).await), (before.0 + 1, before.2 + 1), "the moved one at its own time");
    }

    async fn who_books_on_the_last_day_is_not_reminded_of_what_they_just_did(database: Database) {
        let world = World::start(database.db()).await;
        world.app.plan_recurring().await.unwrap();
        let day = id(&open_day(&world, json!({})).await);
        advance(&world, SOON - 3 * HOUR - START).await;
        let client = booked(&world, &day, "1").await;
        for _ in 0..5 {
            advance(&world, HOUR).await;
        }
        assert_eq!(mails_to(&world, &client.email).await.len(), 1);
    }

    async fn a_day_that_is_over_is_on_no_public_page(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({})).await);
        let client = booked(&world, &day, "1").await;
        let token = secret_in(&world, &client.email, BOOKING).await;
        world.clock.advance(SOON + 91 * 60_000 - START);
        assert!(!see(&world.visitor(), "/bachelor/apply").await.text.contains(&day));
        assert!(!world.visitor().get("/sitemap.xml").send().await.text.contains(&day));
        let page = see(&world.visitor(), &format!("/open-days/{day}")).await;
        assert!(page.text.contains("This open day is over") && !page.text.contains("name=\"people\""), "{page:?}");
        let late = book(&world.visitor(), &day, "1").await;
        assert!((400..500).contains(&late.status), "{late:?}");
        assert_eq!(taken(&database, &day).await, 1);
        // Nothing can be given back any more, and nobody is mailed about it.
        let mailed = mails_to(&world, &client.email).await.len();
        client.post(BOOKING).form(&[("token", &token)]).send().await;
        assert_eq!((taken(&database, &day).await, mails_to(&world, &client.email).await.len()), (1, mailed));
        let looked = see(&client, &format!("{BOOKING}?token={token}")).await;
        assert!(looked.status < 500, "{looked:?}");
    }

    async fn a_landing_page_lists_the_next_three_of_its_program(database: Database) {
        let world = World::start(database.db()).await;
        let scripts = async || see(&world.visitor(), "/bachelor/apply").await.text.matches("<script").count();
        let before = scripts().await;
        let mut days = Vec::new();
        for (title, program, ahead) in [
            ("Fourth", json!("ba"), 9), ("First", json!("ba"), 0), ("Of both", Value::Null, 1), ("Of the other", json!("msc"), 2), ("Third", json!("ba"), 3),
        ] {
            let day = open_day(&world, json!({ "title": title, "titleEs": "", "program": program, "startsAt": rfc3339(SOON + ahead * DAY) })).await;
            days.push(id(&day));
        }
        let listed = async |path: &str| {
            let page = see(&world.visitor(), path).await;
            let mut found: Vec<(usize, usize)> =
                days.iter().enumerate().filter_map(|(number, day)| Some((page.text.find(&format!("/open-days/{day}"))?, number))).collect();
            found.sort_unstable();
            found.into_iter().map(|(_, number)| number).collect::<Vec<_>>()
        };
        assert_eq!(listed("/bachelor/apply").await, [1, 2, 4]);
        assert_eq!(listed("/masters/apply").await, [2, 3]);
        // The shared page is made again when places are taken or a day is over, and is the same bytes otherwise.
        let visitor = world.visitor();
        let tag = async || visitor.get("/bachelor/apply").send().await.header("etag").to_owned();
        let first = tag().await;
        assert_eq!(tag().await, first);
        booked(&world, &days[1], "2").await;
        world.clock.advance(6_000);
        assert_ne!(tag().await, first);
        assert!(see(&visitor, "/bachelor/apply").await.text.contains("10 places left"));
        world.clock.advance(SOON + 2 * HOUR - world.clock.now());
        assert_eq!(listed("/bachelor/apply").await, [2, 4, 0]);
        assert_eq!(scripts().await, before, "no script is added for them");
    }

    async fn search_engines_find_it_as_an_event(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({})).await);
        let page = see(&world.visitor(), &format!("/open-days/{day}")).await;
        let (_, rest) = page.text.split_once("application/ld+json").unwrap();
        let (_, rest) = rest.split_once('>').unwrap();
        let event: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
        assert_eq!((&event["@type"], &event["name"]), (&json!("Event"), &json!("Open day on campus")), "{event}");
        let starts: jiff::Timestamp = event["startDate"].as_str().unwrap().parse().unwrap();
        assert_eq!(starts.as_millisecond(), SOON, "{event}");
        let canonical = format!("http://apply.example.org/open-days/{day}");
        assert!(page.text.contains(&format!("rel=\"canonical\" href=\"{canonical}\"")), "{page:?}");
        assert!(world.visitor().get("/sitemap.xml").send().await.text.contains(&canonical));
    }

    async fn a_booking_in_spanish_is_answered_in_spanish(database: Database) {
        let world = World::start(database.db()).await;
        world.app.plan_recurring().await.unwrap();
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let day = id(&open_day(&world, json!({})).await);
        let untitled = id(&open_day(&world, json!({ "title": "Evening online", "titleEs": "" })).await);
        let client = world.visitor();
        let spanish = async |path: String| client.get(&path).header("cookie", SPANISH).send().await;
        let page = spanish(format!("/open-days/{day}")).await;
        assert!(page.text.contains("Jornada de puertas abiertas") && page.text.contains("mayo") && !page.text.contains("places left"), "{page:?}");
        assert!(spanish(format!("/open-days/{untitled}")).await.text.contains("Evening online"), "an English title is better than none");
        let refused = client.post(&format!("/open-days/{day}")).form(&fields("nobody", "1")).header("cookie", SPANISH).send().await;
        let error = refused.assert_document(422, "openDay")["props"]["form"]["errors"]["email"].clone();
        assert_eq!(error, "Escriba un correo electrónico con el formato nombre@example.com.");
        let sent = client.post(&format!("/open-days/{day}")).form(&fields(&client.email, "2")).header("cookie", SPANISH).send().await;
        assert_eq!(sent.status, 303, "{sent:?}");
        act(&reviewer, "PATCH", &day, json!({ "startsAt": rfc3339(SOON + DAY) })).await;
        for _ in 0..11 {
            advance(&world, DAY).await;
        }
        let mails: Vec<_> = world.mails(50).await.into_iter().filter(|mail| mail.to == client.email).collect();
        assert_eq!(mails.len(), 3, "booked, moved, tomorrow: {mails:?}");
        for mail in &mails {
            assert!(mail.html.contains("<html lang=\"es\">") && mail.text.contains("Jornada de puertas abiertas"), "{}", mail.text);
        }
        for entry in entries(&database, &client.email).await {
            assert_eq!(line(&entry, "SUMMARY:"), "Jornada de puertas abiertas");
        }
    }

    async fn who_unsubscribes_keeps_places_to_come_unless_they_say_otherwise(database: Database) {
        let world = World::start(database.db()).await;
        let (past, next) = (id(&open_day(&world, json!({})).await), id(&open_day(&world, json!({ "startsAt": rfc3339(SOON + 30 * DAY) })).await));
        let stays = prospect(&world, &["brochure"]).await;
        let leaves = prospect(&world, &["brochure"]).await;
        for client in [&stays, &leaves] {
            for day in [&past, &next] {
                assert_eq!(book(client, day, "2").await.status, 303);
            }
        }
        world.clock.advance(20 * DAY);
        for (client, more) in [(&stays, vec![]), (&leaves, vec![("bookings", "yes")])] {
            let token = secret_in(&world, &client.email, "/unsubscribe").await;
            let page = see(client, &format!("/unsubscribe?token={token}")).await;
            assert!(page.text.contains("name=\"bookings\""), "{page:?}");
            let sent: Vec<(&str, &str)> = [("token", token.as_str())].into_iter().chain(more).collect();
            let done = client.post("/unsubscribe").form(&sent).send().await;
            assert!(matches!(done.status, 200 | 303), "{done:?}");
        }
        assert_eq!(database.count("prospects").await, 0);
        let left = database.texts("SELECT email FROM open_day_bookings WHERE cancelled_at IS NULL").await;
        assert_eq!(left, [stays.email.as_str()], "one of them, of the day to come");
        assert_eq!(taken(&database, &next).await, 2);
    }

    async fn bookings_are_limited_by_where_they_come_from(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({ "places": 2000 })).await);
        let caller = world.visitor();
        let mut allowed = 0;
        let refused = loop {
            let email = format!("visitor-{allowed}@example.org");
            let answer = caller.post(&format!("/open-days/{day}")).form(&fields(&email, "4")).send().await;
            if answer.status != 303 {
                break answer;
            }
            allowed += 1;
            assert!(allowed < 200, "nobody stops it");
        };
        refused.assert_document(429, "openDay");
        assert!(allowed >= 5, "a school class books from one address: {allowed}");
        booked(&world, &day, "1").await;
        // Nor is somebody's mailbox filled by booking again and again.
        let victim = "victim@example.org";
        for _ in 0..60 {
            world.visitor().post(&format!("/open-days/{day}")).form(&fields(victim, "1")).send().await;
        }
        let mailed = mails_to(&world, victim).await.len();
        assert!((1..=20).contains(&mailed), "{mailed}");
    }

    async fn who_came_is_kept_for_two_years(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({})).await);
        let client = booked(&world, &day, "1").await;
        let sweep = async |by: Millis| {
            world.clock.advance(by);
            world.store.sweep(world.app.clock.now()).await.unwrap();
            database.texts("SELECT email FROM open_day_bookings").await
        };
        assert_eq!(sweep(700 * DAY).await, [client.email.as_str()]);
        assert_eq!(sweep(60 * DAY).await, [""; 0]);
        assert_eq!(database.count("open_days").await, 1, "the day itself names nobody");
    }

    async fn the_office_makes_and_lists_days_and_notes_who_came(database: Database) {
        let world = World::start(database.db()).await;
        let reviewer = staff_client(&world, Role::Reviewer).await;
        for (wrong, value) in [
            ("title", json!("")), ("title", json!("x".repeat(500))), ("startsAt", json!("soon")), ("startsAt", json!(rfc3339(START - DAY))), ("minutes", json!(0)),
            ("minutes", json!(100_000)), ("place", json!("")), ("places", json!(0)), ("places", json!(2001)), ("program", json!("phd")),
        ] {
            let refused = reviewer.api("POST", CALL).json(&day(&json!({ wrong: value }))).send().await;
            assert_eq!(refused.status, 422, "{wrong}: {refused:?}");
            assert!(refused.json()["fields"][wrong].is_string(), "{wrong}: {refused:?}");
        }
        let made = open_day(&world, json!({})).await;
        let day = id(&made);
        let (one, two) = (booked(&world, &day, "3").await, booked(&world, &day, "1").await);
        let gone = booked(&world, &day, "2").await;
        cancel(&world, &gone).await;
        let listed = reviewer.api("GET", CALL).send().await.json();
        assert_eq!((&listed["openDays"][0]["id"], &listed["openDays"][0]["taken"], &listed["openDays"][0]["places"]), (&json!(day), &json!(4), &json!(12)), "{listed}");
        let bookings = reviewer.api("GET", &format!("{CALL}/{day}/bookings")).send().await.json();
        let of = |email: &str| {
            let all = bookings["bookings"].as_array().unwrap();
            all.iter().find(|booking| booking["email"] == email).unwrap_or_else(|| panic!("{email} is not in {bookings}")).clone()
        };
        assert_eq!((&of(&one.email)["people"], &of(&one.email)["lastName"], &of(&one.email)["came"]), (&json!(3), &json!("Visitor"), &Value::Null));
        assert!(!bookings.to_string().contains("token"), "no secret is shown: {bookings}");
        let booking = of(&one.email)["id"].as_str().unwrap().to_owned();
        for came in [json!(true), json!(false), Value::Null, json!(true)] {
            let noted = reviewer.api("PATCH", &format!("{CALL}/{day}/bookings/{booking}")).json(&json!({ "came": came })).send().await;
            assert!((200..300).contains(&noted.status), "{noted:?}");
            let now = reviewer.api("GET", &format!("{CALL}/{day}/bookings")).send().await.json();
            let row = now["bookings"].as_array().unwrap().iter().find(|row| row["id"] == booking.as_str()).unwrap().clone();
            assert_eq!(row["came"], came);
        }
        let unknown = reviewer.api("PATCH", &format!("{CALL}/{day}/bookings/nobody")).json(&json!({ "came": true })).send().await;
        assert_eq!(unknown.status, 404, "{unknown:?}");
        let other = id(&open_day(&world, json!({})).await);
        let elsewhere = reviewer.api("PATCH", &format!("{CALL}/{other}/bookings/{booking}")).json(&json!({ "came": true })).send().await;
        assert_eq!(elsewhere.status, 404, "a booking belongs to its day: {elsewhere:?}");

        let page = reviewer.see(&format!("{OFFICE}/{day}")).send().await;
        page.assert_document(200, "adminOpenDay");
        assert!(page.text.contains(&one.email) && page.text.contains(&two.email) && page.text.contains("Open day on campus"), "{page:?}");
        let list = reviewer.see(OFFICE).send().await;
        list.assert_document(200, "adminOpenDays");
        assert!(list.text.contains(&format!("{OFFICE}/{day}")), "{list:?}");
        // The record says who did it, and nobody's address.
        let acts = database.texts("SELECT action FROM audit WHERE action LIKE 'open_day.%' ORDER BY happened_at, id").await;
        for expected in ["open_day.created", "open_day.attendance"] {
            assert!(acts.iter().any(|act| act == expected), "{expected}: {acts:?}");
        }
        let details = database.texts("SELECT detail FROM audit WHERE action LIKE 'open_day.%'").await;
        assert!(details.iter().all(|detail| !detail.contains('@')), "{details:?}");
    }

    async fn bookings_are_saved_as_csv_by_who_may(database: Database) {
        let world = World::start(database.db()).await;
        let day = id(&open_day(&world, json!({})).await);
        let client = world.visitor();
        let mut sent = fields(&client.email, "2");
        sent.iter_mut().filter(|(name, _)| *name == "lastName").for_each(|field| field.1 = "+Sample");
        assert_eq!(client.post(&format!("/open-days/{day}")).form(&sent).send().await.status, 303);
        let reviewer = staff_client(&world, Role::Reviewer).await;
        let address = format!("{OFFICE}/{day}/bookings.csv");
        let file = reviewer.see(&address).send().await;
        assert_eq!(file.status, 200, "{file:?}");
        assert!(file.header("content-disposition").starts_with("attachment") && file.header("content-disposition").contains(".csv"), "{file:?}");
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[1].contains(&client.email) && lines[1].contains("'+Sample"), "a name is no formula: {lines:?}");
        assert!(!file.text.contains(&secret_in(&world, &client.email, BOOKING).await), "no secret is in it");
        assert_eq!(database.count("audit WHERE action LIKE 'open_day%.exported'").await, 1);
        for role in [Role::Viewer, Role::Interviewer, Role::Finance] {
            let member = staff_client(&world, role).await;
            for path in [address.as_str(), OFFICE, &format!("{OFFICE}/{day}")] {
                assert_eq!(member.see(path).send().await.status, 403, "{role:?} {path}");
            }
            for (method, path) in [("GET", CALL.to_owned()), ("POST", CALL.into()), ("PATCH", format!("{CALL}/{day}")), ("POST", format!("{CALL}/{day}/cancel"))] {
                member.api(method, &path).json(&json!({})).send().await.assert_problem(403, "role.forbidden");
            }
        }
        world.clock.advance(6 * 60_000);
        let asked = reviewer.see(&address).send().await;
        assert_eq!(asked.status, 302, "{asked:?}");
        assert!(asked.header("location").starts_with("/admin-panel/step-up"), "{asked:?}");
    }
}
