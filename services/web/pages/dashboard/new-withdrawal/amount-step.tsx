import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Details } from '../../parts/details/details.tsx';
import { MoneyField } from '../../parts/field/field.tsx';
import { FormActions } from '../../parts/form/form.tsx';
import { Money } from '../../parts/values/values.tsx';
import { environment } from '../../shared/api.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { balanceQuery } from '../balance/queries.ts';
import { useAccount } from '../session/session.ts';
import { costOf } from './draft.ts';
import styles from './new-withdrawal.module.css';
import { newWithdrawalWords } from './words.ts';

interface Props {
  cents: number;
  onBack: () => void;
  onDone: (cents: number) => void;
}

/** What is wrong is said at once; the API has the last word. */
export function AmountStep({ cents: initial, onBack, onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const [cents, setCents] = useState(initial);
  const [isSent, setSent] = useState(false);
  const { hint, wrong } = useBounds(cents);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setSent(true);
    if (wrong === undefined) onDone(cents);
  }

  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      <MoneyField
        label={words.amount.label}
        name="amount"
        cents={initial}
        onCents={setCents}
        hint={hint}
        error={isSent || cents > 0 ? wrong : undefined}
        autoFocus
      />
      <Cost cents={cents} />
      <FormActions>
        <Button onClick={onBack}>{words.back}</Button>
        <Button type="submit" kind="primary">
          {words.amount.next}
        </Button>
      </FormActions>
    </form>
  );
}

/** How much may be ordered, and why this is not. */
function useBounds(cents: number): { hint: string | undefined; wrong: string | undefined } {
  const words = useWords(newWithdrawalWords);
  const { data: balance } = useQuery(balanceQuery);
  const account = useAccount();
  if (!balance || !account) return { hint: undefined, wrong: undefined };
  const { fee, taken, arrives } = costOf(cents, account);
  const left = account.limits.today?.[environment].left ?? null;
  const most = words.available(money(balance.withdrawableBalance));
  const hint = left === null ? most : `${most} · ${words.today(money(left))}`;
  if (cents === 0 || arrives <= 0) return { hint, wrong: cents <= fee ? words.tooLow : undefined };
  if (taken > balance.withdrawableBalance) return { hint, wrong: words.tooMuch };
  return { hint, wrong: left !== null && cents > left ? words.overDay : undefined };
}

export function Cost({ cents }: { cents: number }) {
  const words = useWords(newWithdrawalWords);
  const { data: balance } = useQuery(balanceQuery);
  const account = useAccount();
  if (!balance || !account) return null;
  const { fee, taken, arrives } = costOf(cents, account);
  return (
    <Details
      details={[
        { label: words.fee, value: <Money cents={fee} /> },
        { label: words.taken, value: <Money cents={taken} /> },
        { label: words.arrives, value: <Money cents={Math.max(0, arrives)} /> },
        { label: words.left, value: <Money cents={balance.withdrawableBalance - taken} /> },
      ]}
    />
  );
}
