import '../../shared/zod.ts';
import type { WebhookConfigurationView } from '@plataforma/contracts';
import { newWebhookConfiguration, webhookChange } from '@plataforma/contracts/webhook-configuration';
import { useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Form, FormActions } from '../../parts/form/form.tsx';
import { Secret } from '../../parts/secret/secret.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { WebhookFields, webhookIn } from './webhook-fields.tsx';
import { webhookWords } from './words.ts';

type Body = ReturnType<typeof webhookIn>;

interface NewProps {
  onClose: () => void;
  /** Of the receiver, where the page knows it. */
  url?: string | undefined;
  onMade?: (made: { id: string; secret: string }) => void;
}

export function NewWebhook({ onClose, url, onMade }: NewProps) {
  const words = useWords(webhookWords);
  const [secret, setSecret] = useState<string>();
  const { mutate, error, isPending } = useChange({
    send: (body: Body, idempotencyKey) => call('POST /v1/webhook-config', { body, idempotencyKey }),
    changes: ['webhook'],
    onDone: (made) => {
      setSecret(made.secret);
      onMade?.(made);
    },
  });
  if (secret !== undefined) return <WebhookSecret value={secret} onClose={onClose} />;
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <Form schema={newWebhookConfiguration} read={webhookIn} send={mutate} error={error}>
        <WebhookFields url={url} />
        <FormActions onCancel={onClose}>
          <Button type="submit" kind="primary" busy={isPending}>
            {words.make}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

interface OfOne {
  webhook: WebhookConfigurationView;
  onClose: () => void;
}

export function EditWebhook({ webhook, onClose }: OfOne) {
  const words = useWords(webhookWords);
  const { mutate, error, isPending } = useChange({
    send: (body: Body) => call('PATCH /v1/webhook-config/:id', { params: { id: webhook.id }, body }),
    changes: ['webhook'],
    onDone: () => {
      toast(words.saved);
      onClose();
    },
  });
  return (
    <Dialog title={words.editTitle} onClose={onClose}>
      <Form schema={webhookChange} read={webhookIn} send={mutate} error={error}>
        <WebhookFields url={webhook.url} webhook={webhook} />
        <FormActions onCancel={onClose}>
          <Button type="submit" kind="primary" busy={isPending}>
            {words.save}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

const GRACES = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
const graces = ['day', 'none', 'hour', 'week'] as const;

function graceIn(data: FormData) {
  return { gracePeriodSeconds: GRACES[graces.find((each) => each === data.get('grace')) ?? 'day'] };
}

export function RotateSecret({ webhook, onClose }: OfOne) {
  const words = useWords(webhookWords);
  const [secret, setSecret] = useState<string>();
  const { mutate, error, isPending } = useChange({
    send: (body: ReturnType<typeof graceIn>, idempotencyKey) =>
      call('POST /v1/webhook-config/:id/rotate-secret', { params: { id: webhook.id }, body, idempotencyKey }),
    changes: ['webhook'],
    onDone: (made) => setSecret(made.secret),
  });
  if (secret !== undefined) return <WebhookSecret value={secret} onClose={onClose} />;
  return (
    <Dialog title={words.rotateTitle} onClose={onClose}>
      <Form read={graceIn} send={mutate} error={error}>
        <p>{words.rotateText}</p>
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

/** Nothing but its own button closes it: the secret is not shown again. */
function WebhookSecret({ value, onClose }: { value: string; onClose: () => void }) {
  const words = useWords(webhookWords);
  return (
    <Dialog title={words.secretTitle} isClosable={false} onClose={onClose}>
      <Secret value={value} onDone={onClose} />
    </Dialog>
  );
}
