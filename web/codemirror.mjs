// What the studio's editor takes from CodeMirror 6; esbuild makes one script of it, whose names are those of `CM`.
export { EditorView, basicSetup, minimalSetup } from "codemirror";
export { EditorState, Compartment, Prec, StateEffect, StateField, Transaction } from "@codemirror/state";
export { keymap, hoverTooltip, Decoration, drawSelection } from "@codemirror/view";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, defaultHighlightStyle, indentUnit } from "@codemirror/language";
export { linter, lintGutter, setDiagnostics, forceLinting, nextDiagnostic } from "@codemirror/lint";
export { autocompletion, completeFromList, startCompletion, snippetCompletion } from "@codemirror/autocomplete";
export { history, historyField, indentWithTab, undo, redo } from "@codemirror/commands";
export { tags } from "@lezer/highlight";
