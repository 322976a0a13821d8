import { useState } from 'preact/hooks';
import { type Policy, decide } from './explain';
import { useSession } from './session';
import { Select, TextField } from './ui';
import { StoredDecision } from './stored-decision';
import { VerdictBox } from './verdict';

/** Asks what the rules on the page would decide; of saved ones the vault can be asked, too. */
export function Trial({ policy, id, changed }: { policy: Policy; id?: string; changed: boolean }) {
  const { permissions } = useSession();
  const choices = permissions.filter((each) => each.application_types.includes(policy.type)).map((each) => each.type);
  const [picked, setPicked] = useState('token:read');
  const [token, setToken] = useState({ id: '', container: '/general/high/' });
  const permission = choices.includes(picked) ? picked : choices[0] ?? '';
  const expiring = policy.type === 'expiring';
  return (
    <section class="card">
      <h2>Try the rules</h2>
      <p class="hint">Uses the rules on this page{changed ? ', including unsaved changes' : ''}.</p>
      <div class="trial">
        <Select label="Permission" value={permission} options={choices.map((each): [string, string] => [each, each])} onPick={setPicked} />
        {expiring && <TextField label="Token id" class="code" value={token.id} onText={(each) => setToken({ ...token, id: each })} />}
        <TextField label="Token's container" class="code" value={token.container} onText={(container) => setToken({ ...token, container })} />
      </div>
      <div aria-live="polite"><VerdictBox verdict={decide(policy, permission, token)} /></div>
      {expiring && <p class="hint">An expiring application never has more access than its creator.</p>}
      {id && <StoredDecision id={id} permission={permission} container={token.container} />}
    </section>
  );
}
