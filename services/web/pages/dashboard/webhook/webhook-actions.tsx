import type { WebhookConfigurationView } from '@plataforma/contracts';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ConfirmChange } from '../changes/confirm-change.tsx';
import { webhookWords } from '../webhooks/words.ts';

const load = () => import('../webhooks/webhook-dialogs.tsx');
const EditWebhook = lazy(async () => ({ default: (await load()).EditWebhook }));
const TestWebhook = lazy(async () => ({ default: (await import('./test-webhook.tsx')).TestWebhook }));
const RotateSecret = lazy(async () => ({ default: (await load()).RotateSecret }));

interface OfOne {
  webhook: WebhookConfigurationView;
}

type Opened = 'test' | 'edit' | 'rotate' | 'pause' | 'remove';

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
      {webhook.isActive && (
        <Button kind="primary" onClick={() => open('test')}>
          {words.test}
        </Button>
      )}
      <Suspense>
        {opened === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
        {opened === 'test' && <TestWebhook webhook={webhook} onClose={close} />}
        {opened === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      </Suspense>
      {opened === 'pause' && <Pause webhook={webhook} onClose={close} />}
      {opened === 'remove' && <Remove webhook={webhook} onClose={close} />}
    </>
  );
}

function Resume({ webhook: { id } }: OfOne) {
  const words = useWords(webhookWords);
  const send = () => call('PATCH /v1/webhook-config/:id', { params: { id }, body: { isActive: true } });
  return (
    <ChangeButton send={send} changes={['webhook']} done={words.resumed}>
      {words.resume}
    </ChangeButton>
  );
}

function Pause({ webhook: { id }, onClose }: OfOne & { onClose: () => void }) {
  const words = useWords(webhookWords);
  return (
    <ConfirmChange
      send={() => call('PATCH /v1/webhook-config/:id', { params: { id }, body: { isActive: false } })}
      changes={['webhook', 'delivery']}
      done={words.paused}
      title={words.pauseTitle}
      action={words.pause}
      onClose={onClose}
    >
      {words.pauseText}
    </ConfirmChange>
  );
}

function Remove({ webhook: { id }, onClose }: OfOne & { onClose: () => void }) {
  const words = useWords(webhookWords);
  const navigate = useNavigate();
  return (
    <ConfirmChange
      send={() => call('DELETE /v1/webhook-config/:id', { params: { id } })}
      changes={['webhook']}
      done={words.removed}
      onDone={() => void navigate({ to: '/developers/webhooks' })}
      title={words.removeTitle}
      action={words.remove}
      isDangerous
      onClose={onClose}
    >
      {words.removeText}
    </ConfirmChange>
  );
}
