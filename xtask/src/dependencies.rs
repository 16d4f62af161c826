//! What we ask of what we depend on, as `deny.toml` says: licences, one version of each crate, no other sources than the
//! registry, and nothing that is not used.
//!
//! [`check`] asks only cargo and the manifests, in a second, so that every test run can do it. [`deny`] has the same and more
//! from cargo-deny and cargo-machete, which are built first; that takes minutes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tidy::{files, read};
use super::{cargo, step, target};

/// Checks everything; the error lists what is wrong.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    println!("== dependencies");
    let rules = read(&root.join("deny.toml"));
    let mut problems = Vec::new();
    let allowed = list(&rules, "allow");
    for (package, licence) in licences()? {
        if !is_allowed(&licence, &allowed) {
            problems
                .push(format!("{package} is under `{licence}`, which deny.toml does not allow"));
        }
    }
    let skipped = list(&rules, "skip");
    problems.extend(several_versions(&read(&root.join("Cargo.lock")), &skipped));
    for lock in ["Cargo.lock", "fuzz/Cargo.lock", "rivals/Cargo.lock"] {
        for source in foreign_sources(&read(&root.join(lock))) {
            problems.push(format!("{lock} has something from {source}"));
        }
    }
    for manifest in manifests(root) {
        for name in unused(&manifest) {
            problems.push(format!("{} does not use {name}", manifest.display()));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    problems.sort();
    Err(format!("dependencies:\n  {}", problems.join("\n  ")))
}

/// Has everything checked by the tools that are made for it.
pub(crate) fn deny() -> Result<(), String> {
    let deny = installed("cargo-deny", DENY_VERSION)?;
    let run = |what: &[&str]| {
        let mut command = Command::new(&deny);
        command.args(what).current_dir(super::root());
        command
    };
    step("licences, versions, sources", run(&["check", "licenses", "bans", "sources"]))?;
    // The advisories are a repository of their own, which cannot be reached from everywhere.
    if step("advisories: fetch", run(&["fetch", "db"])).is_ok() {
        step("advisories", run(&["--offline", "check", "advisories"]))?;
    } else {
        println!("== advisories: left out, their database cannot be reached from here");
    }
    let mut machete = Command::new(installed("cargo-machete", MACHETE_VERSION)?);
    machete.args(["--with-metadata", "crates", "xtask", "fuzz", "rivals"]);
    machete.current_dir(super::root());
    step("unused dependencies", machete)
}

const DENY_VERSION: &str = "0.20.2";
const MACHETE_VERSION: &str = "0.9.2";

/// The path of a tool, which is built if this version is not there.
fn installed(name: &str, version: &str) -> Result<PathBuf, String> {
    let folder = target().join("tools");
    let path = folder.join("bin").join(name);
    let probe = Command::new(&path).arg("--version").output();
    let is_there =
        probe.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().ends_with(version));
    if !is_there {
        let mut install = cargo(&["install", "--locked", "--quiet", "--root"]);
        install.arg(&folder).arg(format!("{name}@{version}"));
        step(&format!("build {name}"), install)?;
    }
    Ok(path)
}

/// The entries of a list in `deny.toml`: the first string of each line.
fn list(rules: &str, name: &str) -> BTreeSet<String> {
    let start = format!("{name} = [");
    let lines = rules.lines().skip_while(|line| *line != start).skip(1);
    let lines = lines.take_while(|line| *line != "]");
    lines.filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect()
}

// ---- Licences ----

/// The packages that are built for any system, with their licences.
fn licences() -> Result<BTreeMap<String, String>, String> {
    let tree = |target: &[&str]| {
        let mut tree = cargo(&["tree", "--workspace", "--quiet", "--prefix", "none"]);
        tree.args(["--edges", "normal,build,dev", "--format", "{p}|{l}"]).args(target);
        let output = tree.output().map_err(|error| format!("cargo tree: {error}"))?;
        let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(words(&output.stdout)) } else { Err(words(&output.stderr)) }
    };
    let text = tree(&["--target", "all"]).or_else(|_| {
        println!("== dependencies: those of other systems are left out, they cannot be downloaded");
        tree(&[])
    })?;
    Ok(packages(&text))
}

