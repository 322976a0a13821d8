import { useState } from 'preact/hooks';
import type { Page, Proxy } from './api';
import { go, to } from './route';
import { may, useSession } from './session';
import { Failure, Heading, Loading, Pager, TextField, Time, useLoad } from './ui';

export function Proxies({ query }: { query: URLSearchParams }) {
  const session = useSession();
  const name = query.get('name') ?? '';
  const page = Number(query.get('page') ?? '1') || 1;
  const [typed, setTyped] = useState(name);
  const { value, problem } = useLoad(
    () => session.vault.get<Page<Proxy>>('/proxies', { name: pattern(name), page, size: 20 }),
    [name, page],
  );
  const search = (event: Event) => {
    event.preventDefault();
    go(to(['proxies'], { name: typed.trim() }));
  };
  const create = may(session, 'proxy:create') && <a class="button primary" href={to(['proxies', 'new'])}>New proxy</a>;
  return (
    <>
      <Heading title="Proxies" actions={create}>Proxies</Heading>
      <p class="lead">Preconfigured destinations for requests with tokens. Each has a key and optional transforms.</p>
      <form class="filters" onSubmit={search} role="search">
        <TextField label="Name contains" value={typed} onText={setTyped} />
        <button type="submit">Search</button>
      </form>
      <Failure problem={problem} />
      {!value && !problem && <Loading />}
      {value && <Table list={value.data} />}
      {value && <Pager page={value.pagination} onPage={(number) => go(to(['proxies'], { name, page: String(number) }))} />}
    </>
  );
}

/** A star that was typed stands for any characters, as in the interface. */
function pattern(name: string): string | undefined {
  return name ? `*${name}*` : undefined;
}

function Table({ list }: { list: Proxy[] }) {
  if (list.length === 0) return <p class="card quiet">No proxies.</p>;
  return (
    <div class="card flush">
      <table>
        <caption class="hidden">Proxies, newest first</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">Destination</th><th scope="col">Transforms</th><th scope="col">Callers</th><th scope="col">Created</th></tr>
        </thead>
        <tbody>
          {list.map((each) => (
            <tr key={each.id}>
              <th scope="row" data-label="Name"><a href={to(['proxies', each.id])}>{each.name}</a></th>
              <td data-label="Destination" class="long">{each.destination_url}</td>
              <td data-label="Transforms">{transforms(each)}</td>
              <td data-label="Callers">{each.require_auth ? 'with a key' : <span class="tag warn">anyone</span>}</td>
              <td data-label="Created"><Time value={each.created_at} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function transforms(proxy: Proxy): string {
  const found = [proxy.request_transform && 'request', proxy.response_transform && 'response'].filter(Boolean);
  return found.join(', ') || 'none';
}
