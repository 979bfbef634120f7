import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { MoneyField } from '../../components/field/field.tsx';
import { FormActions } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { useDateTime } from '../../shared/date-time.ts';
import { useDebounced } from '../../shared/debounced.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { fieldOf, useCodeText, useFieldText } from '../../shared/refusals.ts';
import { balanceQuery } from '../balance/queries.ts';
import { accountQuery, leftToday, useAccount } from '../session/session.ts';
import type { Payee } from './draft.ts';
import { ownerQuery } from './owner.tsx';
import { Cost, CostLoading, quoteQuery } from './quote.tsx';
import { newWithdrawalWords } from './words.ts';

interface Props {
  payee: Payee;
  cents: number;
  onBack: () => void;
  onDone: (cents: number) => void;
}

/** The step for the amount. It shows every reason in the API's quote why the order can't be sent. */
export function AmountStep({ payee, cents: initial, onBack, onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const client = useQueryClient();
  const [cents, setCents] = useState(initial);
  const [isSent, setSent] = useState(false);
  const all = useAll((amount) => {
    setCents(amount);
    setSent(true);
  });
  // Query the owner for the last step now, because the answer may take some seconds.
  useQuery(ownerQuery(payee.key));
  const debounced = useDebounced(cents);
  const isCurrent = cents === debounced;
  const wrong = useWrong(payee, debounced);
  const { mutate, isPending } = useMutation({
    mutationFn: (amount: number) => client.fetchQuery(quoteQuery(payee, amount)),
    onSuccess: ({ stoppedBy }, amount) => {
      if (stoppedBy.length === 0) onDone(amount);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    setSent(true);
    if (cents > 0 && !isPending) mutate(cents);
  }

  return (
    <form className={layout.stack} onSubmit={submit} noValidate>
      <MoneyField
        label={words.amount}
        name="amount"
        key={all.times}
        cents={all.times > 0 ? all.cents : initial}
        onCents={setCents}
        hint={useHint()}
        error={isCurrent && (isSent || cents > 0) ? wrong : undefined}
        autoFocus
      />
      <div>
        <Button busy={all.isPending} onClick={() => all.fill()}>
          {words.withdrawAll}
        </Button>
      </div>
      {isCurrent ? <Cost payee={payee} cents={cents} /> : cents > 0 && <CostLoading />}
      <FormActions>
        <Button onClick={onBack}>{words.back}</Button>
        <Button type="submit" kind="primary" busy={isPending}>
          {words.howMuch.next}
        </Button>
      </FormActions>
    </form>
  );
}

/**
 * Returns a function that fills the field with the largest amount that the account can withdraw. The function
 * reads balance and fee again, because both may have changed since the page opened.
 */
function useAll(onFilled: (cents: number) => void) {
  const client = useQueryClient();
  const [filled, setFilled] = useState({ times: 0, cents: 0 });
  const { mutate: fill, isPending } = useMutation({
    mutationFn: async () => {
      const [{ withdrawableBalance }, { withdrawalFee, withdrawalFeeMode }] = await Promise.all([
        client.fetchQuery({ ...balanceQuery, staleTime: 0 }),
        client.fetchQuery({ ...accountQuery, staleTime: 0 }),
      ]);
      return Math.max(withdrawableBalance - (withdrawalFeeMode === 'BALANCE' ? withdrawalFee : 0), 0);
    },
    onSuccess: (cents) => {
      setFilled(({ times }) => ({ times: times + 1, cents }));
      onFilled(cents);
    },
  });
  return { ...filled, fill: () => fill(), isPending };
}

function useHint(): string | undefined {
  const words = useWords(newWithdrawalWords);
  const { data: balance } = useQuery(balanceQuery);
  const dateTime = useDateTime();
  const day = leftToday(useAccount()?.limits.today ?? null);
  if (!balance) return undefined;
  const most = words.available(money(balance.withdrawableBalance));
  return day ? `${most} · ${words.today(money(day.left), dateTime(day.until))}` : most;
}

function useWrong(payee: Payee, cents: number): string | undefined {
  const words = useWords(newWithdrawalWords);
  const codeText = useCodeText();
  const fieldText = useFieldText();
  const { data, error } = useQuery(quoteQuery(payee, cents));
  if (cents === 0) return words.noAmount;
  const field = fieldOf(error);
  if (error) return field === 'amount' ? words.tooLow : fieldText(field ?? '', error);
  const first = data?.stoppedBy[0];
  // A lower amount has the same fee, so the largest possible amount is `cents` less the missing balance.
  const most = cents + (data?.balanceAfter ?? 0);
  if (first?.code === 'INSUFFICIENT_BALANCE') return most > 0 ? words.most(money(most)) : words.nothing;
  return first && codeText(first.code);
}
