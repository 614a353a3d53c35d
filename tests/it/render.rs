//! The pool of isolates: a misbehaving render costs its own request, and never another's.

use std::future::Future;
use std::time::{Duration, Instant};

use futures::future::join_all;
use matricula::pages::assets;
use matricula::render::{Origin, RenderError, RenderOptions, Renderer, StartError};

/// A bundle that does what the "page" says.
const MISBEHAVING: &str = r#"
    globalThis.render = (json) => {
        const { act, text } = JSON.parse(json);
        switch (act) {
            case 'throw': throw new TypeError(text);
            case 'throw-nothing': throw undefined;
            case 'loop': for (;;);
            case 'microtasks': { const again = () => { Promise.resolve().then(again); }; again(); return 'never seen'; }
            case 'heap': { const kept = []; for (;;) kept.push(Array.from({ length: 1000 }, () => kept.length)); }
            // As on a machine too busy to let it go on.
            case 'half-heap': {
                const kept = [];
                for (let n = 0; n < 6; n += 1) kept.push(Array.from({ length: 100_000 }, () => ({})));
                for (;;) kept[0][0] = kept.length;
            }
            case 'leak': (globalThis.kept ??= []).push(Array.from({ length: 100_000 }, () => ({}))); return 'leaked';
            case 'large': return 'x'.repeat(3_000_000);
            case 'wide': return 'é'.repeat(600_000);
            case 'number': return 7;
            case 'count': return String(globalThis.count = (globalThis.count ?? 0) + 1);
            case 'wait': { const until = Date.now() + 50; while (Date.now() < until); return 'waited'; }
            default: return `<p>${text}</p>`;
        }
    };
"#;

/// A deadline for renders that never end. Long enough to start an isolate on a busy machine.
const SHORT: Duration = Duration::from_millis(500);

