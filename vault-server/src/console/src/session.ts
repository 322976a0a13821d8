import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Application, type Permission, Problem, Vault } from './api';

/** One key in use: what it opens, and what the vault knows. */
export interface Session {
  vault: Vault;
  /** Absent where the key may not read applications. */
  self?: Application;
  /** Without {@link self}: what the vault let the key do, such as `proxy` or `token:create`. */
  granted: Set<string>;
  permissions: Permission[];
}

/** No token has it, so a list of it shows whether the key may list tokens, and nothing else. */
const NO_TOKEN = '00000000-0000-0000-0000-000000000000';

/** @throws Problem if the vault does not know the key */
export async function open(key: string, onEnd: (why: string, of: Vault) => void): Promise<Session> {
  const vault: Vault = await Vault.with(key, () => onEnd('The vault no longer accepts this key. It may have been replaced or have expired.', vault));
  const permissions = await vault.get<Permission[]>('/permissions');
  const self = await allowed(vault.get<Application>('/applications/key'));
  const granted = new Set<string>();
  if (!self) {
    const asked = { token: vault.get('/tokens', { id: NO_TOKEN }), proxy: vault.get('/proxies', { size: 1 }), log: vault.get('/logs/entity-types') };
    const found = await Promise.all(Object.entries(asked).map(async ([name, answer]) => ((await allowed(answer)) ? [name] : [])));
    found.flat().forEach((each) => granted.add(each));
    if (granted.size === 0 && (await createsTokens(vault))) granted.add('token:create');
  }
  return { vault, self, granted, permissions };
}

/** Absent where the key may not ask for it. */
async function allowed<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((thrown) => {
    if (thrown instanceof Problem && thrown.status === 403) return undefined;
    throw thrown;
  });
}

/** A request without content is refused for that only if the key may create tokens. */
async function createsTokens(vault: Vault): Promise<boolean> {
  return allowed(vault.call('POST', '/tokens', {})).then(
    () => false,
    (thrown) => {
      if (thrown instanceof Problem && thrown.status === 400) return true;
      throw thrown;
    },
  );
}

/**
 * Whether the key has the permission. A key that cannot read its own application is taken to change
 * what it reads, and nothing else; the vault decides in any case.
 */
export function may(session: Session, permission: string): boolean {
  if (session.self) return session.self.permissions.includes(permission);
  return session.granted.has(permission) || session.granted.has(permission.split(':')[0]!);
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  return useContext(SessionContext)!;
}
