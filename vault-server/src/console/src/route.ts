import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** The place in the console that the URL's fragment names: `#/logs?entity_type=proxy`. */
export interface Route {
  parts: string[];
  query: URLSearchParams;
}

export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { parts: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An address inside of the console; what is empty or undefined is left out of the query. */
export function to(parts: string[], query: Record<string, string | undefined> = {}): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) pairs.append(name, value);
  }
  const text = pairs.toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

export function go(address: string): void {
  location.hash = address;
}

let unsaved = false;

/** Whether leaving would lose something that was typed. */
export function setUnsaved(is: boolean): void {
  unsaved = is;
}

const QUESTION = 'You have unsaved changes. Leave without saving?';

export function mayLeave(): boolean {
  if (!unsaved || confirm(QUESTION)) {
    unsaved = false;
    return true;
  }
  return false;
}

/** Follows the fragment, and asks before changes are lost. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    let shown = hash;
    const follow = () => {
      if (location.hash === shown) return;
      if (mayLeave()) {
        shown = location.hash;
        setHash(shown);
      } else {
        history.replaceState(null, '', shown || '#/');
      }
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (unsaved) event.preventDefault();
    };
    addEventListener('hashchange', follow);
    addEventListener('beforeunload', warn);
    // It may have changed between the first sight of the page and now, without a listener.
    follow();
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('beforeunload', warn);
    };
  }, []);
  return parse(hash);
}

/** What stands in the fields of filters: that of the address, until something else is typed. */
export function useFilters(names: readonly string[], query: URLSearchParams) {
  const given = Object.fromEntries(names.map((each) => [each, query.get(each) ?? '']));
  const [draft, setDraft] = useState<Record<string, string>>(given);
  useLayoutEffect(() => setDraft(given), [query.toString()]);
  const edit = (name: string) => (value: string) => setDraft((before) => ({ ...before, [name]: value }));
  return { given, draft, edit };
}
