// The types of codemirror.js, as far as the page uses it; for the type checker only.

export type CompletionContext = any;
export const EditorView: any;
export const drawSelection: any;
export const highlightActiveLine: any;
export const highlightActiveLineGutter: any;
export const keymap: any;
export const lineNumbers: any;
export const Compartment: any;
export const EditorState: any;
export const defaultKeymap: any;
export const history: any;
export const historyKeymap: any;
export const indentWithTab: any;
export const HighlightStyle: any;
export const StreamLanguage: any;
export const bracketMatching: any;
export const foldGutter: any;
export const foldKeymap: any;
export const foldService: any;
export const syntaxHighlighting: any;
export const lintGutter: any;
export const lintKeymap: any;
export const setDiagnostics: any;
export const acceptCompletion: any;
export const autocompletion: any;
export const completionKeymap: any;
export const tags: any;
