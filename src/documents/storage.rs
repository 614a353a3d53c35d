//! Bytes in a folder or in an S3 bucket, through `object_store`.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use object_store::aws::AmazonS3Builder;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, Error, GetOptions, ObjectStore, ObjectStoreExt, PutPayload, WriteMultipart};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use app::ports::{DocumentStorage, ObjectInfo, StorageError, StoredBytes};

/// Bytes per part of an upload: S3 takes at most 10,000 parts, none below 5 MiB except the last.
const PART: usize = 16 << 20;
const PARTS_UNDER_WAY: usize = 4;
/// How long it may take to write an object, or to receive each piece of one.
const PATIENCE: Duration = Duration::from_secs(15);

/// The storage for the bytes of documents. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ObjectStorage {
    store: Arc<dyn ObjectStore>,
    place: String,
    patience: Duration,
}

/// Why the storage cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the folder {0} cannot be made")]
    Folder(String, #[source] io::Error),
    #[error("STORAGE_URL must be a folder or s3://BUCKET")]
    Address,
    #[error("the storage cannot be set up")]
    Store(#[from] Error),
}

impl ObjectStorage {
    /// Opens the storage at `address`: a folder, which is made if it is missing, or `s3://BUCKET`, whose keys, region
    /// and endpoint come from the variables that every S3 client knows (`AWS_ACCESS_KEY_ID`, `AWS_REGION`,
    /// `AWS_ENDPOINT_URL`…) or, for one bucket, from the query: `s3://BUCKET?endpoint=http://127.0.0.1:9000&region=…`.
    ///
    /// # Errors
    /// The folder cannot be made, or the address is invalid.
    pub fn open(address: &str) -> Result<ObjectStorage, OpenError> {
        match address.split_once("://") {
            Some(("s3", _)) => ObjectStorage::open_s3(address),
            Some(_) => Err(OpenError::Address),
            None => ObjectStorage::open_folder(FilePath::new(address)),
        }
    }

    fn open_folder(folder: &FilePath) -> Result<ObjectStorage, OpenError> {
        let place = folder.display().to_string();
        let made = fs::create_dir_all(folder).and_then(|()| only_for_us(folder));
        made.map_err(|error| OpenError::Folder(place.clone(), error))?;
        // What is acknowledged must survive a power failure: bytes and their names are flushed before a write is done.
        let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true).with_automatic_cleanup(true);
        Ok(ObjectStorage { store: Arc::new(store), place, patience: PATIENCE })
    }

    fn open_s3(address: &str) -> Result<ObjectStorage, OpenError> {
        // reqwest is built without a crypto provider. One that is already set is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let url = url::Url::parse(address).map_err(|_| OpenError::Address)?;
        let bucket = url.host_str().filter(|bucket| !bucket.is_empty()).ok_or(OpenError::Address)?;
        let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_http_connector(Traced);
        let mut endpoint = std::env::var("AWS_ENDPOINT_URL").ok();
        for (name, value) in url.query_pairs() {
            builder = match &*name {
                "endpoint" => {
                    endpoint = Some(value.to_string());
                    builder.with_endpoint(value)
                }
                "region" => builder.with_region(value),
                "access_key_id" => builder.with_access_key_id(value),
                "secret_access_key" => builder.with_secret_access_key(value),
                _ => return Err(OpenError::Address),
            };
        }
        if let Some(endpoint) = &endpoint {
            // A self-hosted server is often reached without encryption, on the same machine or in a private network.
            builder = builder.with_client_options(ClientOptions::new().with_allow_http(endpoint.starts_with("http:")));
        }
        let prefix = url.path().trim_matches('/');
        let store: Arc<dyn ObjectStore> = match prefix {
            "" => Arc::new(builder.build()?),
            prefix => Arc::new(object_store::prefix::PrefixStore::new(builder.build()?, prefix)),
        };
        Ok(ObjectStorage { store, place: format!("the bucket {bucket}"), patience: PATIENCE })
    }

    /// Returns the same storage, waiting at most `patience` for an object to be written, and for each piece of one.
    pub fn with_patience(self, patience: Duration) -> ObjectStorage {
        ObjectStorage { patience, ..self }
    }

    /// Returns where it is, in words.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Reads a whole object. Those that people send fit into memory; for others there is [`download`](Self::download).
    ///
    /// # Errors
    /// There is no such object, or the storage does not work.
    pub async fn read(&self, object: &str) -> Result<Bytes, StorageError> {
        let path = Path::from(object);
        self.in_time("storage read", async { self.store.get(&path).await?.bytes().await }).await
    }

    /// Returns the size of an object, if it exists.
    ///
    /// # Errors
    /// The storage does not work.
    pub async fn size(&self, object: &str) -> Result<Option<u64>, StorageError> {
        match self.in_time("storage head", self.store.head(&Path::from(object))).await {
            Ok(found) => Ok(Some(found.size)),
            Err(StorageError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a file of any size as an object. `sent` is told how many more bytes are on their way.
    ///
    /// # Errors
    /// The file cannot be read, or the storage does not work. Then there is no object.
    pub async fn upload(&self, object: &str, mut file: File, mut sent: impl FnMut(u64)) -> Result<(), StorageError> {
        let upload = self.store.put_multipart(&Path::from(object)).await.map_err(storage_error)?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
        loop {
            let mut part = BytesMut::with_capacity(PART);
            if file.read_buf(&mut part).await.map_err(|error| StorageError::Unavailable(error.into()))? == 0 {
                break;
            }
            upload.wait_for_capacity(PARTS_UNDER_WAY).await.map_err(storage_error)?;
            sent(part.len() as u64);
            upload.put(part.freeze());
        }
        upload.finish().await.map(drop).map_err(storage_error)
    }

    /// Writes an object of any size into a file. `received` is told how many more bytes are written.
    ///
    /// # Errors
    /// There is no such object, the storage does not work, or the file cannot be written.
    pub async fn download(
        &self,
        object: &str,
        file: &mut File,
        mut received: impl FnMut(u64),
    ) -> Result<(), StorageError> {
        let found = self.store.get(&Path::from(object)).await.map_err(storage_error)?;
        let mut content = found.into_stream();
        while let Some(chunk) = content.next().await {
            let chunk = chunk.map_err(storage_error)?;
            file.write_all(&chunk).await.map_err(|error| StorageError::Unavailable(error.into()))?;
            received(chunk.len() as u64);
        }
        file.flush().await.map_err(|error| StorageError::Unavailable(error.into()))
    }

    fn listed(&self, folder: Option<&Path>) -> BoxStream<'static, Result<ObjectInfo, StorageError>> {
        let info = |found: object_store::ObjectMeta| ObjectInfo {
            name: found.location.to_string(),
            modified_at: found.last_modified.timestamp_millis(),
        };
        pieces_in_time(self.store.list(folder), self.patience).map(move |found| found.map(info)).boxed()
    }

    /// Waits for the storage's answer, which may never come.
    async fn in_time<T>(
        &self,
        name: &'static str,
        asked: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, StorageError> {
        let asked = async {
            let answer = timeout(self.patience, asked).await.map_err(|_| late())?;
            answer.map_err(storage_error)
        };
        telemetry::call("storage", name, asked, |error| match error {
            StorageError::Missing => "missing",
            StorageError::Unavailable(_) => "unavailable",
        })
        .await
    }

    /// Writes, reads and removes an object.
    ///
    /// # Errors
    /// Whatever does not work.
    pub async fn probe(&self) -> Result<(), StorageError> {
        let object = "probe/doctor";
        self.put(object, Bytes::from_static(b"probe")).await?;
        let mut bytes = self.get(object, 0..5).await?;
        while let Some(chunk) = bytes.next().await {
            chunk?;
        }
        self.delete(object).await
    }
}

/// Limits the wait for each piece.
fn pieces_in_time<T: Send + 'static>(
    pieces: BoxStream<'static, Result<T, Error>>,
    patience: Duration,
) -> BoxStream<'static, Result<T, StorageError>> {
    stream::unfold(Some(pieces), move |pieces| async move {
        let mut pieces = pieces?;
        match timeout(patience, pieces.next()).await {
            Ok(piece) => Some((piece?.map_err(storage_error), Some(pieces))),
            Err(_) => Some((Err(late()), None)),
        }
    })
    .boxed()
}

fn late() -> StorageError {
    StorageError::Unavailable("the storage does not answer in time".into())
}

/// Adds the current trace to requests to S3.
#[derive(Debug)]
struct Traced;

impl HttpConnector for Traced {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(TracedClient(ReqwestConnector::default().connect(options)?)))
    }
}

