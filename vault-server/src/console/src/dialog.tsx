import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Problem, asProblem } from './api';
import { Failure, TextField } from './ui';

type DialogProps = { title: string; children: ComponentChildren; onClose: () => void; lasting?: boolean };

/** Modal: the browser keeps the focus inside and gives it back. A lasting one is not ended by Escape. */
export function Dialog({ title, children, onClose, lasting }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  return (
    <dialog ref={box} aria-labelledby={id} onClose={onClose} onCancel={(event) => lasting && event.preventDefault()}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

type ConfirmProps = { title: string; children: ComponentChildren; word?: string; action: string; run: () => Promise<void>; onClose: () => void };

/** Asks before something that cannot be undone; with a word, that has to be typed. */
export function Confirm({ title, children, word, action, run, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy || (word && typed !== word)) return;
    setBusy(true);
    run().catch((thrown) => {
      setProblem(asProblem(thrown));
      setBusy(false);
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        {word && <TextField label={`Type ${word} to confirm`} value={typed} onText={setTyped} />}
        <Failure problem={problem} />
        <div class="actions end">
          <button type="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="danger" aria-disabled={busy} disabled={!!word && typed !== word}>{action}</button>
        </div>
      </form>
    </Dialog>
  );
}
