import type { Page, Token } from './api';
import { go, to, useFilters } from './route';
import { may, useSession } from './session';
import { TOKEN_TYPES } from './token-types';
import { Failure, Heading, Loading, Pager, Select, TextField, Time, useLoad } from './ui';

const FILTERS = ['type', 'container', 'id'] as const;

export function Tokens({ query }: { query: URLSearchParams }) {
  const session = useSession();
  const reads = may(session, 'token:read');
  const page = Number(query.get('page') ?? '1') || 1;
  const { given, draft, edit } = useFilters(FILTERS, query);
  const { value, problem } = useLoad(async () => {
    if (!reads) return undefined;
    const filters = Object.fromEntries(FILTERS.map((each) => [each, given[each] || undefined]));
    return session.vault.get<Page<Token>>('/tokens', { ...filters, page, size: 20 });
  }, [JSON.stringify(given), page]);
  const search = (event: Event) => {
    event.preventDefault();
    go(to(['tokens'], { ...draft, container: draft.container!.trim(), id: draft.id!.trim() }));
  };
  const errors = problem?.errors ?? {};
  const create = may(session, 'token:create') && <a class="button primary" href={to(['tokens', 'new'])}>New test token</a>;
  return (
    <>
      <Heading title="Tokens" actions={create}>Tokens</Heading>
      <p class="lead">{reads ? 'The tokens that this key can see. Data is shown as masks only, also to keys that can read it.' : 'This key can create tokens, but not read them.'}</p>
      {reads && (
        <form class="filters" onSubmit={search} role="search">
          <Select label="Type" value={draft.type!} options={[['', 'all types'], ...TOKEN_TYPES.map((each): [string, string] => [each, each])]} onPick={edit('type')} errors={errors.type} />
          <TextField label="Container" class="code" value={draft.container!} onText={edit('container')} errors={errors.container} />
          <TextField label="Token id" class="code" value={draft.id!} onText={edit('id')} errors={errors.id} />
          <button type="submit" class="primary">Show</button>
          <a class="button" href={to(['tokens'])}>Clear</a>
          <Failure problem={problem} known={[...FILTERS]} />
        </form>
      )}
      {reads && !value && !problem && <Loading />}
      {value && <Table list={value.data} />}
      {value && <Pager page={value.pagination} onPage={(number) => go(to(['tokens'], { ...given, page: String(number) }))} />}
    </>
  );
}

function Table({ list }: { list: Token[] }) {
  if (list.length === 0) return <p class="card quiet">No tokens that this key can see.</p>;
  return (
    <div class="card flush">
      <table>
        <caption class="hidden">Tokens, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Token</th><th scope="col">Type</th><th scope="col">Data</th><th scope="col">Containers</th><th scope="col">Created</th><th scope="col">Expires</th>
          </tr>
        </thead>
        <tbody>
          {list.map((each) => (
            <tr key={each.id}>
              <th scope="row" data-label="Token"><a href={to(['tokens', each.id])}><code>{each.id}</code></a></th>
              <td data-label="Type"><span class="tag">{each.type}</span></td>
              <td data-label="Data">{each.data === undefined ? <span class="quiet">not shown</span> : <code>{inLine(each.data)}</code>}</td>
              <td data-label="Containers"><code>{each.containers.join(' ')}</code></td>
              <td data-label="Created"><Time value={each.created_at} /></td>
              <td data-label="Expires"><Time value={each.expires_at} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const LONGEST = 60;

function inLine(data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
