//! What can be said of the look of any page: whether it fits the window, and whether its words can be read.

use std::ops::Range;

use serde_json::json;

use crate::page::Page;

/// Asserts that nothing sticks out of the window sideways.
pub(crate) fn fits(page: &Page, view: &str) {
    let script = r#"
      if (document.scrollingElement.scrollWidth <= innerWidth) return [];
      const out = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
      return [`${document.scrollingElement.scrollWidth} of ${innerWidth}`, ...out.slice(0, 8).map((one) => one.outerHTML.slice(0, 120))];
    "#;
    let found = page.run(script, &json!([]));
    assert_eq!(found, json!([]), "{view} is wider than the window");
}

/// Asserts that all text stands out from what is behind it, as much as the guidelines for accessibility ask for: 4.5 to 1, and
/// 3 to 1 if it is large. What cannot be used now is exempt.
pub(crate) fn readable(page: &Page, view: &str) {
    let script = r#"
      // Colours come in several notations; a canvas knows them all.
      const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      const known = new Map();
      const read = (text) => {
        if (!known.has(text)) {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = text;
          canvas.fillRect(0, 0, 1, 1);
          const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
          known.set(text, [r, g, b, a / 255]);
        }
        return known.get(text);
      };
      const over = (top, below) => [0, 1, 2].map((part) => top[part] * top[3] + below[part] * (1 - top[3]));
      const parent = (one) => one.parentElement ?? one.getRootNode().host ?? null;
      const behind = (one) => {
        const layers = [];
        for (let at = one; at; at = parent(at)) {
          const colour = read(getComputedStyle(at).backgroundColor);
          layers.push(colour);
          if (colour[3] === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
      };
      const light = (colour) => {
        const [r, g, b] = colour.map((part) => {
          const value = part / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const poor = new Set();
      let read_texts = 0;
      const look = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (node.shadowRoot) look(node.shadowRoot);
          const one = node.parentElement;
          if (node.nodeType !== Node.TEXT_NODE || !node.data.trim() || !one) continue;
          // Pictures have their own rules, and a text that is hidden from eyes needs no colour.
          if (one.closest("svg, script, style, noscript, option, .unseen, .skip, .greyed, :disabled") || !one.checkVisibility()) continue;
          const style = getComputedStyle(one);
          const size = Number.parseFloat(style.fontSize);
          const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
          const ground = behind(one);
          const [a, b] = [light(over(read(style.color), ground)), light(ground)].sort((x, y) => y - x);
          const ratio = (a + 0.05) / (b + 0.05);
          read_texts += 1;
          if (ratio < (isLarge ? 3 : 4.5)) poor.add(`${ratio.toFixed(2)}: “${node.data.trim().slice(0, 40)}”, ${style.color} on ${ground.map(Math.round)}`);
        }
      };
      look(document.body);
      return { texts: read_texts, poor: [...poor] };
    "#;
    let found = page.run(script, &json!([]));
    assert!(found["texts"].as_u64() > Some(5), "{view} has words: {found}");
    assert_eq!(found["poor"], json!([]), "{view} has words that are hard to read");
}

/// Waits until the background of the page is this light, from 0 to 255: a change of the system is heard of a little later.
pub(crate) fn becomes(page: &Page, lightness: Range<u32>) {
    let script = r#"
      const parts = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number);
      const lightness = parts.reduce((sum, part) => sum + part, 0) / 3;
      return lightness >= arguments[0] && lightness < arguments[1];
    "#;
    let what = format!("a background of {lightness:?}");
    page.wait(&what, script, &json!([lightness.start, lightness.end]));
}

/// Goes to every main view in turn and calls back when it is there.
pub(crate) fn every_view(page: &Page, mut look: impl FnMut(&str)) {
    for (name, path, selector, words) in [
        ("library", "/", ".game-card", "Chess"),
        ("game", "/g/chess", ".starter", "Start"),
        ("rules", "/g/chess_without_check/rules", ".guide", "pawn"),
        ("analyse", "/g/tic_tac_toe/analyse", ".zoom", ""),
        ("source", "/g/tic_tac_toe/source", ".panel", "#players"),
        ("write", "/new", ".diagnostics", "Nothing is wrong"),
        ("invent", "/invent?seed=7", ".panel h2", ""),
        ("about", "/about", "h1", ""),
        ("nowhere", "/nowhere", "h1", "There is no such page here."),
    ] {
        page.go(path);
        page.see(selector, words);
        look(name);
    }
    page.go("/");
    page.press("Chess");
    page.status("Your move");
    page.choose(&["e2", "e4"]);
    page.moves(2);
    for (name, tab, selector, words) in [
        ("match", "Match", ".moves-card", "e2-e4"),
        ("match-analyse", "Analyse", ".panel", "Analyse this position"),
        ("match-rules", "How to play", ".panel", "pawn"),
        ("match-source", "Source", ".panel", "#players"),
    ] {
        page.press(tab);
        page.see(selector, words);
        look(name);
    }
}
