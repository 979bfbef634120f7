import type { WebhookConfigurationView } from '@plataforma/contracts';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ConfirmButton } from '../changes/confirm-change.tsx';
import { webhookWords } from '../webhooks/words.ts';

const load = () => import('../webhooks/webhook-dialogs.tsx');
const EditWebhook = lazy(async () => ({ default: (await load()).EditWebhook }));
const TestWebhook = lazy(async () => ({ default: (await import('./test-webhook.tsx')).TestWebhook }));
const ResendFailed = lazy(async () => ({ default: (await import('./resend-failed.tsx')).ResendFailed }));
const RotateSecret = lazy(async () => ({ default: (await load()).RotateSecret }));

export function WebhookActions({ webhook }: { webhook: WebhookConfigurationView }) {
  const words = useWords(webhookWords);
  const navigate = useNavigate();
  const [opened, open] = useState<'test' | 'edit' | 'rotate' | 'resend'>();
  const dialog = { webhook, onClose: () => open(undefined) };
  const params = { id: webhook.id };
  const setActive = (isActive: boolean) =>
    call('PATCH /v1/webhook-config/:id', { params, body: { isActive } });
  return (
    <>
      <Button onClick={() => open('edit')}>{words.edit}</Button>
      <Button onClick={() => open('rotate')}>{words.rotate}</Button>
      <ConfirmButton
        isOffered={webhook.isActive}
        send={() => setActive(false)}
        changes={['webhook', 'delivery']}
        done={words.paused}
        title={words.pauseTitle}
        action={words.pause}
      >
        {words.pauseText}
      </ConfirmButton>
      {!webhook.isActive && (
        <ChangeButton send={() => setActive(true)} changes={['webhook']} done={words.resumed}>
          {words.resume}
        </ChangeButton>
      )}
      <ConfirmButton
        kind="danger"
        send={() => call('DELETE /v1/webhook-config/:id', { params })}
        changes={['webhook']}
        done={words.removed}
        onDone={() => void navigate({ to: '/developers/webhooks' })}
        title={words.removeTitle}
        action={words.remove}
        isDangerous
      >
        {words.removeText}
      </ConfirmButton>
      {webhook.isActive && <Button onClick={() => open('resend')}>{words.resendFailed}</Button>}
      {webhook.isActive && (
        <Button kind="primary" onClick={() => open('test')}>
          {words.test}
        </Button>
      )}
      <Suspense>
        {opened === 'edit' && <EditWebhook {...dialog} />}
        {opened === 'resend' && <ResendFailed {...dialog} />}
        {opened === 'test' && <TestWebhook {...dialog} />}
        {opened === 'rotate' && <RotateSecret {...dialog} />}
      </Suspense>
    </>
  );
}
