// Tabs: a row of buttons of which one shows its panel. Panels are made when they are first shown.

import { fill, h } from "./dom.js";

/** @typedef {{id: string, label: string, make: () => HTMLElement, shown?: () => void}} Tab */

/**
 * @param {string} label
 * @param {Tab[]} list
 * @param {string} [first]
 * @param {(id: string) => void} [changed]
 */
export function tabs(label, list, first, changed) {
  /** @type {Map<string, HTMLElement>} */
  const made = new Map();
  const panel = h("div", { class: "panel", role: "tabpanel", id: "panel" });
  let current = "";
  const buttons = list.map(({ id, label }) =>
    h(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", onclick: () => select(id, true) },
      label,
    ),
  );
  /** @param {string} id @param {boolean} [isNew] */
  function select(id, isNew) {
    const number = Math.max(
      0,
      list.findIndex((tab) => tab.id === id),
    );
    const tab = list[number];
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === number));
      button.tabIndex = at === number ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `tab-${tab.id}`);
    if (current === tab.id) return;
    current = tab.id;
    let content = made.get(tab.id);
    if (!content) {
      content = tab.make();
      made.set(tab.id, content);
    }
    fill(panel, content);
    tab.shown?.();
    if (isNew) changed?.(tab.id);
  }
  const row = h("div", { class: "tabs", role: "tablist", "aria-label": label }, ...buttons);
  row.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = list.findIndex((tab) => tab.id === current);
    const next = (at + step + list.length) % list.length;
    select(list[next].id, true);
    buttons[next].focus();
  });
  select(first ?? list[0].id);
  return { row, panel, select, current: () => current };
}
