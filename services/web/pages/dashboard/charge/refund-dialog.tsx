import '../../shared/zod.ts';
import type { ChargeView } from '@plataforma/contracts';
import { newRefund } from '@plataforma/contracts/new-refund';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Field, MoneyField } from '../../parts/field/field.tsx';
import { Form, textOrNothing } from '../../parts/form/form.tsx';
import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { centsOf, money } from '../../shared/format.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { useSettled } from '../../shared/settled.ts';
import styles from './charge.module.css';
import { refundWords } from './words.ts';
import layout from '../../parts/layout.module.css';

function refundIn(data: FormData) {
  const reason = textOrNothing(data, 'reason');
  return { amount: centsOf(String(data.get('amount'))), ...(reason && { reason }) };
}

interface Props {
  charge: ChargeView;
  onClose: () => void;
}

export function RefundDialog({ charge, onClose }: Props) {
  const words = useWords(refundWords);
  const { id, amount, netAmount, feeAmount } = charge;
  const [cents, setCents] = useState(netAmount);
  const change = useChange({
    send: (body: ReturnType<typeof refundIn>, idempotencyKey) =>
      call('POST /v1/charges/:id/refund', { params: { id }, body, idempotencyKey }),
    changes: ['charge', 'refund', 'balance'],
    onDone: (answer) => {
      toast(answer.refund.status === 'PROCESSING' ? words.goesOn : words.done);
      onClose();
    },
  });
  const explained =
    feeAmount > 0
      ? words.default(money(netAmount), money(feeAmount), money(amount))
      : words.noFee(money(amount));
  const wrong = cents > amount ? words.tooMuch(money(amount)) : cents === 0 ? words.tooLow : undefined;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form
        schema={newRefund}
        read={refundIn}
        change={{ ...change, mutate: (body) => !wrong && change.mutate(body) }}
        action={words.send(money(cents))}
        onCancel={onClose}
      >
        <MoneyField
          label={words.amount}
          name="amount"
          cents={netAmount}
          onCents={setCents}
          hint={explained}
          error={wrong}
        />
        <Field label={words.reason} name="reason" hint={words.reasonHint} maxLength={255} required={false} />
        <BalanceAfter chargeId={id} cents={wrong ? 0 : cents} />
        <p className={layout.soft}>{words.once}</p>
      </Form>
    </Dialog>
  );
}

/** As the API says it: of money that has not settled yet the refund takes that first. */
function BalanceAfter({ chargeId, cents }: { chargeId: string; cents: number }) {
  const words = useWords(refundWords);
  const settled = useSettled(cents);
  const { data } = useQuery({
    queryKey: ['quote', 'refund', chargeId, settled],
    queryFn: () => call('POST /v1/quotes', { body: { type: 'refund', chargeId, amount: settled } }),
    enabled: settled > 0,
  });
  const after = settled === cents ? data?.balanceAfter : undefined;
  return <p className={styles.after}>{words.after(typeof after === 'number' ? money(after) : '…')}</p>;
}
