import { useState } from 'preact/hooks';
import { type Application, Problem, type Proxy, asProblem, segment } from './api';
import { type Pair, Pairs, mapOf, pairsOf } from './pairs';
import { Editor } from './editor';
import { setUnsaved, to } from './route';
import { may, useSession } from './session';
import { Check, Failure, Select, TextField } from './ui';

const EXAMPLE = `module.exports = async function ({ args, configuration }) {
  const { body, headers } = args;
  return { body, headers };
};
`;

const KNOWN = ['name', 'destination_url', 'application', 'application.id', 'timeout_ms', 'client_certificate', 'request_transform.code', 'response_transform.code'];

interface Draft {
  name: string;
  url: string;
  auth: boolean;
  application: string;
  timeout: string;
  certificate: string;
  pairs: Pair[];
  request: string;
  response: string;
}

type Props = { start: Proxy; fresh: boolean; actors: Application[]; changed: boolean; onSaved: (saved: Proxy) => void; onEdit: () => void };

export function ProxyForm({ start, fresh, actors, changed, onSaved, onEdit }: Props) {
  const session = useSession();
  const [draft, setDraft] = useState<Draft>(() => draftOf(start));
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const allowed = may(session, fresh ? 'proxy:create' : 'proxy:update');
  const edit = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    setUnsaved(true);
    onEdit();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    const [method, path] = fresh ? ['POST', '/proxies'] : ['PUT', `/proxies/${segment(start.id)}`];
    session.vault
      .call<Proxy>(method!, path!, bodyOf(draft))
      .then(onSaved, (thrown) => setProblem(asProblem(thrown)))
      .finally(() => setBusy(false));
  };
  const errors = problem?.errors ?? {};
  return (
    <form onSubmit={submit} class="stack">
      <section class="card">
        <h2>Basics</h2>
        <TextField label="Name" value={draft.name} onText={(name) => edit({ name })} errors={errors.name} maxLength={200} required />
        <TextField label="Destination URL" class="code" value={draft.url} onText={(url) => edit({ url })} errors={errors.destination_url} hint="https URL with a host name. The path and query of each request are appended." required />
        <Check label="Require an API key" checked={draft.auth} onCheck={(auth) => edit({ auth })} />
        {!draft.auth && <p class="warned">Anyone with the proxy key can call it, but without tokens.</p>}
        <div class="pair">
          <Select label="Transforms act as" value={draft.application} options={choices(actors, draft.application, 'no application')} onPick={(application) => edit({ application })} errors={errors['application.id'] ?? errors.application} hint="bt in transforms has the permissions of this application." />
          <TextField label="Timeout in milliseconds" value={draft.timeout} onText={(timeout) => edit({ timeout })} inputMode="numeric" pattern="[0-9]*" errors={errors.timeout_ms} hint="Leave empty for the operator's default." />
          <TextField label="Client certificate" value={draft.certificate} onText={(certificate) => edit({ certificate })} errors={errors.client_certificate} hint="Name of the certificate, for destinations that require one." />
        </div>
      </section>
      <section class="card">
        <h2>Transforms</h2>
        <p class="hint">JavaScript for Node.js 16. Saving compiles the code and rejects errors. In the editor, Tab moves to the next field.</p>
        <Editor label="Request transform" hint="Runs on the request, with token data in place of expressions, before it is sent." value={draft.request} errors={errors['request_transform.code'] ?? []} example={EXAMPLE} onText={(request) => edit({ request })} />
        <Editor label="Response transform" hint="Runs on the destination's response before it is returned." value={draft.response} errors={errors['response_transform.code'] ?? []} example={EXAMPLE} onText={(response) => edit({ response })} />
        <Pairs title="Configuration" hint={<>Available to transforms as <code>configuration</code>. Stored encrypted.</>} pairs={draft.pairs} onPairs={(pairs) => edit({ pairs })} />
      </section>
      <Failure problem={problem} known={KNOWN} />
      <div class="actions bar">
        {allowed && <button type="submit" class="primary" aria-disabled={busy} disabled={!fresh && !changed}>{fresh ? 'Create proxy' : 'Save changes'}</button>}
        <a class="button" href={to(['proxies'])}>{changed ? 'Discard' : 'Back'}</a>
        {!allowed && <span class="quiet">This key can read, but not make changes.</span>}
      </div>
    </form>
  );
}

/** Applications by name; one that is not among them, by its id. */
export function choices(actors: Application[], chosen: string, none: string): [string, string][] {
  const known = actors.map((each): [string, string] => [each.id, `${each.name} (${each.type})`]);
  const other: [string, string][] = chosen && !actors.some((each) => each.id === chosen) ? [[chosen, chosen]] : [];
  return [['', none], ...known, ...other];
}

function draftOf(start: Proxy): Draft {
  return {
    name: start.name,
    url: start.destination_url,
    auth: start.require_auth,
    application: start.application_id ?? '',
    timeout: start.timeout_ms === undefined ? '' : String(start.timeout_ms),
    certificate: start.client_certificate ?? '',
    pairs: pairsOf(start.configuration),
    request: start.request_transform?.code ?? '',
    response: start.response_transform?.code ?? '',
  };
}

/** All of the proxy, since what is left out is reset. */
function bodyOf(draft: Draft): Record<string, unknown> {
  const body: Record<string, unknown> = { name: draft.name, destination_url: draft.url, require_auth: draft.auth };
  if (draft.application) body.application = { id: draft.application };
  if (draft.timeout) body.timeout_ms = Number(draft.timeout);
  if (draft.certificate) body.client_certificate = draft.certificate;
  if (draft.request.trim()) body.request_transform = { code: draft.request };
  if (draft.response.trim()) body.response_transform = { code: draft.response };
  const configuration = mapOf(draft.pairs);
  if (configuration) body.configuration = configuration;
  return body;
}
