import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Condition, Permission, Rule } from './api';
import { byPrecedence, describe, warning } from './explain';
import { Check, Select, TextField, useRowFocus } from './ui';

const TRANSFORMS: [string, string][] = [
  ['redact', 'redact: no data'],
  ['mask', 'mask: the mask'],
  ['reveal', 'reveal: plaintext'],
];

const ATTRIBUTES: [string, string][] = [['id', 'token id'], ['container', 'container']];
const OPERATORS: [string, string][] = [['equals', 'is'], ['starts_with', 'starts with']];
const CONDITION: Condition = { attribute: 'id', operator: 'equals', value: '' };

type Errors = Record<string, string[]>;
type Props = { type: string; rules: Rule[]; permissions: Permission[]; errors: Errors; onRules: (rules: Rule[]) => void };

/** The same rule for another type of application: with conditions instead of a container, or back. */
export function ruleForType(rule: Rule, type: string, holds: (permission: string) => boolean): Rule {
  const { container, conditions, ...others } = rule;
  const where = type === 'expiring' ? { conditions: conditions ?? [CONDITION] } : { container: container ?? '/' };
  return { ...others, ...where, permissions: rule.permissions.filter(holds) };
}

/** Rules in the order in which they decide; a place in the list sent is also where the vault reports faults. */
export function RulesEditor({ type, rules, permissions, errors, onRules }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const wanted = useRef<string[]>([]);
  // The focus follows what was added or moved, and is not lost with what was removed.
  useLayoutEffect(() => {
    if (wanted.current.length === 0) return;
    const found = wanted.current.map((each) => list.current?.querySelector<HTMLElement>(each)).find(Boolean);
    (found ?? adding.current)?.focus();
    wanted.current = [];
  });
  const ordered = byPrecedence(rules);
  const replace = (rule: Rule, by: Rule) => onRules(rules.map((each) => (each === rule ? by : each)));
  const add = () => {
    const priority = ordered.length ? ordered[ordered.length - 1]!.priority + 1 : 1;
    const where = type === 'expiring' ? { conditions: [CONDITION] } : { container: '/' };
    wanted.current = ['li:last-child input'];
    onRules([...rules, { description: '', priority, ...where, transform: 'mask', permissions: [] }]);
  };
  const swap = (at: number, other: number) => {
    const [one, two] = [ordered[at]!, ordered[other]!];
    const moved = (each: Rule) => (each === one ? { ...one, priority: two.priority } : each === two ? { ...two, priority: one.priority } : each);
    const directions = other > at ? ['down', 'up'] : ['up', 'down'];
    wanted.current = directions.map((each) => `li:nth-child(${other + 1}) button.${each}:not(:disabled)`);
    onRules(rules.map(moved));
  };
  const remove = (rule: Rule) => {
    wanted.current = ['li:last-child button.small:last-child'];
    onRules(rules.filter((each) => each !== rule));
  };
  return (
    <section class="card">
      <h2>Access rules</h2>
      <p class="hint">Evaluated from the top: the first rule that lists the permission and covers the token decides. Without such a rule, permissions granted directly apply; otherwise access is denied.</p>
      <ol class="rules" ref={list}>
        {ordered.map((rule, at) => (
          <li key={at}>
            <RuleCard
              rule={rule}
              rules={rules}
              permissions={permissions}
              errors={within(errors, rules.indexOf(rule))}
              onRule={(by) => replace(rule, by)}
              onUp={at > 0 ? () => swap(at, at - 1) : undefined}
              onDown={at < ordered.length - 1 ? () => swap(at, at + 1) : undefined}
              onRemove={() => remove(rule)}
            />
          </li>
        ))}
      </ol>
      <button type="button" ref={adding} onClick={add}>Add a rule</button>
    </section>
  );
}

function within(errors: Errors, index: number): Errors {
  const start = `rules[${index}]`;
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(start))
      .map(([path, messages]) => [path.slice(start.length).replace(/^\./, ''), messages]),
  );
}

