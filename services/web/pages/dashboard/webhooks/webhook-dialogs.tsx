import '../../shared/zod.ts';
import type { WebhookConfigurationView } from '@plataforma/contracts';
import { newWebhookConfiguration, webhookChange } from '@plataforma/contracts/webhook-configuration';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Form } from '../../parts/form/form.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { NewSecret, RotateDialog } from '../changes/rotate-dialog.tsx';
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
  const change = useChange({
    send: (body: Body, idempotencyKey) => call('POST /v1/webhook-config', { body, idempotencyKey }),
    changes: ['webhook'],
    onDone: (made) => {
      setSecret(made.secret);
      onMade?.(made);
    },
  });
  if (secret !== undefined) return <NewSecret title={words.secretTitle} value={secret} onClose={onClose} />;
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <Form
        schema={newWebhookConfiguration}
        read={webhookIn}
        change={change}
        action={words.make}
        onCancel={onClose}
      >
        <WebhookFields url={url} />
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
  const change = useChange({
    send: (body: Body) => call('PATCH /v1/webhook-config/:id', { params: { id: webhook.id }, body }),
    changes: ['webhook'],
    onDone: () => {
      toast(words.saved);
      onClose();
    },
  });
  return (
    <Dialog title={words.editTitle} onClose={onClose}>
      <Form schema={webhookChange} read={webhookIn} change={change} action={words.save} onCancel={onClose}>
        <WebhookFields url={webhook.url} webhook={webhook} />
      </Form>
    </Dialog>
  );
}

export function RotateSecret({ webhook: { id }, onClose }: OfOne) {
  const words = useWords(webhookWords);
  return (
    <RotateDialog
      title={words.rotateTitle}
      text={words.rotateText}
      words={words}
      graces={['day', 'none', 'hour', 'week']}
      send={async (body, idempotencyKey) => {
        const params = { id };
        return (await call('POST /v1/webhook-config/:id/rotate-secret', { params, body, idempotencyKey }))
          .secret;
      }}
      changes={['webhook']}
      onClose={onClose}
    />
  );
}
