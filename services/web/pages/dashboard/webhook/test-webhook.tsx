import type { WebhookConfigurationView } from '@plataforma/contracts';
import { webhookEventTypes, webhookTest } from '@plataforma/contracts/webhook-configuration';
import { useState } from 'react';
import { Field, Select } from '../../components/field/field.tsx';
import { filledIn, named } from '../../components/form/form.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { FormDialog } from '../changes/form-dialog.tsx';
import { webhookWords } from '../webhooks/words.ts';

interface Props {
  webhook: WebhookConfigurationView;
  onClose: () => void;
}

const PLAIN = 'webhook.test';

function testIn(data: FormData) {
  const event = webhookEventTypes.find((each) => each === data.get('event'));
  return event ? { event, ...filledIn(data, 'objectId') } : {};
}

/**
 * A dialog that sends a simple test event to a webhook. It can also send an event of a chosen type with the
 * data of one of the merchant's objects.
 */
export function TestWebhook({ webhook: { id }, onClose }: Props) {
  const words = useWords(webhookWords);
  const [event, setEvent] = useState<string>(PLAIN);
  return (
    <FormDialog
      title={words.testTitle}
      schema={webhookTest}
      read={testIn}
      send={(body, idempotencyKey) =>
        call('POST /v1/webhook-config/:id/test', { params: { id }, body, idempotencyKey })
      }
      changes={['delivery', 'webhook']}
      action={words.test}
      done={words.tested}
      onClose={onClose}
    >
      <p>{words.testText}</p>
      <Select
        {...named(words, 'event')}
        value={event}
        options={[PLAIN, ...webhookEventTypes].map((value) => ({ value, label: value }))}
        onChange={({ target }) => setEvent(target.value)}
      />
      {event !== PLAIN && <Field {...named(words, 'objectId')} autoComplete="off" required={false} />}
    </FormDialog>
  );
}
