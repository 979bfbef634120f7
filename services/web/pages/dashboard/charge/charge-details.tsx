import type { ChargeView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { Method } from '../charges/charge-table.tsx';
import { remainingNet } from '../charges/refunded.tsx';
import { chargeWords } from './words.ts';

export function ChargeDetails({ charge }: { charge: ChargeView }) {
  const words = useWords(chargeWords);
  const net = remainingNet(charge);
  const { settlesAt, paidAt, expiresAt, paymentLinkId, refundedAmount } = charge;
  return (
    <Card title={words.details}>
      <Details
        details={[
          { label: words.order, value: charge.externalId, copy: charge.externalId },
          { label: words.description, value: charge.description },
          { label: words.payer, value: charge.payerName },
          { label: words.document, value: charge.payerDocument },
          { label: words.email, value: charge.payerEmail },
          { label: words.method, value: <Method charge={charge} /> },
          { label: words.installments, value: charge.installments },
          { label: words.amount, value: <Money cents={charge.amount} /> },
          { label: words.fee, value: <Money cents={charge.feeAmount} /> },
          { label: words.refunded, value: refundedAmount !== null && <Money cents={refundedAmount} /> },
          { label: words.net, value: net !== null && <Money cents={net} /> },
          { label: words.fromLink, value: paymentLinkId && <OwnLink id={paymentLinkId} /> },
          { label: words.created, value: <Time at={charge.createdAt} /> },
          { label: words.expires, value: expiresAt && !paidAt ? <Time at={expiresAt} /> : null },
          { label: words.paid, value: paidAt && <Time at={paidAt} /> },
          { label: words.settles, value: settlesAt && !isTaken(charge) ? <Time at={settlesAt} /> : null },
          { label: words.endToEnd, value: charge.endToEndId, copy: charge.endToEndId },
          { label: 'NSU', value: charge.nsu, copy: charge.nsu },
          { label: words.authorization, value: charge.authorizationCode, copy: charge.authorizationCode },
          { label: words.acquirerId, value: charge.acquirerId, copy: charge.acquirerId },
          { label: 'txid', value: charge.txid, copy: charge.txid },
          { label: 'ID', value: charge.id, copy: charge.id },
          ...Object.entries(charge.metadata).map(([label, value]) => ({ label, value })),
        ]}
      />
    </Card>
  );
}

/** Returns whether refunds took all of the charge's money before the money was settled. */
function isTaken({ refundedAmount, refundedAt, netAmount, settlesAt }: ChargeView): boolean {
  if (settlesAt === null || refundedAt === null) return false;
  return (refundedAmount ?? 0) >= netAmount && refundedAt < settlesAt;
}

function OwnLink({ id }: { id: string }) {
  const words = useWords(chargeWords);
  return (
    <Link to="/payment-links/$id" params={{ id }}>
      {words.paymentLink}
    </Link>
  );
}