fn options() -> RenderOptions {
    RenderOptions {
        isolates: 2,
        // For slow machines; tests that are to exceed it set a lower one.
        deadline: Duration::from_secs(20),
        heap_limit: 48 * 1024 * 1024,
        output_limit: 1_000_000,
        ..RenderOptions::new([MISBEHAVING], r#"{"text":"warm"}"#)
    }
}

fn start(options: RenderOptions) -> Renderer {
    Renderer::start(options).expect("the bundle is fine")
}

fn page(act: &str) -> String {
    format!(r#"{{"act":"{act}","text":"Ana & Bo"}}"#)
}

fn is_rendered(result: &Result<String, RenderError>) -> bool {
    result.as_deref() == Ok("<p>Ana & Bo</p>")
}

/// Runs `act` on one isolate while the other renders, then checks that both render.
async fn beside_others(act: &str, options: RenderOptions) -> Result<String, RenderError> {
    let renderer = start(options);
    let faulty = {
        let (renderer, page) = (renderer.clone(), page(act));
        tokio::spawn(async move { renderer.render(Origin::default(), 0, page).await })
    };
    let mut beside = 0;
    while !faulty.is_finished() || beside < 100 {
        assert!(is_rendered(&renderer.render(Origin::default(), 0, page("fine")).await), "beside {act}");
        beside += 1;
    }
    let faulty = faulty.await.expect("no panic");
    for _ in 0..20 {
        let (one, other) = tokio::join!(
            renderer.render(Origin::default(), 0, page("fine")),
            renderer.render(Origin::default(), 0, page("fine"))
        );
        assert!(is_rendered(&one) && is_rendered(&other), "after {act}");
    }
    faulty
}

#[tokio::test(flavor = "multi_thread")]
async fn a_throw_is_told_with_its_message() {
    let result = beside_others("throw", options()).await;
    let Err(RenderError::Threw { message }) = result else { panic!("{result:?}") };
    assert!(message.starts_with("TypeError: Ana & Bo"), "{message}");

    let result = beside_others("throw-nothing", options()).await;
    assert_eq!(result, Err(RenderError::Threw { message: "undefined".into() }));
    let result = beside_others("number", options()).await;
    assert_eq!(result, Err(RenderError::Threw { message: "render returned no string".into() }));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_loop_is_ended_at_the_deadline() {
    let result = beside_others("loop", RenderOptions { deadline: SHORT, ..options() }).await;
    assert_eq!(result, Err(RenderError::Deadline));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_what_takes_long() {
    let renderer = start(RenderOptions { deadline: Duration::from_secs(3), ..options() });
    let faulty = {
        let renderer = renderer.clone();
        tokio::spawn(async move { renderer.render(Origin::default(), 0, page("loop")).await })
    };
    // It begins before the others arrive.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let others = join_all((0..20).map(|_| renderer.render(Origin::default(), 0, page("fine")))).await;
    assert!(others.iter().all(is_rendered), "{others:?}");
    assert!(!faulty.is_finished(), "they were rendered beside it");
    assert_eq!(faulty.await.expect("no panic"), Err(RenderError::Deadline));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_stopped_leaves_an_isolate_to_the_others() {
    let renderer = start(RenderOptions { deadline: SHORT, ..options() });
    let bad = Origin { screen: "bad", page: 1 };
    assert_eq!(renderer.render(bad, 0, page("loop")).await, Err(RenderError::Deadline));
    let again = (0..3).map(|_| {
        let renderer = renderer.clone();
        tokio::spawn(async move { while renderer.render(bad, 0, page("loop")).await.is_err() {} })
    });
    let again: Vec<_> = again.collect();
    let good = Origin { screen: "good", page: 1 };
    let start = Instant::now();
    while start.elapsed() < SHORT * 6 {
        let (one, other) = tokio::join!(renderer.render(good, 0, page("fine")), renderer.render(good, 0, page("fine")));
        assert!(is_rendered(&one) && is_rendered(&other), "{one:?} {other:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    again.iter().for_each(|client| client.abort());
    // A suspected origin is rendered all the same, once the renders it had begun are stopped.
    tokio::time::sleep(SHORT * 2).await;
    let suspected = renderer.render(bad, 0, page("fine")).await;
    assert!(is_rendered(&suspected), "{suspected:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_microtasks_are_ended_at_the_deadline() {
    let result = beside_others("microtasks", RenderOptions { deadline: SHORT, ..options() }).await;
    assert_eq!(result, Err(RenderError::Deadline));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heap_bomb_is_ended_at_the_limit() {
    let result = beside_others("heap", options()).await;
    assert_eq!(result, Err(RenderError::Heap));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fills_the_heap_is_called_so_though_it_is_not_done_in_time() {
    let result = beside_others("half-heap", RenderOptions { deadline: SHORT * 4, ..options() }).await;
    assert_eq!(result, Err(RenderError::Heap));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_page_is_refused() {
    for act in ["large", "wide"] {
        let result = beside_others(act, options()).await;
        assert_eq!(result, Err(RenderError::TooLarge), "{act}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_that_keeps_memory_is_replaced() {
    let renderer = start(RenderOptions { isolates: 1, ..options() });
    // The first render was the warm-up page's.
    assert_eq!(renderer.render(Origin::default(), 0, page("count")).await.as_deref(), Ok("1"));
    for _ in 0..5 {
        assert_eq!(renderer.render(Origin::default(), 0, page("leak")).await.as_deref(), Ok("leaked"));
    }
    for _ in 0..300 {
        assert!(is_rendered(&renderer.render(Origin::default(), 0, page("fine")).await));
    }
    assert_eq!(
        renderer.render(Origin::default(), 0, page("count")).await.as_deref(),
        Ok("1"),
        "a new isolate counts anew"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_answers_busy_at_once() {
    let renderer = start(RenderOptions { isolates: 1, queue: 3, ..options() });
    let waiting: Vec<_> = (0..10)
        .map(|_| {
            let renderer = renderer.clone();
            tokio::spawn(async move { renderer.render(Origin::default(), 0, page("wait")).await })
        })
        .collect();
    let mut busy = 0;
    for result in waiting {
        match result.await.expect("no panic") {
            Ok(html) => assert_eq!(html, "waited"),
            Err(error) => {
                assert_eq!(error, RenderError::Busy);
                busy += 1;
            }
        }
    }
    assert!((1..10).contains(&busy), "{busy} of 10 were refused");
    assert!(is_rendered(&renderer.render(Origin::default(), 0, page("fine")).await), "room again");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_too_long_is_not_rendered() {
    let renderer = start(RenderOptions { isolates: 1, deadline: SHORT, ..options() });
    let loops: Vec<_> = (0..3)
        .map(|_| {
            let renderer = renderer.clone();
            tokio::spawn(async move { renderer.render(Origin::default(), 0, page("loop")).await })
        })
        .collect();
    let mut results = Vec::new();
    for result in loops {
        results.push(result.await.expect("no panic"));
    }
    assert!(results.contains(&Err(RenderError::Deadline)), "{results:?}");
    assert!(results.contains(&Err(RenderError::Busy)), "{results:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_finishes_what_was_accepted() {
    let renderer = start(options());
    let accepted = join_all((0..6).map(|_| renderer.render(Origin::default(), 0, page("wait"))));
    // Polled in this order, so all six are in the queue when it is closed.
    let (accepted, ()) = tokio::join!(biased; accepted, renderer.stop());
    for result in accepted {
        assert_eq!(result.as_deref(), Ok("waited"));
    }
    assert_eq!(renderer.render(Origin::default(), 0, page("fine")).await, Err(RenderError::Stopped));
    assert_eq!(renderer.isolates(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_bundle_can_take_over() {
    let renderer = start(options());
    renderer.reload(vec!["globalThis.render = () => 'second'".into()]);
    assert_eq!(renderer.render(Origin::default(), 0, page("fine")).await.as_deref(), Ok("second"));
    renderer.reload(vec!["this is no script".into()]);
    let result = renderer.render(Origin::default(), 0, page("fine")).await;
    assert!(matches!(result, Err(RenderError::Threw { .. })), "{result:?}");
    renderer.reload(vec![MISBEHAVING.into()]);
    assert!(is_rendered(&renderer.render(Origin::default(), 0, page("fine")).await));
}

#[test]
fn a_bundle_that_cannot_render_is_told_at_the_start() {
    let error = |bundle: &'static str| {
        let options = RenderOptions { isolates: 2, ..RenderOptions::new([bundle], "{}") };
        Renderer::start(options).err().expect("it cannot start")
    };
    assert!(matches!(error("syntax error"), StartError::Bundle(_)));
    assert!(matches!(error("globalThis.render = 7"), StartError::Bundle(_)));
    assert!(matches!(error("globalThis.render = () => { throw new Error('cold') }"), StartError::WarmUp(_)));
}

/// The page that every route can end with, for a given applicant.
fn problem_page(first_name: &str, text: &str) -> String {
    serde_json::json!({
        "route": "problem",
        "status": 404,
        "head": { "title": "Not found" },
        "shared": {
            "path": format!("/{first_name}"),
            "program": "bachelor",
            "viewer": {
                "firstName": first_name, "lastName": "Reyes", "email": format!("{first_name}@example.org"),
                "applicationStatus": "incomplete",
            },
            "theme": "system",
            "institute": "Test Institute",
            "contactEmail": "admissions@example.org",
            "development": false,
        },
        "props": { "heading": "Not found", "text": text },
    })
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sees_another_persons_page() {
    let warm_up = problem_page("Nobody", "Nothing");
    let renderer = start(RenderOptions { isolates: 2, ..RenderOptions::new(assets::ssr_bundles(), warm_up) });
    let visits = |name: &'static str, other: &'static str| {
        let renderer = renderer.clone();
        async move {
            let page = problem_page(name, &format!("Only for {name}"));
            let first = renderer.render(Origin::default(), 0, page.clone()).await.expect("rendered");
            assert!(first.contains(&format!("Only for {name}")), "{first}");
            for _ in 0..500 {
                let html = renderer.render(Origin::default(), 0, page.clone()).await.expect("rendered");
                assert_eq!(html, first, "a page depends on nothing but its JSON");
                assert!(!html.contains(other), "{name} sees {other}");
            }
        }
    };
    both(visits("Amara", "Benedikt"), visits("Benedikt", "Amara")).await;
}

async fn both(one: impl Future<Output = ()> + Send + 'static, other: impl Future<Output = ()> + Send + 'static) {
    let (one, other) = tokio::join!(tokio::spawn(one), tokio::spawn(other));
    one.expect("no panic");
    other.expect("no panic");
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_on_demand_need_permission() {
    let faulty = |fault: &str| {
        let page = problem_page("Amara", "Text");
        page.replace(r#""development":"#, &format!(r#""fault":"{fault}","development":"#))
    };
    let product = |allow_faults, deadline| {
        let warm_up = problem_page("Nobody", "Nothing");
        let options = RenderOptions::new(assets::ssr_bundles(), warm_up);
        start(RenderOptions { isolates: 1, allow_faults, deadline, ..options })
    };
    let renderer = product(true, Duration::from_secs(20));
    assert!(matches!(renderer.render(Origin::default(), 0, faulty("throw")).await, Err(RenderError::Threw { .. })));
    assert_eq!(renderer.render(Origin::default(), 0, faulty("heap")).await, Err(RenderError::Heap));
    assert_eq!(product(true, SHORT).render(Origin::default(), 0, faulty("loop")).await, Err(RenderError::Deadline));
    assert!(product(false, SHORT).render(Origin::default(), 0, faulty("loop")).await.is_ok());
}
