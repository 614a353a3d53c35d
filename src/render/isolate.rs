//! One JavaScript isolate with the bundle in it. The only file that talks to the engine; V8 and QuickJS offer the same
//! interface, so nothing here asks which one it is.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Write;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, LazyLock, mpsc};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};

use deno_core::{FastString, JsRuntime, PollEventLoopOptions, RuntimeOptions, v8};

use super::error::{RenderError, StartError};

type Task = Box<dyn FnOnce() + Send>;

/// Starts the threads of isolates, all from the one thread that initialised V8: it protects its code with a memory key,
/// which only threads started by that thread, or by its descendants, inherit.
static ENGINE: LazyLock<mpsc::Sender<Task>> = LazyLock::new(|| {
    let (sender, tasks) = mpsc::channel::<Task>();
    let (ready, is_ready) = mpsc::channel();
    let run = move || {
        JsRuntime::init_platform(None);
        // Received below, unless this thread could not be started at all.
        let _ = ready.send(());
        tasks.iter().for_each(|task| task());
    };
    let _ = thread::Builder::new().name("engine".into()).spawn(run);
    let _ = is_ready.recv();
    sender
});

/// Initialises the engine, once per process. Otherwise the first renderer does.
pub fn init_engine() {
    LazyLock::force(&ENGINE);
}

/// Starts a thread in which isolates can live.
pub fn spawn(name: String, body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let (sender, handle) = mpsc::channel();
    let start = move || {
        let _ = sender.send(thread::Builder::new().name(name).spawn(body));
    };
    let gone = || io::Error::other("the engine's thread has ended");
    ENGINE.send(Box::new(start)).map_err(|_| gone())?;
    handle.recv().map_err(|_| gone())?
}

/// Stops what an isolate is doing, from another thread.
#[derive(Clone)]
pub struct Terminator(v8::IsolateHandle);

impl Terminator {
    pub fn terminate(&self) {
        self.0.terminate_execution();
    }
}

