import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Application, type Permission, Problem, Vault } from './api';

/** One key in use: what it opens, and what the vault knows. */
export interface Session {
  vault: Vault;
  /** Absent where the key may not read applications. */
  self?: Application;
  permissions: Permission[];
}

/** @throws Problem if the vault does not know the key */
export async function open(key: string, onEnd: (why: string, of: Vault) => void): Promise<Session> {
  const vault: Vault = await Vault.with(key, () => onEnd('The vault does not accept this key any more. It may have been replaced, or have expired.', vault));
  const permissions = await vault.get<Permission[]>('/permissions');
  const self = await vault.get<Application>('/applications/key').catch((thrown) => {
    if (thrown instanceof Problem && thrown.status === 403) return undefined;
    throw thrown;
  });
  return { vault, self, permissions };
}

/** Whether the key may, as far as it is known; the vault decides in any case. */
export function may(session: Session, permission: string): boolean {
  return !session.self || session.self.permissions.includes(permission);
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  return useContext(SessionContext)!;
}
