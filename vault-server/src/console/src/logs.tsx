import { useRef } from 'preact/hooks';
import type { EntityType, LogEntry, Page, Slice } from './api';
import { go, to, useFilters } from './route';
import { may, useSession } from './session';
import { TOKEN_TYPES } from './token-types';
import { Check, Failure, Heading, Loading, PageButton, Select, TextField, Time, useLoad } from './ui';

const SIZE = 25;
const FILTERS = ['entity_type', 'entity_id', 'actor_id', 'operation', 'start_date', 'end_date'] as const;
const OPERATIONS = ['create', 'read', 'update', 'delete', 'use', 'invoke', 'regenerate', 'search'];
/** The entity id of a list or search. */
const ALL = '*';
/** The largest page of applications or proxies. */
const MOST_IDS = 100;

/** The newer page from which each cursor was reached, as far as this page has shown it. */
const newer = new Map<string, string>();

/** 1 for the newest page; absent if the address came from elsewhere. */
function numberOf(cursor: string): number | undefined {
  let number = 1;
  for (let each = cursor; each; number++) {
    const before = newer.get(each);
    if (before === undefined) return undefined;
    each = before;
  }
  return number;
}

/** The log of the filters in the address, where also the cursor is. */
export function Logs({ query }: { query: URLSearchParams }) {
  const { vault } = useSession();
  const cursor = query.get('start') ?? '';
  const exact = query.get('times') === 'exact';
  const { given, draft, edit } = useFilters(FILTERS, query);
  const types = useLoad(() => vault.get<EntityType[]>('/logs/entity-types'), []);
  const filters = Object.fromEntries(FILTERS.map((each) => [each, given[each] || undefined]));
  const { value, problem } = useLoad(() => vault.get<Slice<LogEntry>>('/logs', { ...filters, start: cursor, size: SIZE }), [JSON.stringify([given, cursor])]);
  const next = value?.pagination.next;
  const number = numberOf(cursor);
  const address = (start: string, times = exact) => to(['logs'], { ...given, start, times: times ? 'exact' : '' });
  const older = (start: string) => {
    newer.set(start, cursor);
    go(address(start));
  };
  return (
    <>
      <Heading title="Logs">Logs</Heading>
      <p class="lead">All operations, including denied ones. Entries never contain token data.</p>
      <Filters draft={draft} edit={edit} types={types.value ?? []} onShow={() => go(to(['logs'], { ...draft, times: exact ? 'exact' : '' }))} />
      <Check label="Exact times, in UTC" checked={exact} onCheck={(on) => go(address(cursor, on))} />
      <Failure problem={problem ?? types.problem} />
      {!value && !problem && <Loading />}
      {value && <LogTable list={value.data} types={types.value ?? []} more={Boolean(next)} exact={exact} />}
      {value && (
        <nav class="pager" aria-label="Pages of the log">
          <PageButton onPage={cursor ? () => go(address(newer.get(cursor) ?? '')) : undefined}>{number ? 'Newer' : 'Newest'}</PageButton>
          <span role="status">{number ? `Page ${number}` : 'A later page'}{next ? '' : ', the last'}</span>
          <PageButton onPage={next ? () => older(next) : undefined}>Older</PageButton>
        </nav>
      )}
    </>
  );
}

/** Resources of which the console knows names, with their paths. */
const PATHS = { application: 'applications', proxy: 'proxies' };
type Kind = keyof typeof PATHS;

/**
 * Names of the applications or proxies that entries are about, by id: those of a page by one request,
 * and none twice. Deleted ones have none, nor has any if the key may not read them.
 */
function useNames(kind: Kind, idsOf: (entry: LogEntry) => string[], list: LogEntry[]): Map<string, string> {
  const session = useSession();
  const known = useRef(new Map<string, string>());
  const asked = useRef(new Set<string>());
  const ids = may(session, `${kind}:read`) ? [...new Set(list.flatMap(idsOf))] : [];
  const { value } = useLoad(async () => {
    const unknown = ids.filter((each) => !asked.current.has(each)).slice(0, MOST_IDS);
    if (unknown.length > 0) {
      const found = await session.vault.get<Page<{ id: string; name: string }>>(`/${PATHS[kind]}`, { id: unknown, size: MOST_IDS });
      unknown.forEach((each) => asked.current.add(each));
      found.data.forEach((each) => known.current.set(each.id, each.name));
    }
    return new Map(known.current);
  }, [ids.join()]);
  return value ?? known.current;
}

function applicationsOf(entry: LogEntry): string[] {
  const actor = entry.actor_type === 'application' && entry.actor_id ? [entry.actor_id] : [];
  return entry.entity_type === 'application' && UUID.test(entry.entity_id) ? [...actor, entry.entity_id] : actor;
}

