//! Why a page was not rendered, and why there is no renderer.

/// Why a render failed. The request it was for still needs an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The queue is full, or the render had to wait longer than its deadline. Trying again later may help.
    #[error("every isolate is busy")]
    Busy,
    /// The bundle threw. The message is the error's stack where it has one: for the log, not for visitors.
    #[error("the bundle threw: {message}")]
    Threw { message: String },
    /// It ran past the deadline and was stopped.
    #[error("rendering took too long")]
    Deadline,
    /// It needed more memory than an isolate may have and was stopped.
    #[error("rendering needed too much memory")]
    Heap,
    /// The HTML is longer than the output limit.
    #[error("the rendered page is too large")]
    TooLarge,
    /// The renderer has been stopped.
    #[error("the renderer has been stopped")]
    Stopped,
}

impl RenderError {
    /// Returns one word for metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            RenderError::Busy => "busy",
            RenderError::Threw { .. } => "threw",
            RenderError::Deadline => "deadline",
            RenderError::Heap => "heap",
            RenderError::TooLarge => "too_large",
            RenderError::Stopped => "stopped",
        }
    }
}

/// Why the renderer could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("a thread for an isolate could not be started")]
    Thread(#[source] std::io::Error),
    /// The bundle could not be evaluated, or defines no global function `render`.
    #[error("the bundle cannot be used: {0}")]
    Bundle(String),
    #[error("the warm-up page could not be rendered")]
    WarmUp(#[source] RenderError),
}
