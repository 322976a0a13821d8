import type { Condition, Rule } from './api';

/** The grants of an application, which decide as in the vault. */
export interface Policy {
  type: string;
  permissions: string[];
  rules: Rule[];
}

/** A token to decide about; only rules of expiring applications use the id. */
export interface Subject {
  id: string;
  container: string;
}

export interface Step {
  text: string;
  decides: boolean;
}

export interface Verdict {
  allowed: boolean;
  summary: string;
  steps: Step[];
}

const DEEDS: Record<string, string> = {
  'token:create': 'create',
  'token:update': 'change',
  'token:read': 'read',
  'token:search': 'search for',
  'token:delete': 'delete',
  'token:use': 'use in proxied requests',
};

const SHOWN: Record<string, string> = {
  reveal: 'plaintext',
  mask: 'the mask, or no data for tokens without one',
  redact: 'no data',
};

/** Permissions whose responses show something of a token. */
const SHOWING = ['token:create', 'token:update', 'token:read', 'token:search'];

export function deed(permission: string): string {
  return DEEDS[permission] ?? permission;
}

export function listing(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** In ascending priority, which is the order of deciding. */
export function byPrecedence(rules: Rule[]): Rule[] {
  return [...rules].sort((one, other) => one.priority - other.priority);
}

/** One rule in a sentence or two, or what it still lacks. */
export function describe(rule: Rule): string {
  if (rule.permissions.length === 0) return 'Grants nothing yet: choose at least one permission.';
  const where = whereOf(rule);
  if (!where) return rule.conditions ? 'Covers nothing yet: enter a value for each condition.' : 'Covers nothing yet: enter a container such as /pci/.';
  const may = `Can ${listing(rule.permissions.map(deed))} ${where}.`;
  return `${may}${shownBy(rule)}`;
}

function shownBy(rule: Rule): string {
  const shows = rule.permissions.some((each) => SHOWING.includes(each))
    ? ` Responses show ${SHOWN[rule.transform] ?? rule.transform}.`
    : '';
  const uses = rule.permissions.includes('token:use') ? ' Destinations receive plaintext.' : '';
  return shows + uses;
}

function whereOf(rule: Rule): string {
  if (rule.conditions) {
    if (rule.conditions.length === 0 || rule.conditions.some((each) => !each.value)) return '';
    return `tokens ${listing(rule.conditions.map(conditionInWords))}`;
  }
  if (!rule.container) return '';
  return rule.container === '/' ? 'all tokens' : `tokens in ${rule.container} and everything under it`;
}

function conditionInWords({ attribute, operator, value }: Condition): string {
  const what = attribute === 'id' ? 'whose id' : 'with a container that';
  return `${what} ${operator === 'equals' ? 'is' : 'starts with'} ${value}`;
}

/** Whether the rule speaks of the token. */
export function covers(rule: Rule, token: Subject): boolean {
  if (rule.conditions) return rule.conditions.length > 0 && rule.conditions.every((each) => holds(each, token));
  return !!rule.container && token.container.toLowerCase().startsWith(rule.container.toLowerCase());
}

function holds({ attribute, operator, value }: Condition, token: Subject): boolean {
  const actual = attribute === 'id' ? token.id : token.container.toLowerCase();
  const expected = attribute === 'id' ? value : value.toLowerCase();
  return operator === 'equals' ? actual === expected : actual.startsWith(expected);
}

/** The first rule that lists the permission and covers the token decides; else a direct permission. */
export function decide(policy: Policy, permission: string, token: Subject): Verdict {
  const steps: Step[] = [];
  for (const rule of byPrecedence(policy.rules)) {
    const name = `Rule ${rule.priority}${rule.description ? ` “${rule.description}”` : ''}`;
    if (!rule.permissions.includes(permission)) {
      steps.push({ text: `${name} does not list ${permission}.`, decides: false });
    } else if (!covers(rule, token)) {
      steps.push({ text: `${name} does not cover this token.`, decides: false });
    } else {
      steps.push({ text: `${name} decides.`, decides: true });
      return { allowed: true, summary: allowed(permission, rule.transform), steps };
    }
  }
  if (policy.permissions.includes(permission)) {
    steps.push({ text: `${permission} is granted directly, for all tokens.`, decides: true });
    return { allowed: true, summary: allowed(permission, 'mask'), steps };
  }
  steps.push({ text: `${permission} is not granted directly.`, decides: true });
  return { allowed: false, summary: `Denied: cannot ${deed(permission)} it.`, steps };
}

function allowed(permission: string, transform: string): string {
  const may = `Allowed: can ${deed(permission)} it`;
  if (permission === 'token:use') return `${may}; the destination receives plaintext.`;
  return SHOWING.includes(permission) ? `${may}; the response shows ${SHOWN[transform] ?? transform}.` : `${may}.`;
}

/** Which permissions of a rule never come to it, since an earlier rule decides for all its tokens. */
export function shadows(rules: Rule[], rule: Rule): { permission: string; by: Rule }[] {
  const earlier = byPrecedence(rules).filter((each) => each.priority < rule.priority);
  return rule.permissions.flatMap((permission) => {
    const by = earlier.find((each) => each.permissions.includes(permission) && coversAllOf(each, rule));
    return by ? [{ permission, by }] : [];
  });
}

function coversAllOf(earlier: Rule, later: Rule): boolean {
  if (earlier.conditions || later.conditions) {
    const given = later.conditions ?? [];
    const asked = earlier.conditions ?? [];
    return asked.length > 0 && asked.every((one) => given.some((other) => follows(one, other)));
  }
  if (!earlier.container || !later.container) return false;
  return later.container.toLowerCase().startsWith(earlier.container.toLowerCase());
}

/** Whether what the other condition asks for makes this one hold. */
function follows(one: Condition, other: Condition): boolean {
  if (one.attribute !== other.attribute || !one.value) return false;
  const [needed, given] = one.attribute === 'id' ? [one.value, other.value] : [one.value.toLowerCase(), other.value.toLowerCase()];
  return one.operator === 'equals' ? other.operator === 'equals' && needed === given : given.startsWith(needed);
}

/** The warning about a rule that cannot decide for some or all of its permissions; empty if none. */
export function warning(rules: Rule[], rule: Rule): string {
  if (rules.some((each) => each !== rule && each.priority === rule.priority)) {
    return `Another rule also has priority ${rule.priority}; priorities must be unique.`;
  }
  const found = shadows(rules, rule);
  if (found.length === 0) return '';
  const by = [...new Set(found.map((each) => each.by.priority))];
  const rulesBy = `rule${by.length > 1 ? 's' : ''} ${listing(by.map(String))}`;
  const verb = by.length > 1 ? 'decide' : 'decides';
  if (found.length === rule.permissions.length) return `Never applies: ${rulesBy} ${verb} first for everything that it covers.`;
  return `Does not apply to ${listing(found.map((each) => each.permission))}: ${rulesBy} ${verb} first.`;
}
