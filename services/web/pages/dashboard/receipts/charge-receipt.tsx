import type { ChargeView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Detail } from '../../components/details/details.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { chargeQuery } from '../charge/queries.ts';
import { Method } from '../charges/charge-table.tsx';
import { ReceiptPage, useOwnDetails } from './receipt-page.tsx';
import { receiptWords } from './words.ts';

const route = getRouteApi('/frame/charges/$id/receipt');
const refundRoute = getRouteApi('/frame/charges/$id/refunds/$refundId/receipt');

export function ChargeReceiptPage() {
  const words = useWords(receiptWords);
  const { payer, shop } = useParties();
  const { id } = route.useParams();
  function contentOf(charge: ChargeView) {
    if (charge.paidAt === null) return null;
    const identification = [
      { label: words.method, value: <Method charge={charge} /> },
      { label: words.description, value: charge.description },
      { label: words.order, value: charge.externalId },
      { label: words.endToEnd, value: charge.endToEndId },
      { label: 'NSU', value: charge.nsu },
      { label: words.id, value: id },
    ];
    return {
      title: words.ofCharge,
      amount: money(charge.amount),
      at: charge.paidAt,
      groups: [
        { title: words.sender, details: payer(charge) },
        { title: words.to, details: shop },
        { title: words.identification, details: identification },
      ],
    };
  }
  return <OfCharge id={id} contentOf={contentOf} />;
}

/** The receipt of a refund that has reached the payer. */
export function RefundReceiptPage() {
  const words = useWords(receiptWords);
  const { payer, shop } = useParties();
  const { id, refundId } = refundRoute.useParams();
  function contentOf(charge: ChargeView) {
    const refund = charge.refunds.find((each) => each.id === refundId);
    if (!refund?.refundedAt) return null;
    const identification = [
      { label: words.order, value: charge.externalId },
      { label: words.endToEnd, value: refund.endToEndId },
      { label: words.paymentId, value: charge.endToEndId },
      { label: words.id, value: refundId },
    ];
    return {
      title: words.ofRefund,
      amount: money(refund.amount),
      at: refund.refundedAt,
      groups: [
        { title: words.sender, details: shop },
        { title: words.to, details: payer(charge) },
        { title: words.identification, details: identification },
      ],
    };
  }
  return <OfCharge id={id} contentOf={contentOf} />;
}

function OfCharge({
  id,
  contentOf,
}: Pick<ComponentProps<typeof ReceiptPage<ChargeView>>, 'id' | 'contentOf'>) {
  const words = useWords(receiptWords);
  const read = useQuery(chargeQuery(id));
  return <ReceiptPage read={read} to="/charges/$id" id={id} back={words.charge} contentOf={contentOf} />;
}

function useParties() {
  const words = useWords(receiptWords);
  return {
    shop: useOwnDetails(),
    payer: (charge: ChargeView): Detail[] => [
      { label: words.holder, value: charge.payerName },
      { label: words.document, value: charge.payerDocument },
    ],
  };
}
