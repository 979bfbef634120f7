import type { ChargeView } from '@plataforma/contracts';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Confirm } from '../../parts/dialog/dialog.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call, environment } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
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
  const errorText = useErrorText();
  const { mutate, isPending } = useChange({
    send: (_: undefined, idempotencyKey) =>
      call('POST /v1/charges/:id/simulate-payment', { params: { id }, idempotencyKey }),
    changes: ['charge', 'balance'],
    onFailed: (error) => toast(errorText(error)),
    onDone: () => toast(words.simulated),
  });
  return (
    <Button busy={isPending} onClick={() => mutate(undefined)}>
      {words.simulate}
    </Button>
  );
}

function CancelDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(chargeWords);
  const { mutate, error, isPending } = useChange({
    send: () => call('DELETE /v1/charges/:id', { params: { id } }),
    changes: ['charge'],
    onDone: () => {
      toast(words.cancelled);
      onClose();
    },
  });
  return (
    <Confirm
      title={words.cancelTitle}
      action={words.cancel}
      keep={words.keep}
      isDangerous
      busy={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
      onClose={onClose}
    >
      <p>{words.cancelText}</p>
    </Confirm>
  );
}
