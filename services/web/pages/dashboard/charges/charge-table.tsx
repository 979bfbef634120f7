import type { ChargeInListView } from '@plataforma/contracts';
import type { Column } from '../../components/table/table.tsx';
import { Money } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { amountColumn, timeColumn } from '../lists/columns.tsx';
import { ChargeStatus, remainingNet } from './refunded.tsx';
import { chargesWords } from './words.ts';

export function useChargeColumns(): Column<ChargeInListView>[] {
  const words = useWords(chargesWords);
  return [
    amountColumn({
      label: words.amount,
      to: '/charges/$id',
      namesOf: (charge) => [charge.payerName, orderOf(charge)],
    }),
    { label: words.status, phone: 'firstEnd', cell: (charge) => <ChargeStatus of={charge} /> },
    { label: words.order, isWide: true, cell: orderOf },
    { label: words.payer, phone: 'second', isWide: true, cell: ({ payerName }) => payerName },
    { label: words.method, cell: (charge) => <Method charge={charge} /> },
    { label: words.net, isEnd: true, cell: (charge) => <Net of={charge} /> },
    timeColumn(words.created, 'createdAt'),
  ];
}

/**
 * Returns the merchant's order id. If a payment link generated the order id, it means nothing to the
 * merchant, so the description is returned.
 */
function orderOf({ externalId, paymentLinkId, description }: ChargeInListView) {
  return paymentLinkId && /^[\da-f]{32}$/.test(externalId) ? (description ?? externalId) : externalId;
}

function Net({ of }: { of: ChargeInListView }) {
  const net = remainingNet(of);
  return net !== null && <Money cents={net} />;
}

type Paid = Pick<ChargeInListView, 'paymentMethod' | 'cardBrand' | 'cardLastDigits'>;

export function Method({ charge: { paymentMethod, cardBrand, cardLastDigits } }: { charge: Paid }) {
  const methods = useWords(methodWords);
  const words = useWords(chargesWords);
  if (!cardLastDigits) return methods[paymentMethod];
  const brand = cardBrand
    ? cardBrand.charAt(0).toUpperCase() + cardBrand.slice(1).toLowerCase()
    : methods.CARD;
  return words.card(brand, cardLastDigits);
}
