import { queryOptions, useQuery } from '@tanstack/react-query';
import { Details } from '../../components/details/details.tsx';
import { Awaited } from '../../components/states/states.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { Payee } from './draft.ts';
import { newWithdrawalWords } from './words.ts';

/** Returns the query for the API's quote of this order. The query polls while the quote is shown. */
export function quoteQuery({ to, source }: Payee, cents: number) {
  return queryOptions({
    queryKey: ['quote', to, source, cents],
    queryFn: () => call('POST /v1/quotes', { body: { type: 'withdrawal', amount: cents, ...to, source } }),
    enabled: cents > 0,
    refetchInterval: POLL_MS,
  });
}

export function Cost({ payee, cents }: { payee: Payee; cents: number }) {
  const words = useWords(newWithdrawalWords);
  const { data, error } = useQuery(quoteQuery(payee, cents));
  if (cents === 0 || (error && !data)) return null;
  if (!data) return <CostLoading />;
  const { fee, debit, netAmount, balanceAfter, approvalsNeeded, payableFrom } = data;
  const left = balanceAfter ?? 0;
  const isCovered = left >= 0;
  return (
    <Details
      details={[
        { label: words.fee, value: <Money cents={fee} /> },
        { label: words.taken, value: <Money cents={debit} /> },
        { label: words.arrives, value: <Money cents={netAmount} /> },
        {
          label: isCovered ? words.balanceAfter : words.missing,
          value: <Money cents={isCovered ? left : -left} />,
        },
        { label: words.approval, value: approvalsNeeded > 0 && words.approvals(approvalsNeeded) },
        { label: words.payableFrom, value: payableFrom && <Time at={payableFrom} /> },
      ]}
    />
  );
}

/** Placeholder rows until the quote arrives, so that the page never shows the cost of an earlier amount. */
export function CostLoading() {
  const words = useWords(newWithdrawalWords);
  const labels = [words.fee, words.taken, words.arrives, words.balanceAfter];
  return (
    <div aria-busy="true">
      <Details details={labels.map((label) => ({ label, value: <Awaited /> }))} />
    </div>
  );
}
