import { useState } from 'preact/hooks';
import { Problem, asProblem } from './api';
import type { Verdict } from './explain';
import { useSession } from './session';
import { Failure, TextField } from './ui';
import { VerdictBox } from './verdict';

interface Part {
  id: string;
  decision: string;
  transform?: string;
  reason: string;
  rules: { priority: number; description: string; outcome: string; reason: string }[];
}

interface Report {
  decision: string;
  transform?: string;
  reason: string;
  application: Part;
  creator?: Part;
}

type Props = { id: string; permission: string; container: string };

/** Asks the vault itself, which knows its tokens and the rules that are saved. */
export function StoredDecision({ id, permission, container }: Props) {
  const { vault } = useSession();
  const [token, setToken] = useState('');
  const [report, setReport] = useState<Report>();
  const [problem, setProblem] = useState<Problem>();
  const ask = () => {
    const about = token.trim() ? { token_id: token.trim() } : { container };
    setProblem(undefined);
    setReport(undefined);
    vault
      .call<Report>('POST', '/access/explain', { application_id: id, permission, ...about })
      .then(setReport, (thrown) => setProblem(asProblem(thrown)));
  };
  return (
    <div class="ask">
      <h3>Why was access denied?</h3>
      <p class="hint">The vault's decision about {permission} with the saved rules. Shows no data.</p>
      <div class="trial">
        <TextField label="Token id" class="code" value={token} onText={setToken} hint="Leave empty for any token in the container above." />
      </div>
      <p><button type="button" onClick={ask}>Ask the vault</button></p>
      <Failure problem={problem} />
      <div aria-live="polite">
        {report && <VerdictBox verdict={verdictOf(report, report.application)} />}
        {report?.creator && (
          <>
            <h4>Creator of this application, which limits it</h4>
            <VerdictBox verdict={verdictOf(report.creator, report.creator)} />
          </>
        )}
      </div>
    </div>
  );
}

function verdictOf(whole: { decision: string; transform?: string; reason: string }, part: Part): Verdict {
  const allowed = whole.decision === 'allow';
  const steps = part.rules.map((each) => ({
    text: `Rule ${each.priority} “${each.description}” ${each.reason}.`,
    decides: each.outcome === 'decides',
  }));
  return { allowed, summary: `${allowed ? `Allowed${whole.transform ? ` (${whole.transform})` : ''}` : 'Denied'}: ${whole.reason}.`, steps };
}
