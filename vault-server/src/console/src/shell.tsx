import { ApplicationPage } from './application';
import { Applications } from './applications';
import { Logs } from './logs';
import { Mark } from './mark';
import { Permissions } from './permissions';
import { Proxies } from './proxies';
import { ProxyPage } from './proxy';
import { type Route, mayLeave, to, useRoute } from './route';
import { type Session, SessionContext, may } from './session';
import { Heading } from './ui';

type PlaceLink = { path: string; text: string; needs?: string };

const PLACES: PlaceLink[] = [
  { path: 'applications', text: 'Applications', needs: 'application:read' },
  { path: 'proxies', text: 'Proxies', needs: 'proxy:read' },
  { path: 'logs', text: 'Logs', needs: 'log:read' },
  { path: 'permissions', text: 'Permissions' },
];

type Props = { session: Session; onEnd: (why: string) => void };

export function Shell({ session, onEnd }: Props) {
  const route = useRoute();
  const open = PLACES.filter(({ needs }) => !needs || may(session, needs));
  const here = route.parts[0] ?? open[0]!.path;
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
          {open.map(({ path, text }) => (
            <a key={path} href={to([path])} aria-current={here === path ? 'page' : undefined}>{text}</a>
          ))}
        </nav>
        <div class="who">
          {session.self && <span class="quiet" title={session.self.id}>{session.self.name}</span>}
          <button type="button" onClick={() => mayLeave() && onEnd('You are signed out.')}>Sign out</button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Missing places={PLACES.filter((each) => !open.includes(each))} />
        {PLACES.some(({ path }) => path === here) && !open.some(({ path }) => path === here)
          ? <Heading title="Not permitted">This key cannot open this page</Heading>
          : <Place place={here} route={route} />}
      </main>
    </SessionContext.Provider>
  );
}

/** What the key cannot do here, and which permissions it would need. */
function Missing({ places }: { places: PlaceLink[] }) {
  if (places.length === 0) return null;
  const things = listed(places.map(({ text }) => text.toLowerCase()), 'or');
  const needs = listed(places.map(({ needs }) => needs!), 'and');
  const nothing = places.length === PLACES.length - 1;
  return (
    <p class={nothing ? 'notice warn' : 'hint missing'}>
      This key cannot read {things}: its application lacks {needs}.
      {nothing && ' Use the key of a management application.'}
    </p>
  );
}

function listed(words: string[], last: string): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

function Place({ place, route }: { place: string; route: Route }) {
  const id = route.parts[1];
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
      return <Heading title="Not found">Page not found</Heading>;
  }
}
