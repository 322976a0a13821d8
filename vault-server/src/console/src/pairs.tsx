import type { ComponentChildren } from 'preact';
import { TextField, useRowFocus } from './ui';

export interface Pair {
  name: string;
  value: string;
}

export function pairsOf(map: Record<string, string> | undefined): Pair[] {
  return Object.entries(map ?? {}).map(([name, value]) => ({ name, value }));
}

/** Absent if no pair has a name. */
export function mapOf(pairs: Pair[]): Record<string, string> | undefined {
  const named = pairs.filter((each) => each.name);
  return named.length > 0 ? Object.fromEntries(named.map((each) => [each.name, each.value])) : undefined;
}

type Props = { title: string; hint: ComponentChildren; pairs: Pair[]; errors?: string[]; onPairs: (pairs: Pair[]) => void };

/** Names and values. */
export function Pairs({ title, hint, pairs, errors, onPairs }: Props) {
  const box = useRowFocus(pairs.length);
  const edit = (at: number, changes: Partial<Pair>) => onPairs(pairs.map((each, index) => (index === at ? { ...each, ...changes } : each)));
  const doubled = pairs.find((each, at) => each.name && pairs.findIndex((other) => other.name === each.name) < at);
  return (
    <fieldset class="conditions" ref={box}>
      <legend>{title}</legend>
      <p class="hint">{hint}</p>
      {pairs.map((each, at) => (
        <div class="condition" key={at}>
          <TextField label="Name" class="code" value={each.name} onText={(name) => edit(at, { name })} required />
          <TextField label="Value" class="code" value={each.value} onText={(value) => edit(at, { value })} />
          <button type="button" onClick={() => onPairs(pairs.filter((_, index) => index !== at))} aria-label={`Remove ${title.toLowerCase()} ${each.name || at + 1}`}>Remove</button>
        </div>
      ))}
      {doubled && <p class="warned" role="status">{doubled.name} appears twice; only the last one is saved.</p>}
      {!!errors?.length && <p class="wrong" role="alert">{errors.join('; ')}</p>}
      <button type="button" onClick={() => onPairs([...pairs, { name: '', value: '' }])}>Add a value</button>
    </fieldset>
  );
}
