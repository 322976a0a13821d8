import { useState } from 'preact/hooks';
import { type Application, segment } from './api';
import { ApplicationForm } from './application-form';
import { go, setUnsaved, to } from './route';
import { may, useSession } from './session';
import { Confirm, Dialog } from './dialog';
import { CopyButton, Heading, Loading, Saved, Select, Time, Unavailable, useLoad } from './ui';

const BLANK: Application = { id: '', tenant_id: '', name: '', type: 'private', permissions: [], rules: [] };

const GRACE: [string, string][] = [
  ['0', 'do not work'],
  ['3600', 'for 1 hour'],
  ['86400', 'for 1 day'],
  ['604800', 'for 7 days'],
];

type Asking = 'regenerate' | 'delete' | undefined;

export function ApplicationPage({ id }: { id: string }) {
  const session = useSession();
  const fresh = id === 'new';
  const { value, problem, set } = useLoad(
    () => (fresh ? Promise.resolve(BLANK) : session.vault.get<Application>(`/applications/${segment(id)}`)),
    [id],
  );
  const [asking, setAsking] = useState<Asking>();
  const [issued, setIssued] = useState<Application>();
  const [saved, setSaved] = useState(false);
  const [grace, setGrace] = useState('0');
  if (!value) return problem ? <Unavailable title="Application" problem={problem} /> : <Loading />;

  const own = session.self?.id === id;
  const onSaved = (found: Application) => {
    setUnsaved(false);
    if (own) session.self = found;
    if (fresh) setIssued(found);
    else {
      set(found);
      setSaved(true);
    }
  };
  const regenerate = async () => {
    const query = grace === '0' ? '' : `?grace_seconds=${grace}`;
    const found = await session.vault.call<Application>('POST', `/applications/${segment(id)}/regenerate${query}`);
    if (own && found.key) session.vault.use(found.key);
    setAsking(undefined);
    setIssued(found);
  };
  const remove = async () => {
    await session.vault.call('DELETE', `/applications/${segment(id)}`);
    setUnsaved(false);
    go(to(['applications']));
  };
  const taken = () => {
    setIssued(undefined);
    if (fresh) go(to(['applications', issued!.id]));
    else set(withoutKey(issued!));
  };
  return (
    <>
      <p class="crumb"><a href={to(['applications'])}>Applications</a></p>
      <Heading title={fresh ? 'New application' : value.name} actions={!fresh && <Actions id={id} own={own} ask={setAsking} />}>
        {fresh ? 'New application' : value.name}
      </Heading>
      {!fresh && <Facts value={value} />}
      {saved && <Saved />}
      <ApplicationForm key={`${id} ${value.modified_at ?? ''}`} start={value} fresh={fresh} onSaved={onSaved} onEdit={() => setSaved(false)} />
      {asking === 'regenerate' && (
        <Confirm title="Replace the key?" action="Replace the key" run={regenerate} onClose={() => setAsking(undefined)}>
          {grace === '0'
            ? <p>This creates a key. All earlier keys of <strong>{value.name}</strong> stop working immediately, on all servers.</p>
            : <p>This creates a key. Earlier keys of <strong>{value.name}</strong> stop working after this time at the latest, on all servers.</p>}
          <Select label="Earlier keys work" value={grace} options={GRACE} onPick={setGrace} />
          {own && <p>This page uses that key. It continues with the new one, which you must store.</p>}
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm title="Delete the application?" action="Delete" word={value.name} run={remove} onClose={() => setAsking(undefined)}>
          <p><strong>{value.name}</strong> and its key stop working immediately. This cannot be undone. Its tokens and the log remain.</p>
          {own && <p>This page uses its key, so you will be signed out.</p>}
        </Confirm>
      )}
      {issued?.key && <IssuedKey name={issued.name} text={issued.key} onClose={taken} />}
    </>
  );
}

function withoutKey({ key: _, ...others }: Application): Application {
  return others;
}

function Actions({ id, own, ask }: { id: string; own: boolean; ask: (what: Asking) => void }) {
  const session = useSession();
  return (
    <>
      {may(session, 'log:read') && <a class="button" href={to(['logs'], { entity_type: 'application', entity_id: id })}>History</a>}
      {may(session, 'application:update') && <button type="button" onClick={() => ask('regenerate')}>Replace key…</button>}
      {may(session, 'application:delete') && <button type="button" class="danger quiet-danger" onClick={() => ask('delete')}>Delete{own ? ' own application' : ''}…</button>}
    </>
  );
}

function Facts({ value }: { value: Application }) {
  return (
    <dl class="facts">
      <div><dt>Id</dt><dd><code>{value.id}</code></dd></div>
      <div><dt>Type</dt><dd><span class="tag">{value.type}</span></dd></div>
      <div><dt>Created</dt><dd><Time value={value.created_at} /></dd></div>
      <div><dt>Changed</dt><dd><Time value={value.modified_at} /></dd></div>
      <div><dt>Key last used</dt><dd><Time value={value.last_used_at} /></dd></div>
      {value.expires_at && <div><dt>Expires</dt><dd><Time value={value.expires_at} /></dd></div>}
    </dl>
  );
}

/** The only time that the key is there to see. */
function IssuedKey({ name, text, onClose }: { name: string; text: string; onClose: () => void }) {
  return (
    <Dialog title={`Key of ${name}`} onClose={onClose} lasting>
      <p>The key is shown only once: the vault stores only a keyed hash. Store it with your other secrets.</p>
      <p class="secret" tabIndex={0}>{text}</p>
      <div class="actions end">
        <CopyButton text={text} label="Copy" />
        <button type="button" class="primary" onClick={onClose}>I have stored it</button>
      </div>
    </Dialog>
  );
}
