//! The words of `zug serve`.

use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(
    after_help = "The page is for a browser at this machine; other machines cannot reach it unless --host says so, and then the address that is printed carries a token that they need.
What programs can ask is listed at /api/v1/openapi.json.

Examples:
  zug serve --open
  zug serve --port 8080 --runs runs/ --databases databases/
  zug serve --records go=index.zug --records chess=games.pgn --names chess=eco/
  zug serve --host 0.0.0.0 --token-file token.txt"
)]
pub struct ServeArgs {
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 8080)]
    pub port: u16,
    /// Open the page in the browser of this machine
    #[arg(long)]
    pub open: bool,
    /// The address to listen at
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: IpAddr,
    /// Whoever asks must know the text in this file; one is made up where --host needs one
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Connections at a time; when all are taken, one that asks nothing gives way. Fewer where the system allows fewer open files
    #[arg(long, value_name = "N", default_value = "512", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,
    /// Connections of one address at a time (of IPv6: of one /64 network)
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_per_address: u16,
    /// The head of a request must be there this long after its first byte, and nobody may pause for longer in reading an answer
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = super::duration)]
    pub header_timeout: Duration,
    /// The longest pause within the body of a request, which must come at 32 KiB a second besides
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = super::duration)]
    pub body_timeout: Duration,
    /// A connection on which nothing is asked is closed after this
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = super::duration)]
    pub idle_timeout: Duration,
    /// Engines that think at once; as many as there are processors unless said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub engines: Option<u16>,
    /// For players that draw lots: asked the same in the same order, they move alike
    #[arg(long)]
    pub seed: Option<u64>,
    /// Learning runs to show: the folder that holds their folders
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,
    /// Databases of solved games that 'zug db build' wrote: the folder that holds their folders; small games need none
    #[arg(long, value_name = "DIR")]
    pub databases: Option<PathBuf>,
    /// Records to explore: an index that 'zug explore GAME --build' wrote, or a file, a folder or an
    /// archive of records, which is indexed first
    #[arg(long, value_name = "GAME=FILE")]
    pub records: Vec<String>,
    /// Names of openings for plain records: a file or a folder
    #[arg(long, value_name = "GAME=FILE")]
    pub names: Vec<String>,
}
