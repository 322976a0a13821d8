import { TextField } from './ui';

export interface Pair {
  name: string;
  value: string;
}

export function pairsOf(map: Record<string, string> | undefined): Pair[] {
  return Object.entries(map ?? {}).map(([name, value]) => ({ name, value }));
}

type Props = { pairs: Pair[]; onPairs: (pairs: Pair[]) => void };

/** Names and values that transforms are given. */
export function Configuration({ pairs, onPairs }: Props) {
  const edit = (at: number, changes: Partial<Pair>) => onPairs(pairs.map((each, index) => (index === at ? { ...each, ...changes } : each)));
  const doubled = pairs.find((each, at) => each.name && pairs.findIndex((other) => other.name === each.name) < at);
  return (
    <fieldset class="conditions">
      <legend>Configuration</legend>
      <p class="hint">Available to transforms as <code>configuration</code>. Stored encrypted.</p>
      {pairs.map((each, at) => (
        <div class="condition" key={at}>
          <TextField label="Name" class="code" value={each.name} onText={(name) => edit(at, { name })} required />
          <TextField label="Value" class="code" value={each.value} onText={(value) => edit(at, { value })} />
          <button type="button" onClick={() => onPairs(pairs.filter((_, index) => index !== at))} aria-label={`Remove configuration ${each.name || at + 1}`}>Remove</button>
        </div>
      ))}
      {doubled && <p class="warned" role="status">{doubled.name} appears twice; only the last one is saved.</p>}
      <button type="button" onClick={() => onPairs([...pairs, { name: '', value: '' }])}>Add a value</button>
    </fieldset>
  );
}