/// The packages in the answer of `cargo tree`.
fn packages(text: &str) -> BTreeMap<String, String> {
    let rows = text.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once('|'));
    let package = |name: &str| name.split(" (").next().unwrap_or_default().to_owned();
    rows.map(|(name, licence)| (package(name), licence.trim().to_owned())).collect()
}

/// Whether a licence leaves us a choice that is allowed. `/` is an old way to write `OR`.
fn is_allowed(licence: &str, allowed: &BTreeSet<String>) -> bool {
    let text = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = text.split_whitespace().peekable();
    let holds = either(&mut words, allowed);
    holds && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut holds = both(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        holds |= both(words, allowed);
    }
    holds
}

fn both(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut holds = single(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        holds &= single(words, allowed);
    }
    holds
}

fn single(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let holds = either(words, allowed);
        return words.next() == Some(")") && holds;
    }
    let mut name = words.next().unwrap_or_default().to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        name = format!("{name} WITH {}", words.next().unwrap_or_default());
    }
    allowed.contains(&name)
}

// ---- Versions and sources ----

/// The values of a key of all packages in a lock file, in order.
fn values<'a>(lock: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let start = format!("{key} = \"");
    lock.lines().filter_map(move |line| line.strip_prefix(start.as_str())?.strip_suffix('"'))
}

/// Crates of which there are several versions, unless all but one of these are listed as `name@version`.
fn several_versions(lock: &str, skipped: &BTreeSet<String>) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let packages = lock.split("[[package]]").skip(1);
    for package in packages {
        if let (Some(name), Some(version)) =
            (values(package, "name").next(), values(package, "version").next())
        {
            versions.entry(name).or_default().push(version);
        }
    }
    let mut problems = Vec::new();
    let mut needless = skipped.clone();
    for (name, versions) in &versions {
        let spelled = |version: &&str| format!("{name}@{version}");
        let rest = versions.iter().filter(|version| !skipped.contains(&spelled(version)));
        if versions.len() > 1 {
            versions.iter().for_each(|version| _ = needless.remove(&spelled(version)));
        }
        if rest.count() > 1 {
            let versions = versions.join(", ");
            problems.push(format!("{name} occurs in several versions: {versions}"));
        }
    }
    let needless = needless.iter().map(|name| format!("deny.toml skips {name} needlessly"));
    problems.extend(needless);
    problems
}

/// Where packages come from that are neither ours nor from the usual registry.
fn foreign_sources(lock: &str) -> BTreeSet<&str> {
    let usual =
        |source: &&str| source.starts_with("registry+") && source.ends_with("/crates.io-index");
    values(lock, "source").filter(|source| !usual(source)).collect()
}

// ---- Use ----

/// The manifests of all crates.
fn manifests(root: &Path) -> Vec<PathBuf> {
    let crates = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = crates.map(|folder| folder.path()).collect();
    folders.extend(["xtask", "fuzz", "rivals"].map(|folder| root.join(folder)));
    folders.sort();
    folders.into_iter().map(|folder| folder.join("Cargo.toml")).collect()
}

/// The dependencies whose name no code mentions. Tests and examples may use those for tests only, and all others too.
fn unused(manifest: &Path) -> Vec<String> {
    let folder = manifest.parent().unwrap_or(manifest);
    let text = |folders: &[&str]| -> String {
        let all = folders.iter().flat_map(|name| {
            let path = folder.join(name);
            if path.is_file() { vec![path] } else { files(&path) }
        });
        all.filter(|file| file.extension().is_some_and(|ending| ending == "rs"))
            .map(|file| read(&file))
            .collect()
    };
    let (code, tests) =
        (text(&["src", "fuzz_targets"]), text(&["src", "tests", "examples", "benches"]));
    let build = text(&["build.rs"]);
    let mut missing = Vec::new();
    for (section, name) in dependencies(&read(manifest)) {
        let is_used = match section.as_str() {
            "dependencies" => mentions(&code, &name, false),
            "build-dependencies" => mentions(&build, &name, false),
            _ => mentions(&tests, &name, true),
        };
        if !is_used {
            missing.push(name);
        }
    }
    missing
}

