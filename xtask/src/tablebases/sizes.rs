//! How many bytes does an ending take, ours and theirs?

use anyhow::Result;
use std::path::{Path, PathBuf};
use zug_solve::{Manifest, Measure};

/// Prints a table of sizes: our folders, Syzygy's two kinds of files, Gaviota's.
pub fn print(
    endings: &[String],
    folders: &[PathBuf],
    syzygy: &Path,
    gaviota: Option<&Path>,
) -> Result<()> {
    let manifests: Vec<Manifest> =
        folders.iter().map(|folder| Manifest::read(folder)).collect::<Result<_, _>>()?;
    let mut heads: Vec<String> = manifests.iter().map(|m| heading(m.metric).into()).collect();
    heads.extend(["Syzygy WDL", "Syzygy DTZ", "Gaviota DTM"].map(String::from));
    println!("\nbytes stored");
    print!("{:8}", "ending");
    heads.iter().for_each(|head| print!(" {head:>12}"));
    println!();
    let mut sums = vec![0; heads.len()];
    for name in endings {
        let of = |m: &Manifest| m.stages.iter().find(|s| s.name == *name).map(|s| s.bytes);
        let mut sizes: Vec<Option<u64>> = manifests.iter().map(of).collect();
        sizes.push(file_size(&syzygy.join(format!("{name}.rtbw"))));
        sizes.push(file_size(&syzygy.join(format!("{name}.rtbz"))));
        let short = name.to_lowercase().replace('v', "");
        sizes.push(gaviota.and_then(|g| file_size(&g.join(format!("{short}.gtb.cp4")))));
        print!("{name:8}");
        for (sum, size) in sums.iter_mut().zip(sizes) {
            *sum += size.unwrap_or(0);
            print!(" {:>12}", size.map_or("-".into(), |size| size.to_string()));
        }
        println!();
    }
    print!("{:8}", "all");
    sums.iter().for_each(|sum| print!(" {sum:>12}"));
    println!();
    Ok(())
}

fn heading(measure: Measure) -> &'static str {
    match measure {
        Measure::Wdl => "Zug WDL",
        Measure::Dtm => "Zug DTM",
        Measure::Dtc => "Zug DTC",
    }
}

fn file_size(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|m| m.len())
}
