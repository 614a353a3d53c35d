//! Renders without HTTP, for comparison with the same in Node: one isolate, one render after the other.

use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use matricula::pages::assets;
use matricula::render::{Origin, RenderOptions, Renderer};
use serde::Serialize;

/// Time for the engine to compile hot code.
const WARM_UP: Duration = Duration::from_millis(1500);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Renders {
    done: usize,
    /// Of all threads of this process, including the engine's compiler and collector.
    cpu_seconds: f64,
}

pub async fn run(pages: Vec<String>, seconds: f64) -> Result<Renders, Box<dyn Error>> {
    let first = pages.first().ok_or("there is no page to render")?;
    let options = RenderOptions { isolates: 1, ..RenderOptions::new(assets::ssr_bundles(), first) };
    let renderer = Renderer::start(options)?;
    for_a_while(&renderer, &pages, WARM_UP).await?;
    let before = cpu_seconds()?;
    let done = for_a_while(&renderer, &pages, Duration::from_secs_f64(seconds)).await?;
    let cpu_seconds = cpu_seconds()? - before;
    renderer.stop().await;
    Ok(Renders { done, cpu_seconds })
}

async fn for_a_while(renderer: &Renderer, pages: &[String], time: Duration) -> Result<usize, Box<dyn Error>> {
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < time {
        renderer.render(Origin::default(), 0, pages[done % pages.len()].clone()).await?;
        done += 1;
    }
    Ok(done)
}

/// User and system time of this process.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // Fields 14 and 15 of proc_pid_stat(5), in ticks, of which Linux has 100 per second.
    let ticks = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
    Ok(ticks / 100.0)
}