/** A proxy that was named by a URL is a host, and has no name. */
function proxiesOf(entry: LogEntry): string[] {
  return entry.entity_type === 'proxy' && UUID.test(entry.entity_id) ? [entry.entity_id] : [];
}

type FiltersProps = { draft: Record<string, string>; edit: (name: string) => (value: string) => void; types: EntityType[]; onShow: () => void };

function Filters({ draft, edit, types, onShow }: FiltersProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    onShow();
  };
  const options: [string, string][] = [['', 'all'], ...types.map((each): [string, string] => [each.value, each.display_name])];
  const chosen = draft.entity_type ?? '';
  if (chosen && !types.some((each) => each.value === chosen)) options.push([chosen, chosen]);
  return (
    <form class="filters" onSubmit={submit} role="search">
      <Select label="Entity type" value={chosen} options={options} onPick={edit('entity_type')} />
      <TextField label="Entity id" class="code" value={draft.entity_id ?? ''} onText={edit('entity_id')} />
      <TextField label="Application id" class="code" value={draft.actor_id ?? ''} onText={edit('actor_id')} />
      <Select label="Operation" value={draft.operation ?? ''} options={[['', 'all'], ...OPERATIONS.map((each): [string, string] => [each, each])]} onPick={edit('operation')} />
      <TextField label="From (UTC)" type="date" value={draft.start_date ?? ''} onText={edit('start_date')} />
      <TextField label="Before (UTC)" type="date" value={draft.end_date ?? ''} onText={edit('end_date')} />
      <button type="submit" class="primary">Show</button>
      <a class="button" href={to(['logs'])}>Clear</a>
    </form>
  );
}

type Names = { applications: Map<string, string>; proxies: Map<string, string> };
type TableProps = { list: LogEntry[]; types: EntityType[]; more: boolean; exact: boolean };

export function LogTable({ list, types, more, exact }: TableProps) {
  const kinds = new Map(types.map((each) => [each.value, each.display_name]));
  const names = { applications: useNames('application', applicationsOf, list), proxies: useNames('proxy', proxiesOf, list) };
  if (list.length === 0) {
    return <p class="card quiet">{more ? 'No matching entries in this part of the log. Older parts may have some.' : 'No matching entries.'}</p>;
  }
  return (
    <div class="card flush">
      <table class="log">
        <caption class="hidden">Log entries, newest first</caption>
        <thead>
          <tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Entity</th><th scope="col">By</th></tr>
        </thead>
        <tbody>
          {list.map((each, at) => (
            <tr key={at}>
              <td data-label="When" class="nowrap"><Time value={each.created_at} exact={exact} /></td>
              <td data-label="Event"><span>{each.message} <span class="tag">{each.operation}</span></span></td>
              <td data-label="Entity"><Entity entry={each} kind={kinds.get(each.entity_type) ?? each.entity_type} names={names} /></td>
              <td data-label="By"><Actor entry={each} names={names.applications} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** To the entity, where the console shows such, and to its history. */
function Entity({ entry, kind, names }: { entry: LogEntry; kind: string; names: Names }) {
  const history = to(['logs'], { entity_type: entry.entity_type, entity_id: entry.entity_id });
  return (
    <span class="entity">
      {kind} <EntityLink entry={entry} names={names} />
      {' '}<a class="small" href={history} aria-label={`History of ${kind} ${entry.entity_id}`}>history</a>
    </span>
  );
}

function EntityLink({ entry, names }: { entry: LogEntry; names: Names }) {
  const id = entry.entity_id;
  if (entry.entity_type === 'application') return <Named kind="application" id={id} names={names.applications} />;
  if (entry.entity_type === 'proxy') return <Named kind="proxy" id={id} names={names.proxies} />;
  if (id !== ALL && TOKEN_TYPES.includes(entry.entity_type)) return <a href={to(['tokens', id])}><code>{id}</code></a>;
  return <code>{id}</code>;
}

function Actor({ entry, names }: { entry: LogEntry; names: Map<string, string> }) {
  const kind = entry.actor_type ?? 'unknown';
  if (!entry.actor_id) return <span>{kind}</span>;
  return (
    <span class="entity">
      {kind} {kind === 'application' ? <Named kind="application" id={entry.actor_id} names={names} /> : <code>{entry.actor_id}</code>}
    </span>
  );
}

/** A link by name, if it is known, and the id. A deleted resource has no page, and is its id only. */
function Named({ kind, id, names }: { kind: Kind; id: string; names: Map<string, string> }) {
  const name = names.get(id);
  return name === undefined ? <code>{id}</code> : <><a href={to([PATHS[kind], id])}>{name}</a> <code class="quiet">{id}</code></>;
}
