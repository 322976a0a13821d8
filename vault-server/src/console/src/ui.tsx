import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Problem, asProblem } from './api';

export function Heading({ children, actions, title }: { children: ComponentChildren; actions?: ComponentChildren; title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // At once with what is shown: the next key that is pressed is meant for it.
  useLayoutEffect(() => {
    document.title = `${title} · Token Vault`;
    heading.current?.focus();
  }, [title]);
  return (
    <div class="heading">
      <h1 ref={heading} tabIndex={-1}>{children}</h1>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

type Loaded<T> = { value?: T; problem?: Problem; reload: () => void; set: (value: T) => void };

/** Loads when the key changes; ignores a response that arrives after a later request. */
export function useLoad<T>(load: () => Promise<T>, keys: unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; problem?: Problem }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    setState((before) => ({ value: before.value }));
    load().then(
      (value) => current && setState({ value }),
      (thrown) => current && setState({ problem: asProblem(thrown) }),
    );
    return () => {
      current = false;
    };
  }, [...keys, round]);
  return { ...state, reload: () => setRound((before) => before + 1), set: (value) => setState({ value }) };
}

export function Loading() {
  return <p class="quiet" role="status">Loading…</p>;
}

/** In place of a resource that cannot be loaded. */
export function Unavailable({ title, problem }: { title: string; problem: Problem }) {
  return (
    <>
      <Heading title={title}>{title}</Heading>
      <Failure problem={problem} />
    </>
  );
}

/**
 * What went wrong, with the trace id under which the vault's operators find it. In a form, the focus
 * goes to the first field that is wrong.
 */
export function Failure({ problem, known = [] }: { problem?: Problem; known?: string[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!problem) return;
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  const others = Object.entries(problem?.errors ?? {}).filter(([path]) => !known.includes(path));
  return (
    <div role="alert" ref={box} class={problem ? 'notice bad' : 'empty'}>
      {problem && (
        <>
          <strong>{problem.title}</strong>
          {problem.detail && <p>{problem.detail}</p>}
          {others.length > 0 && (
            <ul>
              {others.map(([path, messages]) => (
                <li key={path}>{path === 'error' ? '' : <code>{path}</code>} {messages.join('; ')}</li>
              ))}
            </ul>
          )}
          {problem.trace && <p class="quiet small">Trace id <code>{problem.trace}</code></p>}
        </>
      )}
    </div>
  );
}

export function Notice({ children, tone = 'good' }: { children: ComponentChildren; tone?: 'good' | 'warn' }) {
  return <div class={`notice ${tone}`} role="status">{children}</div>;
}

/** Where the focus goes when a form was saved and shows what the vault has now. */
export function Saved() {
  const box = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    box.current?.focus();
  }, []);
  return <p class="notice good" role="status" tabIndex={-1} ref={box}>Saved. Effective from the next request.</p>;
}

type FieldProps = { label: string; hint?: ComponentChildren; errors?: string[]; children: (id: string, described: string | undefined, bad: boolean) => ComponentChildren };

/** A label, its control, a hint, and what the vault found wrong with it. */
export function Field({ label, hint, errors, children }: FieldProps) {
  const id = useId();
  const bad = !!errors?.length;
  const described = [hint && `${id}-hint`, bad && `${id}-bad`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, described, bad)}
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {bad && <p class="wrong" id={`${id}-bad`}>{errors!.join('; ')}</p>}
    </div>
  );
}

interface TextProps {
  label: string;
  hint?: ComponentChildren;
  errors?: string[];
  value: string;
  onText: (value: string) => void;
  type?: 'text' | 'password' | 'date';
  class?: string;
  required?: boolean;
  maxLength?: number;
  pattern?: string;
  inputMode?: 'numeric';
}

export function TextField({ label, hint, errors, value, onText, type = 'text', ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(id, described, bad) => (
        <input
          id={id}
          type={type as 'text'}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={described}
          aria-invalid={bad || undefined}
          class={rest.class}
          required={rest.required}
          maxLength={rest.maxLength}
          pattern={rest.pattern}
          inputMode={rest.inputMode}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type AreaProps = { label: string; hint?: ComponentChildren; errors?: string[]; value: string; rows?: number; onText: (value: string) => void };

export function TextArea({ label, hint, errors, value, rows = 4, onText }: AreaProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(id, described, bad) => (
        <textarea
          id={id}
          class="code"
          rows={rows}
          spellcheck={false}
          aria-describedby={described}
          aria-invalid={bad || undefined}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type SelectProps = { label: string; hint?: ComponentChildren; errors?: string[]; value: string; options: [value: string, text: string][]; onPick: (value: string) => void };

export function Select({ label, hint, errors, value, options, onPick }: SelectProps) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(id, described, bad) => (
        <select id={id} aria-describedby={described} aria-invalid={bad || undefined} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
          {options.map(([each, text]) => <option key={each} value={each} selected={each === value}>{text}</option>)}
        </select>
      )}
    </Field>
  );
}

type CheckProps = { label: ComponentChildren; hint?: string; checked: boolean; onCheck: (checked: boolean) => void };

export function Check({ label, hint, checked, onCheck }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.currentTarget.checked)} />
      <span>{label}{hint && <span class="hint"> {hint}</span>}</span>
    </label>
  );
}

/** In the reader's own time zone, with the exact value as its title; or that itself. */
export function Time({ value, exact }: { value?: string; exact?: boolean }) {
  if (!value) return <span class="quiet">never</span>;
  if (exact) return <time dateTime={value}>{value}</time>;
  return <time dateTime={value} title={value}>{new Date(value).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}</time>;
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState('');
  const copy = () => navigator.clipboard.writeText(text).then(() => setDone('Copied'), () => setDone('Select and copy it manually'));
  return (
    <>
      <button type="button" onClick={copy}>{label}</button>
      <span class="quiet small" role="status">{done}</span>
    </>
  );
}

type PagerProps = { page: { page_number: number; total_pages: number; total_items: number }; onPage: (page: number) => void };

export function Pager({ page, onPage }: PagerProps) {
  if (page.total_pages < 2) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <PageButton onPage={page.page_number > 1 ? () => onPage(page.page_number - 1) : undefined}>Previous</PageButton>
      <span role="status">Page {page.page_number} of {page.total_pages}, {page.total_items} in total</span>
      <PageButton onPage={page.page_number < page.total_pages ? () => onPage(page.page_number + 1) : undefined}>Next</PageButton>
    </nav>
  );
}

/** It stays in place and keeps the focus at the end of a list. */
export function PageButton({ onPage, children }: { onPage?: () => void; children: ComponentChildren }) {
  return <button type="button" aria-disabled={!onPage} onClick={onPage}>{children}</button>;
}

/** Text as it is, which can be scrolled by keyboard. */
export function Code({ label, text }: { label: string; text: string }) {
  return <pre tabIndex={0} role="region" aria-label={label}>{text}</pre>;
}

/** The focus goes to a row that was added, and is not lost with one that was removed. */
export function useRowFocus(rows: number) {
  const box = useRef<HTMLFieldSetElement>(null);
  const before = useRef(rows);
  useLayoutEffect(() => {
    const last = box.current?.querySelector('.condition:nth-last-of-type(1)');
    if (rows > before.current) last?.querySelector<HTMLElement>('input, select')?.focus();
    if (rows < before.current && !box.current?.contains(document.activeElement)) {
      (last?.querySelector<HTMLElement>('button:not(:disabled)') ?? box.current?.querySelector<HTMLElement>(':scope > button'))?.focus();
    }
    before.current = rows;
  }, [rows]);
  return box;
}
