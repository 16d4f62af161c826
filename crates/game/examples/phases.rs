#![allow(clippy::all, missing_docs, unused)]
use regulus_automaton::passes::PASSES;
use std::time::Instant;
fn rss() -> String {
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    s.lines().filter(|l| l.starts_with("VmHWM")).collect::<String>()
}
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let source = regulus_lang::Source::new(&path, text);
    let t = Instant::now();
    let lowered = regulus_game::Lowered::new(source).unwrap_or_else(|e| {
        println!("{}", e.render(false));
        std::process::exit(1)
    });
    println!("lower {:?} {}", t.elapsed(), rss());
    let a = lowered.automaton().clone();
    println!("  {} nodes {} edges", a.nodes.len(), a.edges().count());
    let mut d = a.into_draft();
    for r in 0..8 {
        let mut ch = false;
        for p in PASSES {
            let t = Instant::now();
            let c = (p.run)(&mut d);
            ch |= c;
            let e = t.elapsed();
            println!(
                "  {r} {} {:?} {} -> {} nodes {} edges",
                p.name,
                e,
                c,
                d.nodes.len(),
                d.nodes.values().map(|n| n.len()).sum::<usize>()
            );
        }
        if !ch {
            break;
        }
    }
    let t = Instant::now();
    let a = std::sync::Arc::new(d.verify().unwrap());
    println!("verify {:?} {}", t.elapsed(), rss());
    let t = Instant::now();
    let w = regulus_engine::Walk::new(a.clone());
    println!("walk {:?} {}", t.elapsed(), rss());
    let t = Instant::now();
    match regulus_engine::segment::Segments::new(&a) {
        Ok(s) => {
            println!(
                "segments {:?} {} stages, ops {}, max {} slots {} surveys {}",
                t.elapsed(),
                s.stages.len(),
                s.stages.iter().map(|s| s.operations.len()).sum::<usize>(),
                s.stages.iter().map(|s| s.operations.len()).max().unwrap_or(0),
                s.stages.iter().map(|s| s.slots).max().unwrap_or(0),
                s.surveys.iter().map(|s| s.operations.len()).sum::<usize>()
            );
        }
        Err(e) => println!("not planned {e}"),
    }
    let t = Instant::now();
    let p = match regulus_engine::Plan::new(a.clone()) {
        Ok(p) => p,
        Err(e) => return,
    };
    println!("plan {:?} {}", t.elapsed(), rss());
    let t = Instant::now();
    match regulus_jit::Jit::from_plan(std::sync::Arc::new(p)) {
        Ok(j) => println!("jit {:?} {} code {}", t.elapsed(), rss(), j.code_size()),
        Err(e) => println!("jit no {e} {:?}", t.elapsed()),
    }
}
