import { useQuery } from '@tanstack/react-query';
import { Card, Figures } from '../../components/card/card.tsx';
import { Awaited } from '../../components/states/states.tsx';
import { Money } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { Failed } from '../failed.tsx';
import { balanceQuery } from './queries.ts';
import { balanceWords } from './words.ts';

/**
 * The account's amounts, with placeholders until the API answers. An amount that most accounts never have
 * appears only when it is not zero.
 */
export function BalanceFigures({ earned }: { earned?: string }) {
  const words = useWords(balanceWords);
  const { data, error, refetch } = useQuery(balanceQuery);
  if (!data && error) {
    return (
      <Card>
        <Failed error={error} retry={refetch} />
      </Card>
    );
  }
  const always = [
    { label: words.withdrawable, cents: data?.withdrawableBalance },
    { label: words.pending, cents: data?.pendingBalance },
    { label: words.reserved, cents: data?.reservedBalance },
  ];
  const rare = [
    { label: words.blocked, cents: data?.blockedBalance },
    { label: words.debt, cents: data?.disputeDebt },
  ].filter(({ cents }) => cents);
  const total = earned ? [{ label: earned, cents: data?.totalEarned }] : [];
  const figures = [...always, ...rare, ...total].map(({ label, cents }) => ({
    label,
    value: cents === undefined ? <Awaited /> : <Money cents={cents} />,
  }));
  return <Figures figures={figures} />;
}
