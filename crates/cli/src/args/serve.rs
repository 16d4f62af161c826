//! The options of `regulus serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ServePage {
    /// The port to listen at; unless told 7878, or any free one if that is in use
    #[arg(long)]
    pub(crate) port: Option<u16>,

    /// The address to listen at: `127.0.0.1` is this machine alone, `0.0.0.0` everyone who can reach it
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,

    /// The file in which matches are kept; unless told one in your data folder
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,

    /// Keep no matches beyond the end of the server
    #[arg(long, conflicts_with = "data")]
    pub(crate) no_data: bool,

    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// A folder with nets to play against: a run of `regulus train`, or one with such runs
    #[arg(long, value_name = "DIR")]
    pub(crate) nets: Option<PathBuf>,

    /// How many threads think for computers; unless told one less than the machine has cores
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}
