import type { Application, Page } from './api';
import { go, to } from './route';
import { may, useSession } from './session';
import { Failure, Heading, Loading, Pager, Select, Time, useLoad } from './ui';

export const TYPES: [string, string][] = [
  ['private', 'private: backend services'],
  ['public', 'public: create tokens in browsers and apps'],
  ['expiring', 'expiring: reveal a few tokens for a short time'],
  ['management', 'management: administer the vault'],
];

export function Applications({ query }: { query: URLSearchParams }) {
  const session = useSession();
  const type = query.get('type') ?? '';
  const page = Number(query.get('page') ?? '1') || 1;
  const { value, problem } = useLoad(
    () => session.vault.get<Page<Application>>('/applications', { type: type || undefined, page, size: 20 }),
    [type, page],
  );
  const show = (changes: Record<string, string>) => go(to(['applications'], { type, ...changes }));
  const create = may(session, 'application:create') && <a class="button primary" href={to(['applications', 'new'])}>New application</a>;
  return (
    <>
      <Heading title="Applications" actions={create}>Applications</Heading>
      <p class="lead">Each application has a key and can do what its permissions and access rules grant.</p>
      <div class="filters">
        <Select label="Type" value={type} options={[['', 'all types'], ...TYPES.map(([each]): [string, string] => [each, each])]} onPick={(picked) => show({ type: picked })} />
      </div>
      <Failure problem={problem} />
      {!value && !problem && <Loading />}
      {value && <Table list={value.data} />}
      {value && <Pager page={value.pagination} onPage={(number) => show({ page: String(number) })} />}
    </>
  );
}

function Table({ list }: { list: Application[] }) {
  if (list.length === 0) return <p class="card quiet">No applications.</p>;
  return (
    <div class="card flush">
      <table>
        <caption class="hidden">Applications, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Name</th><th scope="col">Type</th><th scope="col">Grants</th><th scope="col">Created</th><th scope="col">Expires</th>
          </tr>
        </thead>
        <tbody>
          {list.map((each) => (
            <tr key={each.id}>
              <th scope="row" data-label="Name"><a href={to(['applications', each.id])}>{each.name}</a></th>
              <td data-label="Type"><span class="tag">{each.type}</span></td>
              <td data-label="Grants">{count(each.permissions.length, 'permission')}, {count(each.rules.length, 'rule')}</td>
              <td data-label="Created"><Time value={each.created_at} /></td>
              <td data-label="Expires"><Time value={each.expires_at} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
