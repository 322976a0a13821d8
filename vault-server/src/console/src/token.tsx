import { type EntityType, type LogEntry, type Slice, type Token, segment } from './api';
import { LogTable } from './logs';
import { to } from './route';
import { may, useSession } from './session';
import { Code, CopyButton, Failure, Heading, Loading, Time, useLoad } from './ui';

/** A token for keys that can read it, and its history for keys that can read the log. */
export function TokenPage({ id }: { id: string }) {
  const session = useSession();
  const reads = may(session, 'token:read');
  const { value, problem } = useLoad(
    async () => (reads ? session.vault.get<Token>(`/tokens/${segment(id)}`) : undefined),
    [id],
  );
  return (
    <>
      <p class="crumb"><a href={to([reads ? 'tokens' : 'logs'])}>{reads ? 'Tokens' : 'Logs'}</a></p>
      <Heading title={`Token ${id}`}><code>{id}</code></Heading>
      <Failure problem={problem} />
      {reads && !value && !problem && <Loading />}
      {value && <TokenView value={value} />}
      {!reads && <p class="lead">This key can read the log, but no tokens: management applications cannot.</p>}
      {may(session, 'log:read') && <History id={id} />}
    </>
  );
}

/** A token as the vault returned it. */
export function TokenView({ value }: { value: Token }) {
  const metadata = Object.entries(value.metadata ?? {});
  return (
    <>
      <dl class="facts">
        <div><dt>Id</dt><dd class="with-tools"><code>{value.id}</code><CopyButton text={value.id} label="Copy" /></dd></div>
        <div><dt>Type</dt><dd><span class="tag">{value.type}</span></dd></div>
        <div><dt>Containers</dt><dd><code>{value.containers.join(' ')}</code></dd></div>
        <div><dt>Expires</dt><dd><Time value={value.expires_at} /></dd></div>
        <div><dt>Created</dt><dd><Time value={value.created_at} /> <By id={value.created_by} /></dd></div>
        <div><dt>Changed</dt><dd><Time value={value.modified_at} /> <By id={value.modified_by} /></dd></div>
        <div><dt>Fingerprint</dt><dd>{value.fingerprint ? <code>{value.fingerprint}</code> : <span class="quiet">none</span>}</dd></div>
      </dl>
      <section class="card token-part">
        <h2>Masked data</h2>
        {value.data === undefined
          ? <p class="quiet">Not shown: the token has no mask, or the access rules of this key show no data.</p>
          : <Code label="Masked data" text={typeof value.data === 'string' ? value.data : JSON.stringify(value.data, null, 2)} />}
      </section>
      <section class="card token-part">
        <h2>Metadata</h2>
        {metadata.length === 0 && <p class="quiet">None.</p>}
        <dl class="facts">
          {metadata.map(([name, text]) => <div key={name}><dt><code>{name}</code></dt><dd>{text}</dd></div>)}
        </dl>
      </section>
    </>
  );
}

function By({ id }: { id?: string }) {
  return id ? <span class="quiet small">by <code>{id}</code></span> : null;
}

const NEWEST = 10;

function History({ id }: { id: string }) {
  const { vault } = useSession();
  const types = useLoad(() => vault.get<EntityType[]>('/logs/entity-types'), []);
  const { value, problem } = useLoad(() => vault.get<Slice<LogEntry>>('/logs', { entity_id: id, start: '', size: NEWEST }), [id]);
  return (
    <section class="token-part">
      <h2>History</h2>
      <Failure problem={problem ?? types.problem} />
      {!value && !problem && <Loading />}
      {value && <LogTable list={value.data} types={types.value ?? []} more={Boolean(value.pagination.next)} exact={false} />}
      <p><a href={to(['logs'], { entity_id: id })}>All entries</a></p>
    </section>
  );
}
