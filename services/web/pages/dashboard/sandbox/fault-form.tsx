import type { WebhookConfigurationView } from '@plataforma/contracts';
import { faultKinds, MAX_FAULTED_ATTEMPTS, newWebhookFault } from '@plataforma/contracts/webhook-fault';
import { useState } from 'react';
import { Field, Select } from '../../components/field/field.tsx';
import { Form, named, textIn } from '../../components/form/form.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { optionsOf } from '../options.ts';
import { sandboxWords } from './words.ts';

interface Props {
  webhooks: readonly WebhookConfigurationView[];
}

/**
 * A form that is created anew after each completed request, so that the next request has another
 * Idempotency-Key.
 */
export function FaultForm({ webhooks }: Props) {
  const [round, setRound] = useState(0);
  return <OneFault key={round} webhooks={webhooks} onDone={() => setRound((before) => before + 1)} />;
}

function faultIn(data: FormData) {
  const kind = faultKinds.find((each) => each === textIn(data, 'kind')) ?? 'duplicate';
  return { webhookId: textIn(data, 'webhookId'), kind, count: Number(textIn(data, 'count')) };
}

function OneFault({ webhooks, onDone }: Props & { onDone: () => void }) {
  const { faults: words } = useWords(sandboxWords);
  const change = useChange({
    send: (body: ReturnType<typeof faultIn>, idempotencyKey) =>
      call('POST /v1/sandbox/webhook-faults', { body, idempotencyKey }),
    changes: ['fault'],
    done: words.begun,
    onDone,
  });
  const urls = webhooks.map(({ id, url }) => ({ value: id, label: url }));
  return (
    <Form schema={newWebhookFault} read={faultIn} change={change} action={words.begin}>
      <Select {...named(words, 'webhookId')} options={urls} />
      <Select {...named(words, 'kind')} options={optionsOf(words.kinds, faultKinds)} />
      <Field {...named(words, 'count')} type="number" min={1} max={MAX_FAULTED_ATTEMPTS} defaultValue={1} />
    </Form>
  );
}
