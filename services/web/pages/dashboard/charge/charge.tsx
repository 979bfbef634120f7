import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Columns, Stack } from '../../components/card/card.tsx';
import { toast } from '../../components/toast/toast.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { ChargeStatus } from '../charges/refunded.tsx';
import { BackLink } from '../lists/links.tsx';
import { ObjectPage } from '../object-page.tsx';
import { ObjectRequests } from '../requests/object-requests.tsx';
import { ChargeActions } from './charge-actions.tsx';
import { ChargeDetails } from './charge-details.tsx';
import { ChargeDispute, ChargeEvents, ChargeRefunds, ChargeTransactions } from './charge-records.tsx';
import { ChargeTimeline } from './charge-timeline.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { chargeQuery } from './queries.ts';
import { chargeWords } from './words.ts';

const route = getRouteApi('/frame/charges/$id');

export function ChargePage() {
  const words = useWords(chargeWords);
  const { id } = route.useParams();
  const read = useQuery(chargeQuery(id));
  useSaidWhenPaid(read.data?.status);
  return (
    <ObjectPage
      read={read}
      name={words.charge}
      back={<BackLink to="/charges" text={words.charges} />}
      head={(charge) => ({
        title: money(charge.amount),
        beside: <ChargeStatus of={charge} />,
        actions: <ChargeActions charge={charge} />,
      })}
    >
      {(charge) => (
        <Columns>
          <Stack>
            <PaymentPanel charge={charge} />
            <ChargeTimeline id={id} />
            <ChargeTransactions id={id} />
          </Stack>
          <Stack>
            <ChargeRefunds charge={charge} />
            <ChargeDispute disputeId={charge.disputeId} />
            <ChargeDetails charge={charge} />
            <ChargeEvents id={id} />
            <ObjectRequests id={id} />
          </Stack>
        </Columns>
      )}
    </ObjectPage>
  );
}

/** Shows a toast when the charge is paid while its page is open. */
function useSaidWhenPaid(status: string | undefined): void {
  const words = useWords(chargeWords);
  const before = useRef(status);
  useEffect(() => {
    if (before.current === 'PENDING' && status === 'PAID') toast(words.paidNow);
    before.current = status;
  }, [status, words]);
}
