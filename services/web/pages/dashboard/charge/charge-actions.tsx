import type { ChargeView } from '@plataforma/contracts';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { call, environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ConfirmChange } from '../changes/confirm-change.tsx';
import { PlayCharge } from './play-charge.tsx';
import { chargeWords } from './words.ts';

/** Its schema comes with the dialog, and not with the page. */
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog.tsx')).RefundDialog }));

export function ChargeActions({ charge }: { charge: ChargeView }) {
  const words = useWords(chargeWords);
  const [open, setOpen] = useState<'refund' | 'cancel'>();
  const close = () => setOpen(undefined);
  const isPending = charge.status === 'PENDING';
  return (
    <>
      {isPending && environment === 'sandbox' && <Simulate id={charge.id} />}
      {environment === 'sandbox' && <PlayCharge charge={charge} />}
      {isPending && (
        <Button kind="danger" onClick={() => setOpen('cancel')}>
          {words.cancel}
        </Button>
      )}
      {isRefundable(charge) && (
        <Button icon="refunds" onClick={() => setOpen('refund')}>
          {words.refund}
        </Button>
      )}
      {open === 'cancel' && <CancelDialog id={charge.id} onClose={close} />}
      <Suspense>{open === 'refund' && <RefundDialog charge={charge} onClose={close} />}</Suspense>
    </>
  );
}

function isRefundable({ status, refunds }: ChargeView): boolean {
  return status === 'PAID' && !refunds.some((refund) => refund.status === 'PROCESSING');
}

function Simulate({ id }: { id: string }) {
  const words = useWords(chargeWords);
  const send = (idempotencyKey: string) =>
    call('POST /v1/charges/:id/simulate-payment', { params: { id }, idempotencyKey });
  return (
    <ChangeButton send={send} changes={['charge', 'balance']} done={words.simulated}>
      {words.simulate}
    </ChangeButton>
  );
}

function CancelDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(chargeWords);
  return (
    <ConfirmChange
      send={() => call('DELETE /v1/charges/:id', { params: { id } })}
      changes={['charge']}
      done={words.cancelled}
      title={words.cancelTitle}
      action={words.cancel}
      keep={words.keep}
      isDangerous
      onClose={onClose}
    >
      <p>{words.cancelText}</p>
    </ConfirmChange>
  );
}
