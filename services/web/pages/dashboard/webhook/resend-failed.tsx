import type { WebhookConfigurationView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Select } from '../../components/field/field.tsx';
import { Form, FormActions, named } from '../../components/form/form.tsx';
import { partWords } from '../../components/words.ts';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { optionsOf } from '../options.ts';
import { deliveriesCountQuery } from '../webhooks/queries.ts';
import styles from '../webhooks/webhooks.module.css';
import { webhookWords } from '../webhooks/words.ts';

interface Props {
  webhook: WebhookConfigurationView;
  onClose: () => void;
}

const HOURS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 };
const HOUR_MS = 3_600_000;

/** A dialog that resends a webhook's failed deliveries, and shows how many deliveries are still waiting. */
export function ResendFailed({ webhook: { id }, onClose }: Props) {
  const words = useWords(webhookWords);
  const [openedAt] = useState(() => Date.now());
  const [period, setPeriod] = useState<keyof typeof HOURS>('day');
  const since = new Date(openedAt - HOURS[period] * HOUR_MS).toISOString();
  const failed = useQuery(deliveriesCountQuery({ webhookId: id, status: 'FAILED', startDate: since }));
  const change = useChange({
    send: (_: object, idempotencyKey) => resendAll(id, since, idempotencyKey),
    changes: ['delivery', 'webhook'],
  });
  const count = failed.data ?? 0;
  return (
    <Dialog title={words.resendTitle} onClose={onClose}>
      {change.data === undefined ? (
        <Form read={() => ({})} change={change}>
          <p>{words.resendText}</p>
          <Select
            {...named(words, 'since')}
            value={period}
            options={optionsOf(words.periods)}
            onChange={({ target }) => setPeriod(valueIn(target.value))}
          />
          <p role="status">{failed.data !== undefined && words.failedCount(count)}</p>
          <FormActions onCancel={onClose}>
            <Button type="submit" kind="primary" busy={change.isPending} disabled={count === 0}>
              {words.resendAll}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <Progress webhookId={id} since={since} resent={change.data} onClose={onClose} />
      )}
    </Dialog>
  );
}

const valueIn = (value: string): keyof typeof HOURS =>
  value === 'hour' || value === 'week' || value === 'month' ? value : 'day';

/** Repeats the request until no failed delivery is left. Returns the number of resent deliveries. */
async function resendAll(id: string, since: string, idempotencyKey: string): Promise<number> {
  let resent = 0;
  let next: string | null = since;
  for (let request = 1; next !== null; request += 1) {
    const answer: { resent: number; nextSince: string | null } = await call(
      'POST /v1/webhook-config/:id/resend',
      { params: { id }, body: { since: next }, idempotencyKey: `${idempotencyKey}-${request}` },
    );
    resent += answer.resent;
    next = answer.nextSince;
  }
  return resent;
}

interface ProgressProps {
  webhookId: string;
  since: string;
  resent: number;
  onClose: () => void;
}

function Progress({ webhookId, since, resent, onClose }: ProgressProps) {
  const words = useWords(webhookWords);
  const { close } = useWords(partWords);
  const waiting = useQuery(deliveriesCountQuery({ webhookId, status: 'PENDING', startDate: since })).data;
  const left = Math.min(waiting ?? resent, resent);
  return (
    <>
      <progress
        className={styles.progress}
        max={Math.max(resent, 1)}
        value={resent - left}
        aria-label={words.resendTitle}
      />
      <p role="status">{words.resentCount(resent - left, resent)}</p>
      <FormActions>
        <Button kind="primary" onClick={onClose}>
          {close}
        </Button>
      </FormActions>
    </>
  );
}