/// The dependencies of a manifest, each with the section it is in.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        if let Some(head) = line.strip_prefix('[') {
            section = head.trim_end_matches(']').rsplit('.').next().unwrap_or_default();
        } else if section.ends_with("dependencies")
            && let Some(name) = line.split(['.', ' ', '=']).next()
            && !name.is_empty()
            && !name.starts_with('#')
        {
            found.push((section.to_owned(), name.to_owned()));
        }
    }
    found
}

/// Whether code names a crate: `name::`, `use name` or `extern crate name`. Examples in comments count if asked for.
fn mentions(code: &str, name: &str, comments: bool) -> bool {
    let name = name.replace('-', "_");
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.lines().filter(|line| comments || !line.trim_start().starts_with("//")).any(|line| {
        line.match_indices(name.as_str()).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let is_whole = !before.ends_with(part) && !after.starts_with(part);
            let is_used = ["use ", "extern crate "].iter().any(|word| before.ends_with(word));
            is_whole && (after.starts_with("::") || is_used)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &[&str]) -> BTreeSet<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn licences_are_read_as_choices() {
        let allowed = set(&["MIT", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"]);
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "GPL-3.0/MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
            "GPL-3.0 AND BSD-2-Clause OR MIT",
        ] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "Apache-2.0",
            "MIT AND GPL-3.0",
            "MIT AND (GPL-3.0 OR BSD-2-Clause)",
            "Apache-2.0 WITH Other-exception",
            "(MIT",
            "MIT)",
        ] {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn lists_and_trees_are_read() {
        let rules = "[a]\nallow = [\n    \"MIT\",\n    \"Zlib\",\n]\nskip = [\n    { crate = \"a@1.0.0\", reason = \"b\" },\n]\n";
        assert_eq!(list(rules, "allow"), set(&["MIT", "Zlib"]));
        assert_eq!(list(rules, "skip"), set(&["a@1.0.0"]));
        let tree = "a v1.0.0|MIT\n\nb v2.0.0 (proc-macro)|Zlib (*)\na v1.0.0|MIT (*)";
        let found: Vec<_> = packages(tree).into_iter().collect();
        let pair = |name: &str, licence: &str| (name.to_owned(), licence.to_owned());
        assert_eq!(found, [pair("a v1.0.0", "MIT"), pair("b v2.0.0", "Zlib")]);
    }

    #[test]
    fn versions_and_sources_are_compared() {
        let package = |name: &str, version: &str, source: &str| {
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{source}\"\n"
            )
        };
        let usual = "registry+https://github.com/rust-lang/crates.io-index";
        let lock = package("a", "1.0.0", usual)
            + &package("a", "2.0.0", usual)
            + &package("b", "1.0.0", "git+https://example.org/b");
        assert_eq!(
            several_versions(&lock, &set(&[])),
            ["a occurs in several versions: 1.0.0, 2.0.0"]
        );
        assert!(several_versions(&lock, &set(&["a@1.0.0"])).is_empty());
        let vain = several_versions(&lock, &set(&["a@1.0.0", "b@1.0.0"]));
        assert_eq!(vain, ["deny.toml skips b@1.0.0 needlessly"]);
        let foreign: Vec<&str> = foreign_sources(&lock).into_iter().collect();
        assert_eq!(foreign, ["git+https://example.org/b"]);
    }

    #[test]
    fn uses_of_crates_are_found() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\n# why\na-b = \"1\"\nc.workspace = true\n\n[target.'cfg(unix)'.dev-dependencies]\nd = { path = \"d\" }\n[lints]\ne = true\n";
        let pair = |section: &str, name: &str| (section.to_owned(), name.to_owned());
        let expected =
            [pair("dependencies", "a-b"), pair("dependencies", "c"), pair("dev-dependencies", "d")];
        assert_eq!(dependencies(manifest), expected);
        for used in ["use a_b;", "    a_b::call()", "pub use a_b as other;", "extern crate a_b;"] {
            assert!(mentions(used, "a-b", false), "{used}");
        }
        for other in ["use xa_b::c;", "a_bc::d()", "let a_b = 1;", "// a_b::call()"] {
            assert!(!mentions(other, "a-b", false), "{other}");
        }
        assert!(mentions("/// a_b::call()", "a-b", true));
    }
}
