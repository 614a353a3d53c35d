//! How password hashing affects the rest of the process.

use std::time::{Duration, Instant};

use matricula::app::ports::PasswordHasher;
use matricula::auth::Argon2Hasher;

#[tokio::test]
async fn an_unknown_account_takes_the_time_of_a_wrong_password() {
    let hasher = Argon2Hasher::default();
    let hash = hasher.hash("right password".into()).await.unwrap();
    let mut times = [Duration::MAX; 2];
    // The fastest of several, because other tests run at the same time.
    for _ in 0..7 {
        for (time, hash) in times.iter_mut().zip([Some(hash.clone()), None]) {
            let start = Instant::now();
            let verdict = hasher.verify("wrong password".into(), hash).await.unwrap();
            assert!(!verdict.matches);
            *time = start.elapsed().min(*time);
        }
    }
    let [wrong, unknown] = times.map(|time| time.as_secs_f64());
    assert!((0.5..2.0).contains(&(unknown / wrong)), "{unknown} s and {wrong} s");
}

#[tokio::test]
async fn hashing_holds_nobody_up() {
    let hasher = Argon2Hasher::new(1, Duration::from_secs(60));
    // This runtime has one thread: if hashing ran on it, nothing else would.
    let hashing = tokio::spawn(async move {
        for _ in 0..3 {
            hasher.hash("a password".into()).await.unwrap();
        }
    });
    let mut turns = 0;
    while !hashing.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
        turns += 1;
    }
    assert!(turns >= 5, "{turns}");
}
