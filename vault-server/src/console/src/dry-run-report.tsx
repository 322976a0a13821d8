import { Code } from './ui';

export interface Expression {
  id: string;
  exists: boolean;
  usable: boolean;
  deliverable: boolean;
}

interface Run {
  duration_ms?: number;
  console?: { level: string; text: string }[];
  error?: { status?: number; title?: string; detail?: string; errors?: unknown; line?: number; name?: string; message?: string; frame?: string };
  answer?: unknown;
}

interface Message {
  method?: string;
  url?: string;
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

export interface Report {
  expressions?: Expression[];
  request_transform?: Run;
  response_transform?: Run;
  request?: Message;
  response?: Message;
}

/** What a dry run gave, all of it as text. */
export function ReportView({ report }: { report: Report }) {
  const failed = report.request_transform?.error ?? report.response_transform?.error;
  return (
    <div class="report">
      <h3>{failed ? 'The transform failed' : 'Result'}</h3>
      {!!report.expressions?.length && <Expressions list={report.expressions} />}
      <RunView name="Request transform" run={report.request_transform} />
      <MessageView name="Request to the destination" head={`${report.request?.method} ${report.request?.url}`} message={report.request} />
      <RunView name="Response transform" run={report.response_transform} />
      <MessageView name="Response to the caller" head={`Status ${report.response?.status}`} message={report.response} />
    </div>
  );
}

function Expressions({ list }: { list: Expression[] }) {
  const word = (yes: boolean) => (yes ? 'yes' : <strong class="wrong">no</strong>);
  return (
    <table>
      <caption>Tokens in expressions</caption>
      <thead>
        <tr><th scope="col">Token</th><th scope="col">Exists</th><th scope="col">Usable by caller</th><th scope="col">Destination allowed</th></tr>
      </thead>
      <tbody>
        {list.map((each) => (
          <tr key={each.id}>
            <th scope="row" data-label="Token"><code>{each.id}</code></th>
            <td data-label="Exists">{word(each.exists)}</td>
            <td data-label="Usable by caller">{word(each.usable)}</td>
            <td data-label="Destination allowed">{word(each.deliverable)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RunView({ name, run }: { name: string; run?: Run }) {
  if (!run) return null;
  const lines = (run.console ?? []).map((each) => `${each.level}: ${each.text}`).join('\n');
  return (
    <div class={run.error ? 'notice bad' : 'ran'}>
      <p><strong>{name}</strong> <span class="quiet">{run.duration_ms} ms</span></p>
      {run.error && (
        <p>{run.error.status} {run.error.title}{run.error.line ? `, line ${run.error.line}` : ''}. {run.error.detail}</p>
      )}
      {run.error?.message !== undefined && (
        <Code label={`${name}: error`} text={[run.error.name, run.error.message].filter(Boolean).join(': ') + (run.error.frame ? `\n\n${run.error.frame}` : '')} />
      )}
      {run.error?.errors !== undefined && <Code label={`${name}: errors thrown`} text={pretty(run.error.errors)} />}
      {run.answer !== undefined && <Code label={`${name}: thrown response`} text={pretty(run.answer)} />}
      {lines && <Code label={`${name}: console`} text={lines} />}
    </div>
  );
}

function MessageView({ name, head, message }: { name: string; head: string; message?: Message }) {
  if (!message) return null;
  const headers = Object.entries(message.headers ?? {}).map(([each, value]) => `${each}: ${[value].flat().join(', ')}`);
  const body = message.body === undefined ? '' : `\n\n${pretty(message.body)}`;
  return (
    <div>
      <h4>{name}</h4>
      <Code label={name} text={`${[head, ...headers].join('\n')}${body}`} />
    </div>
  );
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
