import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Application, type Permission, Problem, Vault } from './api';

/** One key in use: what it opens, and what the vault knows. */
export interface Session {
  vault: Vault;
  /** Absent where the key may not read applications. */
  self?: Application;
  /** Without {@link self}: what the vault let the key read, such as `proxy`. */
  readable: Set<string>;
  permissions: Permission[];
}

/** @throws Problem if the vault does not know the key */
export async function open(key: string, onEnd: (why: string, of: Vault) => void): Promise<Session> {
  const vault: Vault = await Vault.with(key, () => onEnd('The vault no longer accepts this key. It may have been replaced or have expired.', vault));
  const permissions = await vault.get<Permission[]>('/permissions');
  const self = await allowed(vault.get<Application>('/applications/key'));
  const readable = new Set<string>();
  if (!self) {
    const [proxies, logs] = await Promise.all([allowed(vault.get('/proxies', { size: 1 })), allowed(vault.get('/logs/entity-types'))]);
    if (proxies) readable.add('proxy');
    if (logs) readable.add('log');
  }
  return { vault, self, readable, permissions };
}

/** Absent where the key may not ask for it. */
async function allowed<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((thrown) => {
    if (thrown instanceof Problem && thrown.status === 403) return undefined;
    throw thrown;
  });
}

/**
 * Whether the key has the permission. A key that cannot read its own application is taken to change
 * what it reads, and nothing else; the vault decides in any case.
 */
export function may(session: Session, permission: string): boolean {
  return session.self ? session.self.permissions.includes(permission) : session.readable.has(permission.split(':')[0]!);
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  return useContext(SessionContext)!;
}
