// The editor of games: text on the left, what the checker says below it, the board on the right, redrawn as one types.

import * as api from "./api.js";
import { Board } from "./board.js";
import { capital, copy, fill, h, note, saveFile } from "./dom.js";
import { quickPlay } from "./library.js";
import { plainEditor } from "./plain.js";
import * as settings from "./settings.js";
import { linkTo, textIn } from "./share.js";
import { guidePanel } from "./guide.js";
import { TEMPLATES } from "./templates.js";
import { start } from "./game.js";

/** How long one pauses before the text is checked, in milliseconds. */
const PAUSE = 250;

/** The ends of the names of files. @type {Record<string, string>} */
const ENDS = { rbg: "rbg", sbg: "sbg", abg: "abg", metagame: "game" };

/** @param {URL} address */
export async function showEditor(address) {
  const linked = await textIn(address);
  const first = linked ?? (settings.draft() || TEMPLATES[0].text);
  // From here on the text is the draft; the link would bring the old one back.
  if (linked !== null) {
    settings.setDraft(linked);
    history.replaceState(null, "", "/new");
  }
  return { title: "Write a game", ...new Writing(first).place() };
}

class Writing {
  /** @param {string} text */
  constructor(text) {
    /** @type {import("./types.js").Checked | null} */
    this.good = null;
    /** @type {import("./types.js").Checked | null} */
    this.last = null;
    this.goodText = "";
    this.timer = 0;
    /** @type {AbortController | null} */
    this.asked = null;
    this.diagnostics = h("ul", { class: "diagnostics", "aria-label": "What is wrong with the text" });
    this.state = h("p", { class: "hint", role: "status" });
    this.preview = h("div", { class: "preview" }, h("div", { class: "board blank" }));
    this.language = h("span", { class: "tag" });
    this.playButton = h(
      "button",
      { type: "button", class: "main-button", disabled: true, onclick: () => this.play() },
      "Play this",
    );
    this.bothButton = h("button", { type: "button", disabled: true, onclick: () => this.playBoth() }, "Play both sides");
    this.guideButton = h("button", { type: "button", disabled: true, onclick: () => this.guide() }, "How to play");
    this.guideBox = h("div", { class: "panel" });
    this.holder = h("div", { class: "editor" });
    this.isLeft = false;
    this.use(plainEditor(text, (text) => this.changed(text)));
    this.check();
    this.loadEditor();
  }

  /** Replaces the plain editor by the real one, once it is here. */
  async loadEditor() {
    let module;
    try {
      module = await import("./code.js");
    } catch {
      // The plain editor stays.
      return;
    }
    if (this.isLeft) return;
    const hadFocus = this.holder.contains(document.activeElement);
    this.use(module.codeEditor(this.text, (text) => this.changed(text)));
    if (this.last) this.editor?.show(this.last.diagnostics, this.last.language);
    if (hadFocus) this.editor?.select(0, 0);
  }

  /** @param {import("./plain.js").Editor} editor */
  use(editor) {
    this.editor?.leave();
    this.editor = editor;
    fill(this.holder, editor.element);
  }

  place() {
    const template = h(
      "select",
      { "aria-label": "Begin with a template", onchange: () => this.begin(template) },
      h("option", { value: "" }, "Begin with…"),
      ...TEMPLATES.map(({ title }, number) => h("option", { value: number }, title)),
    );
    const file = h("input", {
      type: "file",
      hidden: true,
      onchange: async () => {
        const chosen = file.files?.[0];
        if (chosen) this.editor?.setText(await chosen.text());
      },
    });
    const element = h(
      "div",
      { class: "write" },
      h(
        "div",
        { class: "left" },
        h("h1", { class: "unseen" }, "Write a game"),
        h(
          "div",
          { class: "row" },
          template,
          h("button", { type: "button", onclick: () => file.click() }, "Open"),
          h("button", { type: "button", onclick: () => this.save() }, "Save"),
          h("button", { type: "button", onclick: () => this.format() }, "Format"),
          h("button", { type: "button", onclick: () => this.share() }, "Copy link"),
          this.language,
          file,
        ),
        this.holder,
        this.diagnostics,
      ),
      h(
        "div",
        { class: "right" },
        h("div", { class: "row" }, this.playButton, this.bothButton, this.guideButton),
        this.state,
        this.preview,
        this.guideBox,
      ),
    );
    return { element, leave: () => this.leave() };
  }

  leave() {
    this.isLeft = true;
    clearTimeout(this.timer);
    this.asked?.abort();
    this.editor?.leave();
  }

