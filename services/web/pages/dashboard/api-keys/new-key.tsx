import { newApiKey, type Scope, scopes } from '@plataforma/contracts/new-api-key';
import { useState } from 'react';
import { Checkbox, Choices } from '../../components/field/choices.tsx';
import { Field, TextArea } from '../../components/field/field.tsx';
import { useFieldError } from '../../components/form/field-errors.ts';
import { filledIn, named, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Segments } from '../../components/tabs/tabs.tsx';
import { call, environment } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { offsetText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { FormDialog } from '../changes/form-dialog.tsx';
import { optionsOf } from '../options.ts';
import { type KeyUse, scopesOfUse } from './uses.ts';
import { keyWords } from './words.ts';

function keyIn(data: FormData) {
  const allowedIps = textIn(data, 'allowedIps')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    name: textIn(data, 'name'),
    environment,
    scopes: scopes.filter((scope) => data.has(scope)),
    allowedIps,
    ...filledIn(data, 'expiresAt'),
  };
}

/** The fields for the scopes of a new key. The user chooses a use of the key, or each scope. */
function ScopeFields() {
  const words = useWords(keyWords);
  const [use, setUse] = useState<KeyUse | 'own'>('shop');
  const [chosen, setChosen] = useState<readonly Scope[]>(scopesOfUse.shop);
  const choose = (next: KeyUse | 'own') => {
    setUse(next);
    if (next !== 'own') setChosen(scopesOfUse[next]);
  };
  return (
    <>
      <Segments
        label={words.use}
        value={use}
        options={optionsOf({ ...words.uses, own: words.own })}
        onChange={choose}
      />
      {use === 'own' ? (
        <OwnScopes chosen={chosen} onChange={setChosen} />
      ) : (
        <p className={layout.soft}>
          {chosen.map((scope) => words.scope[scope]).join(' · ')}
          {chosen.map((scope) => (
            <input key={scope} type="hidden" name={scope} value="on" />
          ))}
        </p>
      )}
    </>
  );
}

interface OwnProps {
  chosen: readonly Scope[];
  onChange: (chosen: readonly Scope[]) => void;
}

/** Hides the scopes that a chosen scope already includes. */
function OwnScopes({ chosen, onChange }: OwnProps) {
  const words = useWords(keyWords);
  const isWrong = useFieldError('scopes') !== undefined;
  const offered = scopes.filter((scope) => !includedIn[scope]?.some((wide) => chosen.includes(wide)));
  return (
    <Choices legend={words.scopes} name="scopes">
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          name={scope}
          label={words.scope[scope]}
          checked={chosen.includes(scope)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
          }
          aria-invalid={isWrong}
        />
      ))}
    </Choices>
  );
}

const includedIn: Partial<Record<Scope, readonly Scope[]>> = {
  'charges:read': ['charges:write'],
  'refunds:write': ['charges:write'],
  'disputes:write': ['charges:write'],
};

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade?: (key: string) => void }) {
  const words = useWords(keyWords);
  const offset = offsetText(useNow(), useZone());
  return (
    <FormDialog
      title={`${words.createTitle} · ${words.environments[environment]}`}
      schema={newApiKey}
      read={keyIn}
      send={(body, idempotencyKey) => call('POST /v1/api-keys', { body, idempotencyKey })}
      changes={['api-key']}
      action={words.make}
      secret={{ title: words.secretTitle, of: ({ key }) => key }}
      onDone={({ key }) => onMade?.(key)}
      onClose={onClose}
    >
      <Field {...named(words, 'name')} autoComplete="off" maxLength={120} required autoFocus />
      <ScopeFields />
      <TextArea {...named(words, 'allowedIps')} rows={2} required={false} />
      <Field
        label={words.expires}
        name="expiresAt"
        type="date"
        hint={words.expiresHint(offset)}
        required={false}
      />
    </FormDialog>
  );
}
