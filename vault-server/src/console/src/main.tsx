import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Shell } from './shell';
import { SignIn } from './sign-in';
import type { Vault } from './api';
import { setUnsaved } from './route';
import type { Session } from './session';

type State = { session?: Session; message: string };

/** The session is in this component's state: it ends with the page, or by the button. */
function Console() {
  const [{ session, message }, setState] = useState<State>({ message: '' });
  const open = (opened: Session) => {
    setUnsaved(false);
    setState({ session: opened, message: '' });
  };
  // A rejection may arrive late, after its session has ended and another one was opened.
  const end = (why: string, of?: Vault) => setState((now) => (of && of !== now.session?.vault ? now : { message: why }));
  if (!session) return <SignIn message={message} onOpen={open} onEnd={end} />;
  return <Shell session={session} onEnd={end} />;
}

render(<Console />, document.getElementById('app')!);
