//! The virus scanner clamd, by its `INSTREAM` command: <https://docs.clamav.net/manual/Usage/Scanning.html#clamd>.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use telemetry::call;

/// How long a scan may take, from the first byte to the verdict.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes sent at a time.
const CHUNK: usize = 64 * 1024;

/// Where clamd listens: `tcp://HOST:PORT`, or the path of a socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClamdAddress {
    Tcp(String),
    Unix(PathBuf),
}

impl FromStr for ClamdAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            Some(("tcp", host)) if host.contains(':') => Ok(ClamdAddress::Tcp(host.trim_end_matches('/').to_owned())),
            Some(("unix", path)) if path.starts_with('/') => Ok(ClamdAddress::Unix(path.into())),
            None if text.starts_with('/') => Ok(ClamdAddress::Unix(text.into())),
            _ => Err("use tcp://HOST:PORT or the path of a socket"),
        }
    }
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("the virus scanner cannot be reached")]
    Io(#[from] std::io::Error),
    #[error("the virus scanner took too long")]
    Slow,
    #[error("the virus scanner answered: {0}")]
    Answer(String),
}

/// The scanner.
#[derive(Debug, Clone)]
pub struct Clamd {
    address: ClamdAddress,
    patience: Duration,
}

impl Clamd {
    pub fn new(address: ClamdAddress) -> Clamd {
        Clamd { address, patience: PATIENCE }
    }

    /// Returns the same scanner, waiting at most `patience`.
    pub fn with_patience(self, patience: Duration) -> Clamd {
        Clamd { patience, ..self }
    }

    /// Whether the scanner finds nothing in the content.
    ///
    /// # Errors
    /// There is no verdict; a file without one has not passed.
    pub async fn is_clean(&self, content: &[u8]) -> Result<bool, ScanError> {
        let answer = self.ask(b"zINSTREAM\0", Some(content)).await?;
        if answer == "stream: OK" {
            Ok(true)
        } else if answer.starts_with("stream: ") && answer.ends_with(" FOUND") {
            tracing::warn!(answer, "the virus scanner found something");
            Ok(false)
        } else {
            Err(ScanError::Answer(answer))
        }
    }

    /// Returns the scanner's version, which shows that it is running.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn version(&self) -> Result<String, ScanError> {
        self.ask(b"zVERSION\0", None).await
    }

    async fn ask(&self, command: &[u8], content: Option<&[u8]>) -> Result<String, ScanError> {
        let asked = async {
            match &self.address {
                ClamdAddress::Tcp(address) => talk(TcpStream::connect(address).await?, command, content).await,
                #[cfg(unix)]
                ClamdAddress::Unix(path) => talk(tokio::net::UnixStream::connect(path).await?, command, content).await,
                #[cfg(not(unix))]
                ClamdAddress::Unix(_) => Err(ScanError::Io(std::io::ErrorKind::Unsupported.into())),
            }
        };
        let asked = async { tokio::time::timeout(self.patience, asked).await.unwrap_or(Err(ScanError::Slow)) };
        call("clamd", "clamd scan", asked, |_| "unavailable").await
    }
}

async fn talk(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    command: &[u8],
    content: Option<&[u8]>,
) -> Result<String, ScanError> {
    stream.write_all(command).await?;
    if let Some(content) = content {
        for chunk in content.chunks(CHUNK) {
            let length = u32::try_from(chunk.len()).expect("a chunk is small");
            // clamd hangs up on content over its size limit; its answer says so.
            if stream.write_all(&length.to_be_bytes()).await.is_err() || stream.write_all(chunk).await.is_err() {
                break;
            }
        }
        let _ = stream.write_all(&[0; 4]).await;
    }
    stream.flush().await?;
    let mut answer = Vec::new();
    stream.take(1024).read_to_end(&mut answer).await?;
    let text = String::from_utf8_lossy(&answer);
    Ok(text.trim_end_matches(['\0', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_or_a_socket() {
        assert_eq!("tcp://127.0.0.1:3310".parse(), Ok(ClamdAddress::Tcp("127.0.0.1:3310".into())));
        let socket = ClamdAddress::Unix("/run/clamav/clamd.ctl".into());
        assert_eq!("/run/clamav/clamd.ctl".parse(), Ok(socket.clone()));
        assert_eq!("unix:///run/clamav/clamd.ctl".parse(), Ok(socket));
        for wrong in ["", "clamd", "tcp://clamd", "http://clamd:3310", "unix://clamd"] {
            assert!(wrong.parse::<ClamdAddress>().is_err(), "{wrong}");
        }
    }
}
