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
import { leftToday, useAccount } from '../session/session.ts';
import type { Payee } from './draft.ts';
import { Cost, CostLoading, quoteQuery } from './quote.tsx';
import { newWithdrawalWords } from './words.ts';

interface Props {
  payee: Payee;
  cents: number;
  onBack: () => void;
  onDone: (cents: number) => void;
}

/** The step for the amount. It shows, from the API's quote, every reason why the order can't be sent. */
export function AmountStep({ payee, cents: initial, onBack, onDone }: Props) {
  const words = useWords(newWithdrawalWords);
  const client = useQueryClient();
  const [cents, setCents] = useState(initial);
  const [isSent, setSent] = useState(false);
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
        cents={initial}
        onCents={setCents}
        hint={useHint()}
        error={isCurrent && (isSent || cents > 0) ? wrong : undefined}
        autoFocus
      />
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
  return first && codeText(first.code);
}
