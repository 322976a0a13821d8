import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Problem, type Vault, asProblem } from './api';
import { type Session, open } from './session';
import { Failure, Heading, Notice, TextField } from './ui';
import { Mark } from './mark';

type Props = { message: string; onOpen: (session: Session) => void; onEnd: (why: string, of: Vault) => void };

export function SignIn({ message, onOpen, onEnd }: Props) {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy || !key.trim()) return;
    setBusy(true);
    setProblem(undefined);
    open(key.trim(), onEnd).then(onOpen, (thrown) => {
      const found = asProblem(thrown);
      setProblem(found.status === 401 ? new Problem(401, 'Unknown API key', 'Check that it is complete and was not replaced.', {}, found.trace) : found);
      setBusy(false);
    });
  };
  return (
    <main class="sign-in">
      <div class="card">
        <Mark />
        <Heading title="Sign in">Token Vault</Heading>
        {message && !problem && <Notice tone="warn">{message}</Notice>}
        <form ref={form} onSubmit={submit} autocomplete="off">
          <TextField
            label="API key"
            hint="Stored in this page's memory only. Reloading or closing the page discards it."
            type="password"
            value={key}
            onText={setKey}
            required
          />
          <Failure problem={problem} />
          <button type="submit" class="primary wide" aria-disabled={busy}>{busy ? 'Signing in…' : 'Sign in'}</button>
        </form>
      </div>
    </main>
  );
}
