import '../../shared/zod.ts';
import { narrowScopes, newApiKey, type Scope, scopes, wideScopes } from '@plataforma/contracts/new-api-key';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Checkbox, Choices } from '../../parts/field/choices.tsx';
import { Field, TextArea } from '../../parts/field/field.tsx';
import { useFieldError } from '../../parts/form/field-errors.ts';
import { Form, textIn, textOrNothing } from '../../parts/form/form.tsx';
import { call, environment } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { offsetText } from '../../shared/format.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { NewSecret } from '../changes/rotate-dialog.tsx';
import { keyWords } from './words.ts';

/** Of the environment that the page shows. */
function keyIn(data: FormData) {
  const expiresAt = textOrNothing(data, 'expiresAt');
  const allowedIps = textIn(data, 'allowedIps')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    name: textIn(data, 'name'),
    environment,
    scopes: scopes.filter((scope) => data.has(scope)),
    allowedIps,
    ...(expiresAt && { expiresAt }),
  };
}

interface Choice {
  legend: string;
  of: readonly Scope[];
  /** At first. */
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

interface Props {
  onClose: () => void;
  onMade?: (key: string) => void;
}

export function NewKey({ onClose, onMade }: Props) {
  const words = useWords(keyWords);
  const offset = offsetText(useNow(), useZone());
  const [secret, setSecret] = useState<string>();
  const change = useChange({
    send: (body: ReturnType<typeof keyIn>, idempotencyKey) =>
      call('POST /v1/api-keys', { body, idempotencyKey }),
    changes: ['api-key'],
    onDone: ({ key }) => {
      setSecret(key);
      onMade?.(key);
    },
  });
  if (secret !== undefined) return <NewSecret title={words.secretTitle} value={secret} onClose={onClose} />;
  return (
    <Dialog title={`${words.createTitle} · ${words.environments[environment]}`} onClose={onClose}>
      <Form schema={newApiKey} read={keyIn} change={change} action={words.make} onCancel={onClose}>
        <Field
          label={words.name}
          name="name"
          hint={words.nameHint}
          autoComplete="off"
          maxLength={120}
          required
          autoFocus
        />
        <ScopeChoice legend={words.scopes} of={wideScopes} isChosen />
        <ScopeChoice legend={words.parts} of={narrowScopes} />
        <TextArea
          label={words.addresses}
          name="allowedIps"
          hint={words.addressesHint}
          rows={2}
          required={false}
        />
        <Field
          label={words.expires}
          name="expiresAt"
          type="date"
          hint={words.expiresHint(offset)}
          required={false}
        />
      </Form>
    </Dialog>
  );
}
