import { narrowScopes, newApiKey, type Scope, scopes, wideScopes } from '@plataforma/contracts/new-api-key';
import { Checkbox, Choices } from '../../components/field/choices.tsx';
import { Field, TextArea } from '../../components/field/field.tsx';
import { useFieldError } from '../../components/form/field-errors.ts';
import { filledIn, named, textIn } from '../../components/form/form.tsx';
import { call, environment } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { offsetText } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { FormDialog } from '../changes/form-dialog.tsx';
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

interface Choice {
  legend: string;
  of: readonly Scope[];
  /** True if the scope is selected when the form opens. */
  isChosen?: boolean;
}

function ScopeChoice({ legend, of, isChosen = false }: Choice) {
  const words = useWords(keyWords);
  const isWrong = useFieldError('scopes') !== undefined;
  return (
    <Choices legend={legend} {...(isChosen && { name: 'scopes' })}>
      {of.map((scope) => (
        <Checkbox
          key={scope}
          name={scope}
          label={words.scope[scope]}
          defaultChecked={isChosen}
          aria-invalid={isWrong}
        />
      ))}
    </Choices>
  );
}

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
      <ScopeChoice legend={words.scopes} of={wideScopes} isChosen />
      <ScopeChoice legend={words.narrower} of={narrowScopes} />
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