#[derive(Debug)]
struct TracedClient(HttpClient);

#[async_trait]
impl HttpService for TracedClient {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        telemetry::pass_on(request.headers_mut());
        self.0.execute(request).await
    }
}

/// Makes the folder accessible to this user only.
fn only_for_us(folder: &FilePath) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

fn storage_error(error: Error) -> StorageError {
    match error {
        Error::NotFound { .. } => StorageError::Missing,
        error => StorageError::Unavailable(error.into()),
    }
}

#[async_trait]
impl DocumentStorage for ObjectStorage {
    async fn put(&self, object: &str, content: Bytes) -> Result<(), StorageError> {
        let path = Path::from(object);
        self.in_time("storage put", self.store.put(&path, PutPayload::from_bytes(content))).await.map(drop)
    }

    async fn get(&self, object: &str, range: Range<u64>) -> Result<StoredBytes, StorageError> {
        let path = Path::from(object);
        if range.is_empty() {
            return Ok(futures::stream::empty().boxed());
        }
        let options = GetOptions { range: Some(range.into()), ..GetOptions::default() };
        let found = self.in_time("storage get", self.store.get_opts(&path, options)).await?;
        Ok(pieces_in_time(found.into_stream(), self.patience))
    }

    async fn delete(&self, object: &str) -> Result<(), StorageError> {
        match self.in_time("storage delete", self.store.delete(&Path::from(object))).await {
            Err(StorageError::Missing) | Ok(()) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn list(&self) -> BoxStream<'static, Result<ObjectInfo, StorageError>> {
        self.listed(None)
    }

    async fn list_in(&self, folder: &str) -> BoxStream<'static, Result<ObjectInfo, StorageError>> {
        self.listed(Some(&Path::from(folder)))
    }
}
