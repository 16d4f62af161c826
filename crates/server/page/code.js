// The editor of texts: CodeMirror with our tokenizers, findings in the text, completion of names and folding. It lives in a
// shadow root, since only there it can add its style without an exception to the page's security policy.

import {
  Compartment,
  EditorState,
  EditorView,
  HighlightStyle,
  StreamLanguage,
  acceptCompletion,
  autocompletion,
  bracketMatching,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  foldGutter,
  foldKeymap,
  foldService,
  highlightActiveLine,
  highlightActiveLineGutter,
  history,
  historyKeymap,
  indentWithTab,
  keymap,
  lineNumbers,
  lintGutter,
  lintKeymap,
  setDiagnostics,
  syntaxHighlighting,
  tags,
} from "./vendor/codemirror.js";
import { h } from "./dom.js";
import { onTheme, theme } from "./settings.js";
import { LANGUAGES, guess } from "./tokens.js";

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--card)", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    lineHeight: "1.5",
  },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--muted)", border: "none", paddingLeft: "4px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunk) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--sunk)", color: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent)",
  },
  // Lines of our own instead of pictures, which the security policy might not allow.
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "1px" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.5px",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.5px",
    textUnderlineOffset: "4px",
  },
  ".cm-lint-marker-error": {
    content: '""',
    width: "8px",
    height: "8px",
    margin: "6px 2px 0",
    borderRadius: "50%",
    backgroundColor: "var(--bad)",
  },
  ".cm-lint-marker-warning": {
    content: '""',
    width: "8px",
    height: "8px",
    margin: "6px 2px 0",
    borderRadius: "50%",
    backgroundColor: "var(--warn)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--text)" },
  ".cm-diagnostic": { fontFamily: "system-ui, sans-serif", padding: "6px 10px", maxWidth: "480px" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-text)",
    borderRadius: "6px",
    padding: "2px 10px",
  },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunk)", border: "none", color: "var(--muted)" },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.meta, color: "var(--token-4)" },
  { tag: tags.keyword, color: "var(--token-1)" },
  { tag: tags.definition(tags.variableName), color: "var(--token-2)", fontWeight: "600" },
  { tag: tags.number, color: "var(--token-3)" },
  { tag: tags.string, color: "var(--token-4)" },
  { tag: tags.operator, color: "var(--token-1)" },
  { tag: tags.bracket, color: "var(--muted)" },
  { tag: tags.variableName, color: "var(--text)" },
]);

/** What our tokenizers' names mean to CodeMirror. */
const NAMES = {
  definition: tags.definition(tags.variableName),
  name: tags.variableName,
  operator: tags.operator,
  bracket: tags.bracket,
  meta: tags.meta,
};

/** @param {string} name */
function languageOf(name) {
  const language = LANGUAGES[name] ?? LANGUAGES.rbg;
  return StreamLanguage.define({
    name: language.name,
    startState: () => ({ inComment: false }),
    copyState: (/** @type {any} */ memory) => ({ ...memory }),
    token: /** @type {any} */ (language.token),
    tokenTable: NAMES,
  });
}

/** Folds what stands between brackets over several lines, such as a board. */
const folding = foldService.of((/** @type {any} */ state, /** @type {number} */ from, /** @type {number} */ to) => {
  const opened = depthOf(state.doc.sliceString(from, to));
  if (opened <= 0) return null;
  let depth = opened;
  const first = state.doc.lineAt(from).number;
  for (let number = first + 1; number <= Math.min(state.doc.lines, first + 500); number += 1) {
    const line = state.doc.line(number);
    depth += depthOf(line.text);
    if (depth <= 0) return number - first > 1 ? { from: to, to: line.to } : null;
  }
  return null;
});

/** How many brackets a line opens more than it closes. @param {string} line */
function depthOf(line) {
  const text = line.replace(/(\/\/|%).*/, "");
  return (text.match(/[[({]/g)?.length ?? 0) - (text.match(/[\])}]/g)?.length ?? 0);
}

/** Completes the words of the language and the names in the text. @param {() => string} language */
function names(language) {
  return (/** @type {import("./vendor/codemirror.js").CompletionContext} */ context) => {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!word || (word.to - word.from < 2 && !context.explicit)) return null;
    const text = context.state.doc.toString().replace(/(\/\/|%|#[ !]).*/g, "");
    const found = new Set(text.match(/[A-Za-z_]\w+/g) ?? []);
    const keywords = LANGUAGES[language()]?.words ?? [];
    for (const keyword of keywords) found.delete(keyword);
    found.delete(word.text);
    const options = [
      ...[...found].map((label) => ({ label, type: "variable" })),
      ...keywords.map((label) => ({ label, type: "keyword" })),
    ];
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

/** @param {string} text @param {(text: string) => void} changed @param {boolean} [isFixed] @returns {import("./plain.js").Editor} */
export function codeEditor(text, changed, isFixed = false) {
  let current = guess(text);
  const language = new Compartment();
  const dark = new Compartment();
  const element = h("div", { class: "code-holder" });
  const root = element.attachShadow({ mode: "open" });
  const extensions = [
    lineNumbers(),
    foldGutter(),
    folding,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    history(),
    bracketMatching(),
    lintGutter(),
    autocompletion({ override: [names(() => current)], icons: false }),
    language.of(languageOf(current)),
    syntaxHighlighting(colours),
    look,
    dark.of(EditorView.darkTheme.of(theme() === "dark")),
    // The tab key completes and indents; Esc and then tab leaves the editor.
    keymap.of([
      { key: "Tab", run: acceptCompletion },
      ...completionKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": "The text of the game",
      autocapitalize: "off",
      spellcheck: "false",
      tabindex: "0",
    }),
    EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && changed(update.state.doc.toString())),
    EditorState.readOnly.of(isFixed),
    EditorView.editable.of(!isFixed),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root });
  const leave = onTheme(() => view.dispatch({ effects: dark.reconfigure(EditorView.darkTheme.of(theme() === "dark")) }));
  const clamp = (/** @type {number} */ place) => Math.max(0, Math.min(place, view.state.doc.length));
  return {
    element,
    text: () => view.state.doc.toString(),
    setText: (next) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: 0 },
        scrollIntoView: true,
      }),
    select: (start, end) => {
      view.dispatch({
        selection: { anchor: clamp(start), head: clamp(end) },
        effects: EditorView.scrollIntoView(clamp(start), { y: "center" }),
      });
      view.focus();
    },
    replace: (start, end, next) => view.dispatch({ changes: { from: clamp(start), to: clamp(end), insert: next } }),
    show: (diagnostics, given) => {
      const name = given?.toLowerCase();
      if (name && name !== current && LANGUAGES[name]) {
        current = name;
        view.dispatch({ effects: language.reconfigure(languageOf(name)) });
      }
      const shown = diagnostics.map(({ start, end, severity, message, help, fix }) => ({
        from: clamp(start),
        to: clamp(Math.max(start, end)),
        severity,
        message: help ? `${message}\n${help}` : message,
        actions: fix
          ? [
              {
                name: fix.text ? `Write ${fix.text}` : "Leave it out",
                apply: () => view.dispatch({ changes: { from: clamp(fix.start), to: clamp(fix.end), insert: fix.text } }),
              },
            ]
          : [],
      }));
      view.dispatch(setDiagnostics(view.state, shown));
    },
    leave: () => {
      leave();
      view.destroy();
    },
  };
}
