// A plain text editor: a text area with line numbers. It is used until the real one has been loaded, and instead of it where
// it cannot be.

import { h } from "./dom.js";

/**
 * What both editors can do.
 * @typedef {object} Editor
 * @property {HTMLElement} element
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {(start: number, end: number) => void} select Shows a place and puts the cursor there.
 * @property {(start: number, end: number, text: string) => void} replace
 * @property {(diagnostics: import("./types.js").Diagnostic[], language: string) => void} show
 * @property {() => void} leave
 */

/** @param {string} text @param {(text: string) => void} changed @returns {Editor} */
export function plainEditor(text, changed) {
  const lines = h("pre", { class: "lines", "aria-hidden": "true" });
  const area = h("textarea", {
    class: "code",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    wrap: "off",
    "aria-label": "The text of the game",
    value: text,
  });
  let counted = 0;
  const count = () => {
    const number = area.value.split("\n").length;
    if (number !== counted) lines.textContent = Array.from({ length: number }, (_, line) => line + 1).join("\n");
    counted = number;
    lines.scrollTop = area.scrollTop;
  };
  const edited = () => {
    count();
    changed(area.value);
  };
  area.addEventListener("input", edited);
  area.addEventListener("scroll", () => (lines.scrollTop = area.scrollTop));
  count();
  return {
    element: h("div", { class: "plain" }, lines, area),
    text: () => area.value,
    setText: (next) => {
      area.value = next;
      edited();
    },
    select: (start, end) => {
      area.focus();
      area.setSelectionRange(start, end);
      const line = area.value.slice(0, start).split("\n").length;
      area.scrollTop = Math.max(0, (line - 5) * 21);
    },
    replace: (start, end, next) => {
      area.setRangeText(next, start, end, "end");
      edited();
    },
    show: () => {},
    leave: () => {},
  };
}
