import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Shell } from './shell';
import { SignIn } from './sign-in';
import { setUnsaved } from './route';
import type { Session } from './session';

/** The session is in this component's state: it ends with the page, or by the button. */
function Console() {
  const [session, setSession] = useState<Session>();
  const [message, setMessage] = useState('');
  const end = (why: string) => {
    setUnsaved(false);
    setMessage(why);
    setSession(undefined);
  };
  if (!session) return <SignIn message={message} onOpen={setSession} onEnd={end} />;
  return <Shell session={session} onEnd={end} />;
}

render(<Console />, document.getElementById('app')!);
