import type { ChargeView } from '@plataforma/contracts';
import { newRefund } from '@plataforma/contracts/new-refund';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field, MoneyField } from '../../components/field/field.tsx';
import { filledIn, named, textIn } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Segments } from '../../components/tabs/tabs.tsx';
import { call } from '../../shared/api.ts';
import { useDebounced } from '../../shared/debounced.ts';
import { centsOf, money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { FormDialog } from '../changes/form-dialog.tsx';
import { optionsOf } from '../options.ts';
import styles from './charge.module.css';
import { refundWords } from './words.ts';

export function RefundDialog({ charge, onClose }: { charge: ChargeView; onClose: () => void }) {
  const words = useWords(refundWords);
  const { id, amount, feeAmount } = charge;
  const [isWhole, setWhole] = useState(true);
  const [other, setOther] = useState(amount);
  const cents = isWhole ? amount : other;
  const wrong = cents > amount ? words.tooMuch(money(amount)) : cents === 0 ? words.tooLow : undefined;
  return (
    <FormDialog
      title={words.title}
      schema={newRefund}
      read={(data) => ({
        amount: isWhole ? amount : centsOf(textIn(data, 'amount')),
        ...filledIn(data, 'reason'),
      })}
      send={(body, idempotencyKey) =>
        call('POST /v1/charges/:id/refund', { params: { id }, body, idempotencyKey })
      }
      changes={['charge', 'refund', 'balance']}
      action={words.send(money(cents))}
      done={({ refund }) => (refund.status === 'PROCESSING' ? words.goesOn : words.done)}
      isReady={!wrong}
      onClose={onClose}
    >
      <Segments
        label={words.refundAmount}
        value={isWhole ? 'whole' : 'part'}
        options={optionsOf({ whole: words.whole(money(amount)), part: words.part })}
        onChange={(chosen) => setWhole(chosen === 'whole')}
      />
      {!isWhole && (
        <MoneyField
          label={words.refundAmount}
          name="amount"
          cents={other}
          onCents={setOther}
          hint={words.noFee(money(amount))}
          error={wrong}
          autoFocus
        />
      )}
      {feeAmount > 0 && <p className={layout.soft}>{words.feeStays(money(feeAmount))}</p>}
      <Field {...named(words, 'reason')} maxLength={255} required={false} />
      <BalanceAfter chargeId={id} cents={wrong ? 0 : cents} />
      <p className={layout.soft}>{words.onlyOnce}</p>
    </FormDialog>
  );
}

/**
 * Shows the balance after the refund, as quoted by the API. A refund takes the charge's unsettled money
 * first.
 */
function BalanceAfter({ chargeId, cents }: { chargeId: string; cents: number }) {
  const words = useWords(refundWords);
  const debounced = useDebounced(cents);
  const { data } = useQuery({
    queryKey: ['quote', 'refund', chargeId, debounced],
    queryFn: () => call('POST /v1/quotes', { body: { type: 'refund', chargeId, amount: debounced } }),
    enabled: debounced > 0,
  });
  const after = debounced === cents ? data?.balanceAfter : undefined;
  return <p className={styles.after}>{words.after(typeof after === 'number' ? money(after) : '…')}</p>;
}