/// The scripts that an isolate can render with.
pub type Bundles = Arc<[Cow<'static, str>]>;

/// The options of an isolate.
pub struct IsolateOptions {
    /// Classic scripts that define a global function `render(json: string): string`.
    pub bundles: Bundles,
    /// Bytes of JavaScript heap at which a render is stopped.
    pub heap_limit: usize,
    /// Maximum bytes of HTML.
    pub output_limit: usize,
    /// Sets the global `allowFaults` for the bundle to see.
    pub allow_faults: bool,
}

pub struct Isolate {
    // Before the runtime, so that the handle is dropped first.
    renders: Vec<Option<v8::Global<v8::Function>>>,
    bundles: Bundles,
    runtime: JsRuntime,
    heap_limit: usize,
    output_limit: usize,
    /// Set when the heap came near its limit; the isolate is then no longer usable.
    exhausted: Rc<Cell<bool>>,
}

impl Isolate {
    /// Evaluates the first bundle in a new isolate; the others follow when needed. Must be called inside a tokio
    /// runtime, which runs the engine's delayed tasks; the isolate stays on this thread.
    pub fn new(options: &IsolateOptions) -> Result<Isolate, StartError> {
        let failed = |error: &dyn std::fmt::Display| StartError::Bundle(error.to_string());
        let mut runtime = JsRuntime::try_new(RuntimeOptions {
            create_params: Some(v8::CreateParams::default().heap_limits(0, options.heap_limit)),
            ..RuntimeOptions::default()
        })
        .map_err(|error| failed(&error))?;

        let exhausted = Rc::new(Cell::new(false));
        let terminator = Terminator(runtime.v8_isolate().thread_safe_handle());
        runtime.add_near_heap_limit_callback({
            let exhausted = exhausted.clone();
            move |current, _initial| {
                exhausted.set(true);
                terminator.terminate();
                // Leaves room to stop: at the limit itself the engine would end the process.
                current * 2
            }
        });

        if options.allow_faults {
            runtime.execute_script("faults.js", "globalThis.allowFaults = true").map_err(|error| failed(&error))?;
        }
        let (heap_limit, output_limit) = (options.heap_limit, options.output_limit);
        let bundles = options.bundles.clone();
        let mut isolate =
            Isolate { renders: vec![None; bundles.len()], bundles, runtime, heap_limit, output_limit, exhausted };
        isolate.evaluate(0)?;
        Ok(isolate)
    }

    /// Returns the `render` of a bundle, which is evaluated the first time.
    fn evaluate(&mut self, bundle: usize) -> Result<v8::Global<v8::Function>, StartError> {
        let failed = |error: &dyn std::fmt::Display| StartError::Bundle(error.to_string());
        let known = self.renders.get(bundle).ok_or_else(|| failed(&"there is no such bundle"))?;
        if let Some(render) = known {
            return Ok(render.clone());
        }
        let script = FastString::from(self.bundles[bundle].clone().into_owned());
        self.runtime.execute_script("ssr.js", script).map_err(|error| failed(&error))?;
        deno_core::scope!(scope, &mut self.runtime);
        // The bundle's own start may have left promises to settle.
        scope.perform_microtask_checkpoint();
        let global = scope.get_current_context().global(scope);
        let name = v8::String::new(scope, "render").ok_or_else(|| failed(&"no memory"))?;
        let value = global.get(scope, name.into());
        let function = value.and_then(|value| v8::Local::<v8::Function>::try_from(value).ok());
        let function = function.ok_or_else(|| failed(&"it defines no global function render"))?;
        let render = v8::Global::new(scope, function);
        self.renders[bundle] = Some(render.clone());
        Ok(render)
    }

    pub fn terminator(&mut self) -> Terminator {
        Terminator(self.runtime.v8_isolate().thread_safe_handle())
    }

    /// Calls `render` of a bundle, and runs the microtasks it leaves. [`RenderError::Deadline`] means that somebody
    /// called [`Terminator::terminate`]; after that, and after [`RenderError::Heap`], the isolate must be dropped.
    pub fn render(&mut self, bundle: usize, json: &str) -> Result<String, RenderError> {
        let render = self.evaluate(bundle).map_err(|error| RenderError::Threw { message: error.to_string() })?;
        let output_limit = self.output_limit;
        let outcome = {
            deno_core::scope!(scope, &mut self.runtime);
            v8::tc_scope!(let scope, scope);
            let argument = v8::String::new(scope, &ascii(json)).ok_or(RenderError::TooLarge)?;
            let function = v8::Local::new(scope, &render);
            let this = v8::undefined(scope).into();
            let result = function.call(scope, this, &[argument.into()]);
            scope.perform_microtask_checkpoint();
            match result {
                _ if scope.has_terminated() || scope.is_execution_terminating() => Err(RenderError::Deadline),
                Some(value) => match v8::Local::<v8::String>::try_from(value) {
                    Ok(html) if html.length() > output_limit => Err(RenderError::TooLarge),
                    Ok(html) => Ok(html.to_rust_string_lossy(scope)),
                    Err(_) => Err(RenderError::Threw { message: "render returned no string".into() }),
                },
                None => Err(RenderError::Threw { message: thrown(scope) }),
            }
        };
        match outcome {
            _ if self.exhausted.get() => Err(RenderError::Heap),
            Ok(html) if html.len() > output_limit => Err(RenderError::TooLarge),
            outcome => outcome,
        }
    }

    /// Lets the engine do deferred work: collect garbage, adopt optimised code. Wakes `context` when there is more.
    pub fn turn(&mut self, context: &mut Context<'_>) -> Result<(), RenderError> {
        match self.runtime.poll_event_loop(context, PollEventLoopOptions::default()) {
            Poll::Ready(Err(error)) => Err(RenderError::Threw { message: error.to_string() }),
            Poll::Ready(Ok(())) | Poll::Pending if self.exhausted.get() => Err(RenderError::Heap),
            Poll::Ready(Ok(())) | Poll::Pending => Ok(()),
        }
    }

    /// Returns what the bundles say they remember from one render to the next: 0 for those that do not say.
    pub fn remembered(&mut self) -> f64 {
        deno_core::scope!(scope, &mut self.runtime);
        let global = scope.get_current_context().global(scope);
        let function = v8::String::new(scope, "remembered")
            .and_then(|name| global.get(scope, name.into()))
            .and_then(|value| v8::Local::<v8::Function>::try_from(value).ok());
        let Some(function) = function else { return 0.0 };
        let this = v8::undefined(scope).into();
        function.call(scope, this, &[]).and_then(|number| number.number_value(scope)).unwrap_or_default()
    }

    /// Whether more than half of the heap is still used after a full collection: something is kept from one render to
    /// the next.
    pub fn has_grown(&mut self) -> bool {
        self.is_half_full() && {
            self.runtime.v8_isolate().low_memory_notification();
            self.is_half_full()
        }
    }

    /// Whether half of the heap is used, garbage included.
    pub fn is_half_full(&mut self) -> bool {
        self.runtime.v8_isolate().get_heap_statistics().used_heap_size() >= self.heap_limit / 2
    }
}

/// Returns the same JSON in ASCII, which the engine keeps and reads at one byte per character: outside of strings JSON
/// is ASCII anyway, and inside them everything can be escaped.
fn ascii(json: &str) -> Cow<'_, str> {
    if json.is_ascii() {
        return Cow::Borrowed(json);
    }
    let mut ascii = String::with_capacity(json.len() + json.len() / 4);
    let mut rest = json;
    loop {
        let plain = ascii_before(rest.as_bytes());
        ascii.push_str(&rest[..plain]);
        rest = &rest[plain..];
        let Some(character) = rest.chars().next() else { return Cow::Owned(ascii) };
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(ascii, "\\u{unit:04x}");
        }
        rest = &rest[character.len_utf8()..];
    }
}

/// Returns the number of leading ASCII bytes.
fn ascii_before(bytes: &[u8]) -> usize {
    // In chunks, as far as possible.
    let whole = bytes.chunks_exact(64).take_while(|chunk| chunk.is_ascii()).count() * 64;
    whole + bytes[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Returns the text of what was thrown: the stack of an error, else the thing itself.
fn thrown(scope: &mut v8::PinnedRef<'_, v8::TryCatch<'_, '_, v8::HandleScope<'_>>>) -> String {
    let text = scope.stack_trace().or_else(|| scope.exception());
    text.map_or_else(|| "nothing".to_owned(), |text| text.to_rust_string_lossy(scope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_ascii_says_the_same() {
        let json = "{\"é’\":\"😀 \\u00e9 a\"}";
        let ascii = ascii(json);
        assert_eq!(ascii, r#"{"\u00e9\u2019":"\ud83d\ude00 \u00e9 a"}"#);
        let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
        assert_eq!(read(&ascii), read(json));
        assert!(matches!(super::ascii("{}"), Cow::Borrowed("{}")));
    }
}
