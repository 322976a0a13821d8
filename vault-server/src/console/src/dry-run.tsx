import { useState } from 'preact/hooks';
import { type Application, Problem, asProblem, segment } from './api';
import { type Report, ReportView } from './dry-run-report';
import { choices } from './proxy-form';
import { useSession } from './session';
import { Failure, Notice, Select, TextArea, TextField } from './ui';

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

interface Sample {
  method: string;
  path: string;
  query: string;
  headers: string;
  body: string;
  application: string;
  status: string;
  response: string;
  mocks: string;
}

const START: Sample = {
  method: 'POST',
  path: '/',
  query: '',
  headers: '{"Content-Type": "application/json"}',
  body: '{}',
  application: '',
  status: '200',
  response: '{}',
  mocks: '',
};

/** Tries a saved proxy on a sample: nothing is sent, and masks stand for data. */
export function DryRun({ id, actors, changed }: { id: string; actors: Application[]; changed: boolean }) {
  const { vault } = useSession();
  const [sample, setSample] = useState(START);
  const [problem, setProblem] = useState<Problem>();
  const [wrong, setWrong] = useState<Record<string, string[]>>({});
  const [report, setReport] = useState<Report>();
  const [busy, setBusy] = useState(false);
  const edit = (changes: Partial<Sample>) => setSample((before) => ({ ...before, ...changes }));
  const submit = (event: Event) => {
    event.preventDefault();
    const { body, faults } = bodyOf(sample);
    setWrong(faults);
    if (busy || Object.keys(faults).length > 0) return;
    setBusy(true);
    setProblem(undefined);
    setReport(undefined);
    vault
      .call<Report>('POST', `/proxies/${segment(id)}/test`, body)
      .then(setReport, (thrown) => setProblem(asProblem(thrown)))
      .finally(() => setBusy(false));
  };
  return (
    <section class="card dry-run">
      <h2>Dry run</h2>
      <p class="hint">Runs the proxy on a sample request. Nothing is sent, and tokens are replaced by their masks. The dry run is recorded in the log.</p>
      {changed && <Notice tone="warn">The dry run uses the saved version, without the changes on this page.</Notice>}
      <form onSubmit={submit}>
        <div class="two">
          <fieldset class="side">
            <legend>Request</legend>
            <div class="pair tight">
              <Select label="Method" value={sample.method} options={METHODS.map((each): [string, string] => [each, each])} onPick={(method) => edit({ method })} />
              <TextField label="Path" class="code" value={sample.path} onText={(path) => edit({ path })} />
              <TextField label="Query" class="code" value={sample.query} onText={(query) => edit({ query })} />
            </div>
            <TextArea label="Headers, as JSON" rows={2} value={sample.headers} onText={(headers) => edit({ headers })} errors={wrong.headers} />
            <TextArea label="Request body" rows={6} value={sample.body} onText={(body) => edit({ body })} hint="JSON or any text. {{token_id}} stands for a token. Leave empty for no body." />
            <Select label="Called by" value={sample.application} options={choices(actors, '', 'no application: expressions are not replaced')} onPick={(application) => edit({ application })} />
          </fieldset>
          <fieldset class="side">
            <legend>Response of the destination</legend>
            <TextField label="Status" value={sample.status} onText={(status) => edit({ status })} inputMode="numeric" pattern="[0-9]{3}" hint="The response transform runs for 200 to 299." />
            <TextArea label="Response body" rows={6} value={sample.response} onText={(response) => edit({ response })} />
            <TextArea label="Mocks, as JSON" rows={3} value={sample.mocks} onText={(mocks) => edit({ mocks })} errors={wrong.mocks} hint={'Results of fetch and bt, such as {"bt": {"tokens.create": {"id": "t-1"}}}. Leave empty for none.'} />
          </fieldset>
        </div>
        <Failure problem={problem} />
        <div class="actions"><button type="submit" class="primary" aria-disabled={busy}>{busy ? 'Running…' : 'Run'}</button></div>
      </form>
      <div aria-live="polite">{report && <ReportView report={report} />}</div>
    </section>
  );
}

function bodyOf(sample: Sample): { body: unknown; faults: Record<string, string[]> } {
  const faults: Record<string, string[]> = {};
  const parsed = (name: 'headers' | 'mocks') => {
    if (!sample[name].trim()) return undefined;
    try {
      return JSON.parse(sample[name]) as unknown;
    } catch {
      faults[name] = ['must be JSON'];
      return undefined;
    }
  };
  const request = { method: sample.method, path: sample.path, query: sample.query || undefined, headers: parsed('headers'), body: content(sample.body) };
  const response = { status: Number(sample.status) || 200, body: content(sample.response) };
  const application = sample.application ? { id: sample.application } : undefined;
  return { body: { request, response, application, mocks: parsed('mocks') }, faults };
}

/** JSON where it is that, else the text as it stands. */
function content(text: string): unknown {
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
