import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

const HIGHLIGHTS = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.moduleKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
]);

const LOOK = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--field)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', minHeight: '9em', maxHeight: '32em' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--subtle)', color: 'var(--quiet)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--line-here)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--selection)' },
  // Without the pictures that CodeMirror would draw by data: addresses
  '.cm-lint-marker-error': { content: 'normal', width: '0.8em', height: '0.8em', margin: '0.35em 0', borderRadius: '50%', backgroundColor: 'var(--bad-edge)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad-edge)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--text)', border: '1px solid var(--border)' },
});

type Props = { label: string; hint: string; value: string; errors: string[]; example: string; onText: (value: string) => void };

/**
 * A code editor. It stands in a shadow tree, since there CodeMirror adopts its style sheets instead
 * of writing style elements, which the page's policy forbids. Tab leaves it.
 */
export function Editor({ label, hint, value, errors, example, onText }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const told = useRef(onText);
  told.current = onText;
  const id = useId();

  useLayoutEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    view.current = new EditorView({ parent: root, root, state: stateOf(value, label, (text) => told.current(text)) });
    return () => view.current?.destroy();
  }, []);
  // Not later: then more may have been typed, and would be overwritten by what stood before.
  useLayoutEffect(() => {
    const editor = view.current!;
    const text = editor.state.doc.toString();
    if (text !== value) editor.dispatch({ changes: { from: 0, to: text.length, insert: value } });
  }, [value]);
  useLayoutEffect(() => {
    const editor = view.current!;
    editor.dispatch(setDiagnostics(editor.state, errors.map((each) => diagnostic(editor.state, each))));
  }, [errors.join('\n')]);

  // The button is gone with it, so the focus goes on to the code.
  const insert = () => {
    onText(example);
    view.current?.focus();
  };
  return (
    <div class="field">
      <p class="label" id={id} onClick={() => view.current?.focus()}>{label}</p>
      <div class={errors.length ? 'editor invalid' : 'editor'} ref={host} />
      <p class="hint">{hint}</p>
      {!value && <p class="insert"><button type="button" class="small" onClick={insert}>Start with an empty {label.toLowerCase()}</button></p>}
      {errors.length > 0 && <ul class="wrong" role="alert">{errors.map((each) => <li key={each}>{each}</li>)}</ul>}
    </div>
  );
}

function stateOf(text: string, label: string, onText: (text: string) => void): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      lintGutter(),
      javascriptLanguage,
      syntaxHighlighting(HIGHLIGHTS),
      LOOK,
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onText(update.state.doc.toString());
      }),
    ],
  });
}

/** `line 3, column 5: ...`, as the vault reports it; marks that line from there on. */
function diagnostic(state: EditorState, message: string): Diagnostic {
  const found = /^line (\d+)(?:, column (\d+))?/.exec(message);
  const line = state.doc.line(Math.min(Math.max(Number(found?.[1] ?? 1), 1), state.doc.lines));
  const from = Math.min(line.from + Math.max(Number(found?.[2] ?? 1) - 1, 0), line.to);
  return { from, to: line.to, severity: 'error', message };
}
