//! The server as a whole: opened, run until it is told to end, closed.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::archive::Archive;
use crate::guard::HostNames;
use crate::http;
use crate::hub::Hub;
use crate::nets::NetShelf;
use crate::think::ThinkPool;

/// How long requests may go on when the server ends.
const GRACE: Duration = Duration::from_secs(2);

/// Where the server listens and what it keeps.
#[derive(Clone, Debug)]
pub struct PageServerConfig {
    /// The address; port 0 is any free one.
    pub address: SocketAddr,
    /// The file that matches are kept in; without one they are kept as long as the server runs.
    pub data: Option<PathBuf>,
    /// How many threads think for computers.
    pub thinkers: usize,
    /// The folder with nets that are opponents; a run of training, or one with such runs.
    pub nets: Option<PathBuf>,
}

impl Default for PageServerConfig {
    /// Any free port of this machine alone; nothing is kept.
    fn default() -> PageServerConfig {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        PageServerConfig { address, data: None, thinkers: 1, nets: None }
    }
}

/// Why the server cannot run.
#[derive(Debug)]
pub enum PageServerError {
    /// The address cannot be used.
    Address(SocketAddr, std::io::Error),
    /// The file that matches are kept in cannot be used.
    Data(PathBuf, String),
    /// The machine lacks what is needed.
    Machine(std::io::Error),
}

impl fmt::Display for PageServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageServerError::Address(address, error) => {
                write!(f, "cannot listen at {address}: {error}; choose another with --port")
            }
            PageServerError::Data(path, error) => {
                write!(
                    f,
                    "cannot keep matches in {}: {error}; choose another file with --data",
                    path.display()
                )
            }
            PageServerError::Machine(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for PageServerError {}

/// A server that listens.
#[derive(Debug)]
pub struct PageServer {
    listener: TcpListener,
    address: SocketAddr,
    hub: Arc<Hub>,
}

impl PageServer {
    /// Opens the file and listens at the address.
    ///
    /// # Errors
    ///
    /// If one of them cannot be used.
    pub fn bind(config: &PageServerConfig) -> Result<PageServer, PageServerError> {
        let failed = |error| PageServerError::Address(config.address, error);
        let listener = TcpListener::bind(config.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let archive = Archive::open(config.data.as_deref()).map_err(|error| {
            PageServerError::Data(config.data.clone().unwrap_or_default(), error)
        })?;
        let pool = ThinkPool::new("think", config.thinkers).map_err(PageServerError::Machine)?;
        let nets = NetShelf::new(config.nets.clone());
        let hub = Hub::new(archive, pool, nets).map_err(PageServerError::Machine)?;
        Ok(PageServer { listener, address, hub: Arc::new(hub) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the process is told to end (Ctrl-C, or a request of the system to terminate).
    ///
    /// # Errors
    ///
    /// If the machine lacks what is needed.
    pub fn run(self) -> Result<(), PageServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(256)
            .build()
            .map_err(PageServerError::Machine)?;
        let hub = Arc::clone(&self.hub);
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let is_local = self.address.ip().is_loopback();
            let names = if is_local { HostNames::Local } else { HostNames::Any };
            let router = http::router(Arc::clone(&self.hub), names);
            let service = router.into_make_service_with_connect_info::<SocketAddr>();
            let serving = axum::serve(listener, service);
            tokio::select! {
                served = serving.into_future() => served,
                () = told_to_end() => Ok(()),
            }
        });
        hub.close();
        runtime.shutdown_timeout(GRACE);
        served.map_err(PageServerError::Machine)
    }
}

/// Waits until the process is told to end: by Ctrl-C or, where there is such a thing, by a request of the system to terminate. Where
/// it cannot be told, it waits for ever, and is ended as always.
pub async fn told_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Without a way to be told, the server runs until it is killed.
    if interrupt.await.is_err() {
        std::future::pending::<()>().await;
    }
}
