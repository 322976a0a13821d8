import { useState } from 'preact/hooks';
import { type Application, Problem, asProblem, segment } from './api';
import { TYPES } from './applications';
import { Trial } from './trial';
import { setUnsaved, to } from './route';
import { RulesEditor, ruleForType } from './rules';
import { may, useSession } from './session';
import { Check, Failure, Select, TextField } from './ui';

interface Draft {
  name: string;
  type: string;
  permissions: string[];
  rules: Application['rules'];
  minutes: string;
  creates: boolean;
}

type Props = { start: Application; fresh: boolean; onSaved: (saved: Application) => void; onEdit: () => void };

export function ApplicationForm({ start, fresh, onSaved, onEdit }: Props) {
  const session = useSession();
  const [draft, setDraft] = useState<Draft>(() => draftOf(start));
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const allowed = may(session, fresh ? 'application:create' : 'application:update');
  const edit = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    setChanged(true);
    setUnsaved(true);
    onEdit();
  };
  const grantable = session.permissions.filter((each) => each.application_types.includes(draft.type));
  const pickType = (type: string) => {
    const holds = (each: string) => session.permissions.some((one) => one.type === each && one.application_types.includes(type));
    const rules = type === 'management' ? [] : draft.rules.map((each) => ruleForType(each, type, holds));
    edit({ type, permissions: draft.permissions.filter(holds), rules });
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    const sent = fresh
      ? session.vault.call<Application>('POST', '/applications', bodyOf(draft, true))
      : session.vault.call<Application>('PUT', `/applications/${segment(start.id)}`, bodyOf(draft, false));
    sent.then(onSaved, (thrown) => setProblem(asProblem(thrown))).finally(() => setBusy(false));
  };
  const errors = problem?.errors ?? {};
  return (
    <form onSubmit={submit} class="stack">
      <section class="card">
        <h2>Basics</h2>
        <TextField label="Name" value={draft.name} onText={(name) => edit({ name })} errors={errors.name} maxLength={200} required />
        {fresh && <Select label="Type" value={draft.type} options={TYPES} onPick={pickType} errors={errors.type} hint="Cannot be changed later." />}
        {fresh && draft.type === 'expiring' && (
          <TextField label="Expires in minutes" value={draft.minutes} onText={(minutes) => edit({ minutes })} inputMode="numeric" pattern="[0-9]+" errors={errors.expires_at} hint="At most 1440 (one day)." required />
        )}
        {draft.type === 'private' && (
          <Check label="Can create expiring applications" hint="with permissions that it has itself" checked={draft.creates} onCheck={(creates) => edit({ creates })} />
        )}
      </section>
      <section class="card">
        <h2>Permissions</h2>
        <p class="hint">{draft.type === 'management' ? 'Resources that the application can administer.' : 'Granted directly, for all tokens. Responses show masks; destinations receive plaintext.'}</p>
        <fieldset class="checks">
          <legend class="hidden">Permissions granted directly</legend>
          {grantable.map((each) => (
            <Check
              key={each.type}
              label={<code>{each.type}</code>}
              hint={each.description}
              checked={draft.permissions.includes(each.type)}
              onCheck={(on) => edit({ permissions: on ? [...draft.permissions, each.type] : draft.permissions.filter((one) => one !== each.type) })}
            />
          ))}
        </fieldset>
      </section>
      {draft.type !== 'management' && (
        <>
          <RulesEditor type={draft.type} rules={draft.rules} permissions={grantable} errors={errors} onRules={(rules) => edit({ rules })} />
          <Trial policy={draft} id={fresh ? undefined : start.id} changed={changed} />
        </>
      )}
      <Failure problem={problem} known={['name', 'type', 'expires_at', ...Object.keys(errors).filter((path) => path.startsWith('rules['))]} />
      <div class="actions bar">
        {allowed && <button type="submit" class="primary" aria-disabled={busy} disabled={!fresh && !changed}>{fresh ? 'Create application' : 'Save changes'}</button>}
        <a class="button" href={to(['applications'])}>{changed ? 'Discard' : 'Back'}</a>
        {!allowed && <span class="quiet">This key can read, but not make changes.</span>}
      </div>
    </form>
  );
}

function draftOf(start: Application): Draft {
  return {
    name: start.name,
    type: start.type,
    permissions: start.permissions,
    rules: start.rules,
    minutes: '10',
    creates: !!start.can_create_expiring_applications,
  };
}

/** What is as it would be by default is left out. */
function bodyOf(draft: Draft, fresh: boolean): Record<string, unknown> {
  const body: Record<string, unknown> = { name: draft.name };
  if (draft.permissions.length > 0) body.permissions = draft.permissions;
  if (draft.rules.length > 0) body.rules = draft.rules;
  if (draft.type === 'private' && draft.creates) body.can_create_expiring_applications = true;
  if (fresh) {
    body.type = draft.type;
    if (draft.type === 'expiring') body.expires_at = new Date(Date.now() + Number(draft.minutes) * 60_000).toISOString();
  }
  return body;
}
