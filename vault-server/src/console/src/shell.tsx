import { ApplicationPage } from './application';
import { Applications } from './applications';
import { Logs } from './logs';
import { Mark } from './mark';
import { Permissions } from './permissions';
import { Proxies } from './proxies';
import { ProxyPage } from './proxy';
import { type Route, mayLeave, to, useRoute } from './route';
import { type Session, SessionContext } from './session';
import { Heading } from './ui';

const PLACES: [path: string, text: string][] = [
  ['applications', 'Applications'],
  ['proxies', 'Proxies'],
  ['logs', 'Logs'],
  ['permissions', 'Permissions'],
];

type Props = { session: Session; onEnd: (why: string) => void };

export function Shell({ session, onEnd }: Props) {
  const route = useRoute();
  const here = route.parts[0] ?? 'applications';
  const skip = (event: Event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main" onClick={skip}>Skip to content</a>
      <header class="top">
        <div class="brand"><Mark /><span>Token Vault</span></div>
        <nav aria-label="Main">
          {PLACES.map(([path, text]) => (
            <a key={path} href={to([path])} aria-current={here === path ? 'page' : undefined}>{text}</a>
          ))}
        </nav>
        <div class="who">
          {session.self && <span class="quiet" title={session.self.id}>{session.self.name}</span>}
          <button type="button" onClick={() => mayLeave() && onEnd('The key is forgotten.')}>Forget key</button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {session.self && session.self.type !== 'management' && (
          <p class="notice warn">This key belongs to a {session.self.type} application. The console is for management keys; most of it will be refused.</p>
        )}
        <Place route={route} />
      </main>
    </SessionContext.Provider>
  );
}

function Place({ route }: { route: Route }) {
  const [place = 'applications', id] = route.parts;
  switch (place) {
    case 'applications':
      return id ? <ApplicationPage key={id} id={id} /> : <Applications query={route.query} />;
    case 'proxies':
      return id ? <ProxyPage key={id} id={id} /> : <Proxies query={route.query} />;
    case 'logs':
      return <Logs key={route.query.toString()} query={route.query} />;
    case 'permissions':
      return <Permissions />;
    default:
      return <Heading title="Not found">There is nothing here</Heading>;
  }
}
