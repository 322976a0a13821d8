import { ApplicationPage } from './application';
import { Applications } from './applications';
import { Logs } from './logs';
import { Mark } from './mark';
import { Permissions } from './permissions';
import { Proxies } from './proxies';
import { ProxyPage } from './proxy';
import { type Route, mayLeave, to, useRoute } from './route';
import { NewToken } from './new-token';
import { TokenPage } from './token';
import { Tokens } from './tokens';
import { type Session, SessionContext, may } from './session';
import { Heading } from './ui';

type PlaceLink = { path: string; text: string; needs: string };

/** For keys of management applications, which cannot have permissions on tokens. */
const MANAGED: PlaceLink[] = [
  { path: 'applications', text: 'Applications', needs: 'application:read' },
  { path: 'proxies', text: 'Proxies', needs: 'proxy:read' },
  { path: 'logs', text: 'Logs', needs: 'log:read' },
];
const TOKENS = { path: 'tokens', text: 'Tokens' };
const PERMISSIONS = { path: 'permissions', text: 'Permissions' };

function placesOf(session: Session) {
  const tokens = may(session, 'token:read') || may(session, 'token:create') ? [TOKENS] : [];
  return [...MANAGED.filter(({ needs }) => may(session, needs)), ...tokens, PERMISSIONS];
}

type Props = { session: Session; onEnd: (why: string) => void };

export function Shell({ session, onEnd }: Props) {
  const route = useRoute();
  const open = placesOf(session);
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
        <Missing session={session} />
        {isPermitted(session, here, route) ? <Place place={here} route={route} /> : <NotPermitted place={here} />}
      </main>
    </SessionContext.Provider>
  );
}

/** Unknown places are not forbidden, but not found. The history of a token is part of the log. */
function isPermitted(session: Session, place: string, { parts }: Route): boolean {
  if (placesOf(session).some(({ path }) => path === place)) return true;
  if (place === TOKENS.path) return parts.length > 1 && parts[1] !== 'new' && may(session, 'log:read');
  return !MANAGED.some(({ path }) => path === place);
}

function NotPermitted({ place }: { place: string }) {
  return (
    <>
      <Heading title="Not permitted">This key cannot open this page</Heading>
      {place === TOKENS.path && <p class="lead">Tokens need the key of an application that can read or create them. Management applications cannot.</p>}
    </>
  );
}

/** What the key cannot do here, and which permissions it would need. */
function Missing({ session }: { session: Session }) {
  if (may(session, 'token:read') || may(session, 'token:create')) {
    return <p class="hint missing">This key works with tokens. Applications, proxies and logs need the key of a management application.</p>;
  }
  const closed = MANAGED.filter(({ needs }) => !may(session, needs));
  if (closed.length === 0) return null;
  const things = listed(closed.map(({ text }) => text.toLowerCase()), 'or');
  const nothing = closed.length === MANAGED.length;
  return (
    <p class={nothing ? 'notice warn' : 'hint missing'}>
      This key cannot read {things}: its application lacks {listed(closed.map(({ needs }) => needs), 'and')}.
      {nothing && ' Use the key of a management application, or of one that can read or create tokens.'}
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
    case 'tokens':
      if (id === 'new') return <NewToken />;
      return id ? <TokenPage key={id} id={id} /> : <Tokens query={route.query} />;
    case 'logs':
      return <Logs query={route.query} />;
    case 'permissions':
      return <Permissions />;
    default:
      return <Heading title="Not found">Page not found</Heading>;
  }
}
