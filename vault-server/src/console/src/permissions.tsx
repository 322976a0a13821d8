import type { Permission } from './api';
import { useSession } from './session';
import { Heading } from './ui';

const ORDER = ['token', 'application', 'proxy', 'log'];

/** By what they are about: `tenant:member:read` is about `tenant:member`. */
function groups(all: Permission[]): [string, Permission[]][] {
  const found = new Map<string, Permission[]>();
  for (const each of all) {
    const about = each.type.slice(0, each.type.lastIndexOf(':'));
    found.set(about, [...(found.get(about) ?? []), each]);
  }
  const place = (about: string) => (ORDER.indexOf(about) + ORDER.length + 1) % (ORDER.length + 1);
  return [...found].sort(([one], [other]) => place(one) - place(other));
}

export function Permissions() {
  const { permissions, self } = useSession();
  return (
    <>
      <Heading title="Permissions">Permissions</Heading>
      <p class="lead">All permissions, and the types of applications that can have them.</p>
      {groups(permissions).map(([about, list]) => (
        <section class="card flush" key={about}>
          <h2>{about.replaceAll(':', ' ')}</h2>
          <table class="permissions">
            <thead>
              <tr><th scope="col">Permission</th><th scope="col">Allows</th><th scope="col">Application types</th>{self && <th scope="col">This key</th>}</tr>
            </thead>
            <tbody>
              {list.map((each) => (
                <tr key={each.type}>
                  <th scope="row" data-label="Permission"><code>{each.type}</code></th>
                  <td data-label="Allows">{each.description}</td>
                  <td data-label="Application types"><span>{each.application_types.map((type) => <span class="tag" key={type}>{type}</span>)}</span></td>
                  {self && <td data-label="This key">{self.permissions.includes(each.type) ? 'yes' : <span class="quiet">no</span>}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}
