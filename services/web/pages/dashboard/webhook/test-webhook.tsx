import '../../shared/zod.ts';
import type { WebhookConfigurationView } from '@plataforma/contracts';
import { webhookEventTypes, webhookTest } from '@plataforma/contracts/webhook-configuration';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Field, Select } from '../../parts/field/field.tsx';
import { Form, textOrNothing } from '../../parts/form/form.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { webhookWords } from '../webhooks/words.ts';

interface Props {
  webhook: WebhookConfigurationView;
  onClose: () => void;
}

const PLAIN = 'webhook.test';

function testIn(data: FormData) {
  const event = webhookEventTypes.find((each) => each === data.get('event'));
  return event ? { event, objectId: textOrNothing(data, 'objectId') } : {};
}

/** A plain test, or a chosen event with a body made of one of the merchant's own objects. */
export function TestWebhook({ webhook: { id }, onClose }: Props) {
  const words = useWords(webhookWords);
  const [event, setEvent] = useState<string>(PLAIN);
  const change = useChange({
    send: (body: ReturnType<typeof testIn>, idempotencyKey) =>
      call('POST /v1/webhook-config/:id/test', { params: { id }, body, idempotencyKey }),
    changes: ['delivery', 'webhook'],
    onDone: () => {
      toast(words.tested);
      onClose();
    },
  });
  return (
    <Dialog title={words.testTitle} onClose={onClose}>
      <Form schema={webhookTest} read={testIn} change={change} action={words.test} onCancel={onClose}>
        <p>{words.testText}</p>
        <Select
          label={words.event}
          name="event"
          value={event}
          options={[PLAIN, ...webhookEventTypes].map((value) => ({ value, label: value }))}
          onChange={({ target }) => setEvent(target.value)}
        />
        {event !== PLAIN && (
          <Field
            label={words.objectId}
            name="objectId"
            hint={words.objectHint}
            autoComplete="off"
            required={false}
          />
        )}
      </Form>
    </Dialog>
  );
}