  get text() {
    return this.editor?.text() ?? "";
  }

  /** @param {string} text */
  changed(text) {
    settings.setDraft(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    const { text } = this;
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    if (!text.trim()) {
      fill(this.diagnostics, h("li", { class: "muted small" }, "Nothing is written yet. A template is a good beginning."));
      this.setGood(false);
      return;
    }
    try {
      const checked = await api.check(text, undefined, asked.signal);
      if (!asked.signal.aborted) this.show(checked, text);
    } catch (error) {
      if (asked.signal.aborted) return;
      fill(this.diagnostics, h("li", { class: "error" }, h("b", {}, error instanceof Error ? error.message : String(error))));
      this.setGood(false);
    }
  }

  /** @param {import("./types.js").Checked} checked @param {string} text */
  show(checked, text) {
    const { diagnostics } = checked;
    this.last = checked;
    this.language.textContent = checked.language ?? "";
    this.currentLanguage = checked.language?.toLowerCase();
    this.editor?.show(diagnostics, checked.language);
    if (diagnostics.length > 0) fill(this.diagnostics, ...diagnostics.map((diagnostic) => this.item(diagnostic)));
    else if (checked.message) fill(this.diagnostics, h("li", { class: "error" }, h("b", {}, capital(checked.message))));
    else fill(this.diagnostics, h("li", { class: "fine" }, "Nothing is wrong with this text."));
    if (checked.ok && checked.board && checked.position) {
      const board = new Board(checked.board);
      board.setPieces(checked.position.pieces, { still: true });
      fill(this.preview, board.element);
      this.good = checked;
      this.goodText = text;
    }
    this.setGood(checked.ok);
  }

  /** Errors never blank the board: the last good one stays, greyed. @param {boolean} isGood */
  setGood(isGood) {
    this.preview.classList.toggle("greyed", !isGood && this.good !== null);
    this.state.textContent = isGood
      ? ""
      : this.good
        ? "The board is that of the last text without errors."
        : "The board appears when the text has no errors.";
    for (const button of [this.playButton, this.bothButton, this.guideButton]) button.disabled = !isGood;
  }

  /** @param {import("./types.js").Diagnostic} diagnostic */
  item(diagnostic) {
    const { severity, message, line, column, help, label, fix, start, end } = diagnostic;
    const goThere = () => this.editor?.select(start, Math.max(start, end));
    const mend = () => {
      if (!fix || !this.editor) return;
      this.editor.replace(fix.start, fix.end, fix.text);
      this.check();
    };
    const place = h("span", { class: "muted numbers" }, `${line}:${column} `);
    return h(
      "li",
      { class: severity },
      h(
        "button",
        { type: "button", class: "go", onclick: goThere },
        h(
          "span",
          {},
          place,
          h("b", {}, severity === "error" ? "Error: " : "Warning: "),
          message,
          label ? h("small", {}, label) : null,
          help ? h("small", {}, help) : null,
        ),
      ),
      fix &&
        h(
          "button",
          { type: "button", class: "fix", onclick: mend, title: fix.text ? `Write “${fix.text}”` : "Leave it out" },
          "Fix",
        ),
    );
  }

  /** @param {HTMLSelectElement} select */
  begin(select) {
    const template = TEMPLATES[Number(select.value)];
    if (select.value !== "" && template) this.editor?.setText(template.text);
    select.value = "";
  }

  reference() {
    return { text: this.goodText, language: this.good?.language };
  }

  play() {
    quickPlay(this.reference(), this.good?.board?.players.length ?? 2);
  }

  playBoth() {
    start(
      this.reference(),
      (this.good?.board?.players ?? []).map(() => "person"),
    );
  }

  guide() {
    fill(this.guideBox, guidePanel(this.reference()));
  }

  async format() {
    const before = this.text;
    try {
      const { text } = await api.format(before, this.currentLanguage || undefined);
      if (this.text !== before || !this.editor) return;
      if (text === before) note("The text is formatted already.", true);
      else this.editor.replace(0, before.length, text);
    } catch (error) {
      note(error instanceof Error ? error.message : String(error));
    }
  }

  save() {
    saveFile(`game.${ENDS[this.currentLanguage ?? ""] ?? "txt"}`, this.text);
  }

  async share() {
    const link = await linkTo(this.text);
    if (link.length > 30000) note("This text is long; some programs cut such a link.");
    copy(link, "The link is copied. It holds the whole text.");
  }
}
