import type { ChargeView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button, buttonClass } from '../../components/button/button.tsx';
import { call, environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ChangeButton } from '../changes/change-button.tsx';
import { ConfirmButton } from '../changes/confirm-change.tsx';
import { PlayCharge } from './play-charge.tsx';
import { chargeWords } from './words.ts';

/** The dialog is loaded when it opens, because its schema would make the page's script larger. */
const RefundDialog = lazy(async () => ({ default: (await import('./refund-dialog.tsx')).RefundDialog }));

export function ChargeActions({ charge }: { charge: ChargeView }) {
  const words = useWords(chargeWords);
  const [isRefunding, setRefunding] = useState(false);
  const isPending = charge.status === 'PENDING';
  return (
    <>
      {charge.paidAt !== null && (
        <Link to="/charges/$id/receipt" params={{ id: charge.id }} className={buttonClass()}>
          {words.receipt}
        </Link>
      )}
      {isPending && environment === 'sandbox' && <Simulate id={charge.id} />}
      {environment === 'sandbox' && <PlayCharge charge={charge} />}
      <ConfirmButton
        isOffered={isPending}
        kind="danger"
        send={() => call('DELETE /v1/charges/:id', { params: { id: charge.id } })}
        changes={['charge']}
        done={words.cancelled}
        title={words.cancelTitle}
        action={words.cancelCharge}
        dismissLabel={words.keep}
        isDangerous
      >
        <p>{words.cancelText}</p>
      </ConfirmButton>
      {isRefundable(charge) && (
        <Button icon="refunds" onClick={() => setRefunding(true)}>
          {words.refund}
        </Button>
      )}
      <Suspense>
        {isRefunding && <RefundDialog charge={charge} onClose={() => setRefunding(false)} />}
      </Suspense>
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