type CardProps = {
  rule: Rule;
  rules: Rule[];
  permissions: Permission[];
  errors: Errors;
  onRule: (rule: Rule) => void;
  onUp?: () => void;
  onDown?: () => void;
  onRemove: () => void;
};

function RuleCard({ rule, rules, permissions, errors, onRule, onUp, onDown, onRemove }: CardProps) {
  const edit = (changes: Partial<Rule>) => onRule({ ...rule, ...changes });
  const warned = warning(rules, rule);
  const known = ['description', 'container', 'transform'];
  const others = Object.entries(errors).filter(([path]) => !known.includes(path) && !path.startsWith('conditions['));
  return (
    <fieldset class="rule">
      <legend>Rule {rule.priority}</legend>
      <div class="rule-tools">
        <button type="button" class="up small" disabled={!onUp} onClick={onUp} aria-label={`Move rule ${rule.priority} up`}>↑</button>
        <button type="button" class="down small" disabled={!onDown} onClick={onDown} aria-label={`Move rule ${rule.priority} down`}>↓</button>
        <button type="button" class="small" onClick={onRemove} aria-label={`Remove rule ${rule.priority}`}>Remove</button>
      </div>
      <TextField label="Description" value={rule.description} maxLength={200} required onText={(description) => edit({ description })} errors={errors.description} />
      {rule.conditions ? (
        <Conditions list={rule.conditions} errors={errors} onList={(conditions) => edit({ conditions })} />
      ) : (
        <TextField label="Container" class="code" value={rule.container ?? ''} required onText={(container) => edit({ container })} errors={errors.container} hint="Includes containers below it. Example: /pci/. Use / for all tokens." />
      )}
      <div class="pair">
        <fieldset class="checks">
          <legend>Permissions</legend>
          {permissions.map((each) => (
            <Check
              key={each.type}
              label={<code>{each.type}</code>}
              checked={rule.permissions.includes(each.type)}
              onCheck={(on) => edit({ permissions: on ? [...rule.permissions, each.type] : rule.permissions.filter((one) => one !== each.type) })}
            />
          ))}
        </fieldset>
        <Select label="Responses show" value={rule.transform} options={TRANSFORMS} onPick={(transform) => edit({ transform })} errors={errors.transform} />
      </div>
      {others.map(([path, messages]) => <p class="wrong" key={path}>{messages.join('; ')}</p>)}
      <div class="explained" aria-live="polite">
        <p>{describe(rule)}</p>
        {warned && <p class="warned">{warned}</p>}
      </div>
    </fieldset>
  );
}

function Conditions({ list, errors, onList }: { list: Condition[]; errors: Errors; onList: (list: Condition[]) => void }) {
  const edit = (at: number, changes: Partial<Condition>) => onList(list.map((each, index) => (index === at ? { ...each, ...changes } : each)));
  const box = useRowFocus(list.length);
  return (
    <fieldset class="conditions" ref={box}>
      <legend>Conditions (all must match)</legend>
      {list.map((each, at) => (
        <div class="condition" key={at}>
          <Select label="Token attribute" value={each.attribute} options={ATTRIBUTES} onPick={(attribute) => edit(at, { attribute })} errors={errors[`conditions[${at}].attribute`]} />
          <Select label="Comparison" value={each.operator} options={OPERATORS} onPick={(operator) => edit(at, { operator })} errors={errors[`conditions[${at}].operator`]} />
          <TextField label="Value" class="code" value={each.value} required onText={(value) => edit(at, { value })} errors={errors[`conditions[${at}].value`]} />
          <button type="button" disabled={list.length < 2} onClick={() => onList(list.filter((_, index) => index !== at))} aria-label={`Remove condition ${at + 1}`}>Remove</button>
        </div>
      ))}
      <button type="button" onClick={() => onList([...list, CONDITION])}>Add a condition</button>
    </fieldset>
  );
}
