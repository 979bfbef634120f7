import type { WebhookConfigurationView } from '@plataforma/contracts';
import { newWebhookConfiguration, webhookChange } from '@plataforma/contracts/webhook-configuration';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { FormDialog } from '../changes/form-dialog.tsx';
import { RotateDialog } from '../changes/rotate-dialog.tsx';
import { WebhookFields, webhookIn } from './webhook-fields.tsx';
import { webhookWords } from './words.ts';

interface NewProps {
  onClose: () => void;
  url?: string | undefined;
  onMade?: (made: { id: string; secret: string }) => void;
}

export function NewWebhook({ onClose, url, onMade }: NewProps) {
  const words = useWords(webhookWords);
  return (
    <FormDialog
      title={words.createTitle}
      schema={newWebhookConfiguration}
      read={webhookIn}
      send={(body, idempotencyKey) => call('POST /v1/webhook-config', { body, idempotencyKey })}
      changes={['webhook']}
      action={words.make}
      secret={{ title: words.secretTitle, of: ({ secret }) => secret }}
      onDone={onMade}
      onClose={onClose}
    >
      <WebhookFields url={url} />
    </FormDialog>
  );
}

interface OfOne {
  webhook: WebhookConfigurationView;
  onClose: () => void;
}

export function EditWebhook({ webhook, onClose }: OfOne) {
  const words = useWords(webhookWords);
  return (
    <FormDialog
      title={words.editTitle}
      schema={webhookChange}
      read={webhookIn}
      send={(body) => call('PATCH /v1/webhook-config/:id', { params: { id: webhook.id }, body })}
      changes={['webhook']}
      action={words.save}
      done={words.saved}
      onClose={onClose}
    >
      <WebhookFields url={webhook.url} webhook={webhook} />
    </FormDialog>
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
