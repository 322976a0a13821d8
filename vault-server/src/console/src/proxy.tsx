import { useState } from 'preact/hooks';
import { type Application, type Page, type Proxy, segment } from './api';
import { DryRun } from './dry-run';
import { ProxyForm } from './proxy-form';
import { go, setUnsaved, to } from './route';
import { may, useSession } from './session';
import { Confirm } from './dialog';
import { CopyButton, Heading, Loading, Saved, Time, Unavailable, useLoad } from './ui';

const BLANK: Proxy = { id: '', name: '', key: '', destination_url: 'https://', require_auth: true };

export function ProxyPage({ id }: { id: string }) {
  const session = useSession();
  const fresh = id === 'new';
  const { value, problem, set } = useLoad(
    () => (fresh ? Promise.resolve(BLANK) : session.vault.get<Proxy>(`/proxies/${segment(id)}`)),
    [id],
  );
  const actors = useActors();
  const [deleting, setDeleting] = useState(false);
  const [saved, setSaved] = useState(false);
  const [changed, setChanged] = useState(false);
  if (!value) return problem ? <Unavailable title="Proxy" problem={problem} /> : <Loading />;

  const onSaved = (found: Proxy) => {
    setUnsaved(false);
    setChanged(false);
    if (fresh) go(to(['proxies', found.id]));
    else {
      set(found);
      setSaved(true);
    }
  };
  const onEdit = () => {
    setChanged(true);
    setSaved(false);
  };
  const remove = async () => {
    await session.vault.call('DELETE', `/proxies/${segment(id)}`);
    setUnsaved(false);
    go(to(['proxies']));
  };
  const actions = (
    <>
      {may(session, 'log:read') && <a class="button" href={to(['logs'], { entity_type: 'proxy', entity_id: id })}>History</a>}
      {may(session, 'proxy:delete') && <button type="button" class="danger quiet-danger" onClick={() => setDeleting(true)}>Delete…</button>}
    </>
  );
  return (
    <>
      <p class="crumb"><a href={to(['proxies'])}>Proxies</a></p>
      <Heading title={fresh ? 'New proxy' : value.name} actions={!fresh && actions}>{fresh ? 'New proxy' : value.name}</Heading>
      {!fresh && <Facts value={value} />}
      {saved && <Saved />}
      <ProxyForm key={`${id} ${value.modified_at ?? ''}`} start={value} fresh={fresh} actors={actors} changed={changed} onSaved={onSaved} onEdit={onEdit} />
      {!fresh && may(session, 'proxy:update') && <DryRun id={id} actors={actors} changed={changed} />}
      {deleting && (
        <Confirm title="Delete the proxy?" action="Delete" word={value.name} run={remove} onClose={() => setDeleting(false)}>
          <p>Requests with the key of <strong>{value.name}</strong> are rejected immediately. This cannot be undone. The log remains.</p>
        </Confirm>
      )}
    </>
  );
}

/** Applications that a proxy can act as, or that can call it; none where the key may not see them. */
function useActors(): Application[] {
  const session = useSession();
  const { value } = useLoad(async () => {
    if (!may(session, 'application:read')) return [];
    const found: Application[] = [];
    for (let page = 1; ; page++) {
      const answer = await session.vault.get<Page<Application>>('/applications', { page, size: 100 });
      found.push(...answer.data.filter((each) => each.type === 'private' || each.type === 'public'));
      if (page >= Math.min(answer.pagination.total_pages, 10)) return found;
    }
  }, []);
  return value ?? [];
}

function Facts({ value }: { value: Proxy }) {
  const [shown, setShown] = useState(false);
  return (
    <dl class="facts">
      <div><dt>Id</dt><dd><code>{value.id}</code></dd></div>
      <div>
        <dt>Proxy key</dt>
        <dd class="with-tools">
          <code>{shown ? value.key : '••••••••••••••••'}</code>
          <button type="button" class="small" aria-pressed={shown} onClick={() => setShown(!shown)}>Show</button>
          <CopyButton text={value.key} label="Copy" />
        </dd>
      </div>
      <div><dt>Created</dt><dd><Time value={value.created_at} /></dd></div>
      <div><dt>Changed</dt><dd><Time value={value.modified_at} /></dd></div>
    </dl>
  );
}
