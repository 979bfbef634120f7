import type { ListedApiKeyView } from '@plataforma/contracts';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog/dialog.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Form, FormActions } from '../../parts/form/form.tsx';
import { Secret } from '../../parts/secret/secret.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { keyWords } from './words.ts';

interface Props {
  apiKey: ListedApiKeyView;
  onClose: () => void;
}

const GRACES = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
const graces = ['hour', 'none', 'day', 'week'] as const;

export function RotateKey({ apiKey, onClose }: Props) {
  const words = useWords(keyWords);
  const [secret, setSecret] = useState<string>();
  const { mutate, error, isPending } = useChange({
    send: (body: { gracePeriodSeconds: number }, idempotencyKey) =>
      call('POST /v1/api-keys/:id/rotate', { params: { id: apiKey.id }, body, idempotencyKey }),
    changes: ['api-key'],
    onDone: ({ key }) => setSecret(key),
  });
  if (secret !== undefined) return <NewSecret value={secret} onClose={onClose} />;

  function graceIn(data: FormData) {
    return { gracePeriodSeconds: GRACES[graces.find((each) => each === data.get('grace')) ?? 'hour'] };
  }

  return (
    <Dialog title={`${words.rotateTitle}: ${apiKey.name}`} onClose={onClose}>
      <Form read={graceIn} send={mutate} error={error}>
        <p>{words.rotateText(apiKey.scopes.map((scope) => words.scope[scope]).join(' · '))}</p>
        <Select
          label={words.grace}
          name="grace"
          options={graces.map((value) => ({ value, label: words.graces[value] }))}
        />
        <FormActions onCancel={onClose}>
          <Button type="submit" kind="primary" busy={isPending}>
            {words.rotate}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Nothing but its own button closes it: the key is not shown again. */
export function NewSecret({ value, onClose }: { value: string; onClose: () => void }) {
  const words = useWords(keyWords);
  return (
    <Dialog title={words.secretTitle} isClosable={false} onClose={onClose}>
      <Secret value={value} onDone={onClose} />
    </Dialog>
  );
}

export function RevokeKey({ apiKey, onClose }: Props) {
  const words = useWords(keyWords);
  const { mutate, error, isPending } = useChange({
    send: () => call('DELETE /v1/api-keys/:id', { params: { id: apiKey.id } }),
    changes: ['api-key'],
    onDone: () => {
      toast(words.revoked);
      onClose();
    },
  });
  return (
    <Confirm
      title={words.revokeTitle(apiKey.name)}
      action={words.revoke}
      isDangerous
      busy={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      {words.revokeText}
    </Confirm>
  );
}
