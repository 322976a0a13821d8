import { useState } from 'preact/hooks';
import { Problem, type Token, asProblem } from './api';
import { type Pair, Pairs, mapOf } from './pairs';
import { setUnsaved, to } from './route';
import { may, useSession } from './session';
import { TokenView } from './token';
import { PARTS, type Part, TOKEN_TYPES } from './token-types';
import { Failure, Heading, Select, TextArea, TextField } from './ui';

const MINUTE = 60_000;

const EXPIRY: [string, string][] = [
  [String(10 * MINUTE), 'in 10 minutes'],
  [String(60 * MINUTE), 'in 1 hour'],
  [String(1440 * MINUTE), 'in 1 day'],
  ['', 'never'],
];

const JSON_EXAMPLE = '{"street": "Long Lane 1", "city": "York"}';
const FIELDS = ['type', 'data', 'containers', 'mask', 'metadata', 'expires_at'];

interface Draft {
  type: string;
  /** The parts of the data by their names, or the JSON of a `token` by an empty one. */
  data: Record<string, string>;
  containers: string;
  mask: string;
  metadata: Pair[];
  expiry: string;
}

const START: Draft = { type: 'card', data: {}, containers: '', mask: '', metadata: [], expiry: EXPIRY[2]![0] };

/** A form, and then the token that it created. */
export function NewToken() {
  const session = useSession();
  const [created, setCreated] = useState<Token>();
  const title = created ? 'Token created' : 'New test token';
  return (
    <>
      {may(session, 'token:read') && <p class="crumb"><a href={to(['tokens'])}>Tokens</a></p>}
      <Heading title={title}>{title}</Heading>
      {created ? (
        <>
          <TokenView value={created} />
          <div class="actions">
            {may(session, 'token:read') && <a class="button primary" href={to(['tokens', created.id])}>Open its page</a>}
            <button type="button" onClick={() => setCreated(undefined)}>Create another</button>
          </div>
        </>
      ) : (
        <>
          <p class="lead">For tests: enter no real data, since it is visible here while you type. The vault encrypts it, and the console shows only its mask afterwards.</p>
          <TokenForm onCreated={setCreated} />
        </>
      )}
    </>
  );
}

function TokenForm({ onCreated }: { onCreated: (token: Token) => void }) {
  const { vault } = useSession();
  const [draft, setDraft] = useState(START);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const parts = PARTS[draft.type]!;
  const edit = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    setUnsaved(true);
  };
  const editPart = (name: string, text: string) => edit({ data: { ...draft.data, [name]: text } });
  const insert = () => edit({ data: parts.length > 0 ? Object.fromEntries(parts.map((each) => [each.name, each.example])) : { '': JSON_EXAMPLE } });
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const { body, faults } = bodyOf(draft);
    if (Object.keys(faults).length > 0) {
      setProblem(new Problem(0, 'Not sent', 'Fields that hold JSON must be valid JSON.', faults, ''));
      return;
    }
    setBusy(true);
    setProblem(undefined);
    vault.call<Token>('POST', '/tokens', body).then(
      (token) => {
        setUnsaved(false);
        onCreated(token);
      },
      (thrown) => {
        setProblem(asProblem(thrown));
        setBusy(false);
      },
    );
  };
  const errors = problem?.errors ?? {};
  const known = Object.keys(errors).filter((path) => FIELDS.some((each) => isWithin(path, each)));
  return (
    <form onSubmit={submit} class="stack" autocomplete="off">
      <section class="card">
        <h2>Data</h2>
        <Select label="Type" value={draft.type} options={TOKEN_TYPES.map((each): [string, string] => [each, each])} onPick={(type) => edit({ type, data: {} })} errors={errors.type} />
        {parts.length === 0 && <TextArea label="Data, as JSON" value={draft.data[''] ?? ''} onText={(text) => editPart('', text)} errors={within(errors, 'data')} hint={'Any JSON but null; a text has quotes. Without a mask, no data is shown.'} />}
        <div class="pair">
          {parts.map((each, at) => (
            <TextField
              key={each.name}
              label={each.label}
              class="code"
              value={draft.data[each.name] ?? ''}
              onText={(text) => editPart(each.name, text)}
              errors={partErrors(errors, parts, at)}
              hint={each.optional && 'Optional.'}
            />
          ))}
        </div>
        <p class="insert"><button type="button" class="small" onClick={insert}>Insert test data</button></p>
      </section>
      <section class="card">
        <h2>Settings</h2>
        <TextField label="Containers" class="code" value={draft.containers} onText={(containers) => edit({ containers })} errors={within(errors, 'containers')} hint="Separated by spaces, such as /test/high/. Leave empty for the container of the type." />
        <TextArea label="Mask, as JSON" rows={2} value={draft.mask} onText={(mask) => edit({ mask })} errors={within(errors, 'mask')} hint={'With expressions, such as "{{ data.number | reveal_last: 4 }}". Leave empty for the mask of the type.'} />
        <Select label="Expires" value={draft.expiry} options={EXPIRY} onPick={(expiry) => edit({ expiry })} errors={errors.expires_at} hint="It is then deleted." />
        <Pairs title="Metadata" hint="Names and values that anyone who sees the token can read." pairs={draft.metadata} onPairs={(metadata) => edit({ metadata })} errors={within(errors, 'metadata')} />
      </section>
      <Failure problem={problem} known={known} />
      <div class="actions bar">
        <button type="submit" class="primary" aria-disabled={busy}>Create token</button>
        <a class="button" href={to(['tokens'])}>Back</a>
      </div>
    </form>
  );
}

/** What is left empty is left out, and what is no number is sent as it is: the vault judges it. */
function bodyOf(draft: Draft): { body: Record<string, unknown>; faults: Record<string, string[]> } {
  const faults: Record<string, string[]> = {};
  const parsed = (name: string, text: string | undefined) => {
    if (!text?.trim()) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      faults[name] = ['must be JSON'];
      return undefined;
    }
  };
  const containers = draft.containers.split(/[\s,]+/).filter(Boolean);
  const body = {
    type: draft.type,
    data: PARTS[draft.type]!.length > 0 ? dataOf(PARTS[draft.type]!, draft.data) : parsed('data', draft.data['']),
    containers: containers.length > 0 ? containers : undefined,
    mask: parsed('mask', draft.mask),
    metadata: mapOf(draft.metadata),
    expires_at: draft.expiry ? new Date(Date.now() + Number(draft.expiry)).toISOString() : undefined,
  };
  return { body, faults };
}

function dataOf(parts: Part[], texts: Record<string, string>): unknown {
  const only = parts[0]!;
  if (!only.name) return texts['']?.trim() ?? '';
  const given = parts.filter((each) => texts[each.name]?.trim()).map((each) => {
    const text = texts[each.name]!.trim();
    return [each.name, each.number && /^\d+$/.test(text) ? Number(text) : text];
  });
  return Object.fromEntries(given);
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

/** The problems of a field and of what it holds, such as `containers[1]`. */
function within(errors: Record<string, string[]>, field: string): string[] {
  return Object.entries(errors)
    .filter(([path]) => isWithin(path, field))
    .map(([path, messages]) => `${path === field ? '' : `${path.slice(field.length).replace(/^\./, '')}: `}${messages.join('; ')}`);
}

/** The problems of a part of the data; the first part has those of all of it, too. */
function partErrors(errors: Record<string, string[]>, parts: Part[], at: number): string[] {
  const own = parts[at]!.name ? errors[`data.${parts[at]!.name}`] ?? [] : [];
  return at === 0 ? [...own, ...(errors.data ?? [])] : own;
}
