/** Types of the responses that the console reads. */
export interface Condition {
  attribute: string;
  operator: string;
  value: string;
}

export interface Rule {
  description: string;
  priority: number;
  container?: string;
  conditions?: Condition[];
  transform: string;
  permissions: string[];
}

export interface Application {
  id: string;
  tenant_id: string;
  name: string;
  key?: string;
  type: string;
  permissions: string[];
  rules: Rule[];
  created_by?: string;
  created_at?: string;
  modified_by?: string;
  modified_at?: string;
  expires_at?: string;
  last_used_at?: string;
  can_create_expiring_applications?: boolean;
}

export interface Proxy {
  id: string;
  name: string;
  key: string;
  destination_url: string;
  require_auth: boolean;
  request_transform?: { code: string };
  response_transform?: { code: string };
  application_id?: string;
  configuration?: Record<string, string>;
  timeout_ms?: number;
  client_certificate?: string;
  created_by?: string;
  created_at?: string;
  modified_by?: string;
  modified_at?: string;
}

/** A token as the admin listener returns it: its data at most through its mask. */
export interface Token {
  id: string;
  type: string;
  fingerprint?: string;
  data?: unknown;
  containers: string[];
  metadata?: Record<string, string>;
  created_by?: string;
  created_at?: string;
  modified_by?: string;
  modified_at?: string;
  expires_at?: string;
}

export interface Permission {
  type: string;
  description: string;
  application_types: string[];
}

export interface LogEntry {
  actor_id?: string;
  actor_type?: string;
  entity_type: string;
  entity_id: string;
  operation: string;
  message: string;
  created_at: string;
}

export interface EntityType {
  display_name: string;
  value: string;
}

export interface Page<T> {
  pagination: { total_items: number; page_number: number; page_size: number; total_pages: number };
  data: T[];
}

export interface Slice<T> {
  pagination: { next?: string; page_size: number };
  data: T[];
}

/** A response other than 2xx, or no response. `errors` lists problems by property path. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly errors: Record<string, string[]>,
    readonly trace: string,
  ) {
    super(detail || title);
  }
}

type Query = Record<string, string | number | string[] | undefined>;

const TRACE = '-trace-id';

/**
 * The vault on this page's own origin. The key lives in this object and nowhere else: not in the
 * page, a URL or the browser's storage.
 */
export class Vault {
  #key: string;
  readonly #prefix: string;
  readonly #refused: () => void;

  private constructor(key: string, prefix: string, refused: () => void) {
    this.#key = key;
    this.#prefix = prefix;
    this.#refused = refused;
  }

  /**
   * Detects the prefix of the vault's headers from the trace id in every response.
   * `x-` is never the vault's: that is what others add on the way.
   *
   * @param refused called when the vault no longer accepts the key
   */
  static async with(key: string, refused: () => void): Promise<Vault> {
    const answer = await send('/healthz', {});
    for (const name of answer.headers.keys()) {
      if (name.endsWith(TRACE) && !name.startsWith('x-')) return new Vault(key, name.slice(0, -TRACE.length), refused);
    }
    throw new Problem(0, 'Not a vault', 'The server of this page does not respond like a vault.', {}, '');
  }

  /** Goes on with another key of the same application, when this page has just replaced its own. */
  use(key: string): void {
    this.#key = key;
  }

  /** @throws Problem for all but 2xx */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { [`${this.#prefix}-api-key`]: this.#key, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const answer = await send(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
    const problem = await read(answer);
    if (problem.status === 401) this.#refused();
    throw problem;
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const pairs = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const each of [value ?? []].flat()) pairs.append(name, String(each));
    }
    const text = pairs.toString();
    return this.call<T>('GET', text ? `${path}?${text}` : path);
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, {
      ...init,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch {
    throw new Problem(0, 'The vault is unreachable', 'There was no response. Check that the vault is running and that the network works.', {}, '');
  }
}

async function read(answer: Response): Promise<Problem> {
  const found = await answer.json().catch(() => ({}));
  return new Problem(
    answer.status,
    found.title ?? `The vault returned ${answer.status}`,
    found.detail ?? '',
    found.errors ?? {},
    typeof found.instance === 'string' ? found.instance.split(':').pop()! : '',
  );
}

/** One path segment. */
export function segment(id: string): string {
  return encodeURIComponent(id);
}

/** Anything that was thrown, as a problem; also errors of the console itself. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem(0, 'Console error', String(thrown), {}, '');
}
