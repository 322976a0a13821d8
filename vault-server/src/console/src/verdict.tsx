import type { Verdict } from './explain';

/** A decision, and what led to it, one by one. */
export function VerdictBox({ verdict }: { verdict: Verdict }) {
  return (
    <div class={`verdict ${verdict.allowed ? 'yes' : 'no'}`}>
      <p><strong>{verdict.summary}</strong></p>
      <ol>
        {verdict.steps.map((each, at) => <li key={at} class={each.decides ? 'decides' : ''}>{each.text}</li>)}
      </ol>
    </div>
  );
}
