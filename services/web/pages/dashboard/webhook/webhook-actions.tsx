import type { WebhookConfigurationView } from '@plataforma/contracts';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Confirm } from '../../parts/dialog/dialog.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { webhookWords } from '../webhooks/words.ts';

const load = () => import('../webhooks/webhook-dialogs.tsx');
const EditWebhook = lazy(async () => ({ default: (await load()).EditWebhook }));
const RotateSecret = lazy(async () => ({ default: (await load()).RotateSecret }));

interface OfOne {
  webhook: WebhookConfigurationView;
}

type Opened = 'edit' | 'rotate' | 'pause' | 'remove';

export function WebhookActions({ webhook }: OfOne) {
  const words = useWords(webhookWords);
  const [opened, open] = useState<Opened>();
  const close = () => open(undefined);
  return (
    <>
      <Button onClick={() => open('edit')}>{words.edit}</Button>
      <Button onClick={() => open('rotate')}>{words.rotate}</Button>
      {webhook.isActive ? (
        <Button onClick={() => open('pause')}>{words.pause}</Button>
      ) : (
        <Resume webhook={webhook} />
      )}
      <Button kind="danger" onClick={() => open('remove')}>
        {words.remove}
      </Button>
      {webhook.isActive && <TestButton webhook={webhook} />}
      <Suspense>
        {opened === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
        {opened === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      </Suspense>
      {opened === 'pause' && <Pause webhook={webhook} onClose={close} />}
      {opened === 'remove' && <Remove webhook={webhook} onClose={close} />}
    </>
  );
}

/** Each press is a test of its own. */
function TestButton({ webhook: { id } }: OfOne) {
  const words = useWords(webhookWords);
  const errorText = useErrorText();
  const [pressed, setPressed] = useState(0);
  return (
    <Test
      key={pressed}
      id={id}
      text={words.test}
      onDone={() => {
        toast(words.tested);
        setPressed(pressed + 1);
      }}
      onError={(error) => toast(errorText(error))}
    />
  );
}

interface TestProps {
  id: string;
  text: string;
  onDone: () => void;
  onError: (error: unknown) => void;
}

function Test({ id, text, onDone, onError }: TestProps) {
  const { mutate, isPending } = useChange({
    send: (_nothing: undefined, idempotencyKey) =>
      call('POST /v1/webhook-config/:id/test', { params: { id }, idempotencyKey }),
    changes: ['delivery'],
    onDone,
  });
  return (
    <Button kind="primary" busy={isPending} onClick={() => mutate(undefined, { onError })}>
      {text}
    </Button>
  );
}

function Resume({ webhook: { id } }: OfOne) {
  const words = useWords(webhookWords);
  const errorText = useErrorText();
  const { mutate, isPending } = useChange({
    send: () => call('PATCH /v1/webhook-config/:id', { params: { id }, body: { isActive: true } }),
    changes: ['webhook'],
    onDone: () => toast(words.resumed),
  });
  return (
    <Button
      busy={isPending}
      onClick={() => mutate(undefined, { onError: (error) => toast(errorText(error)) })}
    >
      {words.resume}
    </Button>
  );
}

function Pause({ webhook: { id }, onClose }: OfOne & { onClose: () => void }) {
  const words = useWords(webhookWords);
  const errorText = useErrorText();
  const { mutate, isPending } = useChange({
    send: () => call('PATCH /v1/webhook-config/:id', { params: { id }, body: { isActive: false } }),
    changes: ['webhook', 'delivery'],
    onDone: () => {
      toast(words.paused);
      onClose();
    },
  });
  return (
    <Confirm
      title={words.pauseTitle}
      action={words.pause}
      busy={isPending}
      onConfirm={() => mutate(undefined, { onError: (error) => toast(errorText(error)) })}
      onClose={onClose}
    >
      {words.pauseText}
    </Confirm>
  );
}

function Remove({ webhook: { id }, onClose }: OfOne & { onClose: () => void }) {
  const words = useWords(webhookWords);
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { mutate, isPending } = useChange({
    send: () => call('DELETE /v1/webhook-config/:id', { params: { id } }),
    changes: ['webhook'],
    onDone: () => {
      toast(words.removed);
      void navigate({ to: '/developers/webhooks' });
    },
  });
  return (
    <Confirm
      title={words.removeTitle}
      action={words.remove}
      isDangerous
      busy={isPending}
      onConfirm={() => mutate(undefined, { onError: (error) => toast(errorText(error)) })}
      onClose={onClose}
    >
      {words.removeText}
    </Confirm>
  );
}
