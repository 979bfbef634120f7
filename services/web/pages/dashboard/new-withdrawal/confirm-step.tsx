import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../components/button/button.tsx';
import { Details } from '../../components/details/details.tsx';
import { FormActions } from '../../components/form/form.tsx';
import layout from '../../components/layout.module.css';
import { Notice, Refused } from '../../components/states/states.tsx';
import { ApiError, call, environment } from '../../shared/api.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { useCodeText } from '../../shared/refusals.ts';
import { useChange } from '../changes/use-change.ts';
import { useAccount } from '../session/session.ts';
import { FORM, type Order, orderIn, type Payee } from './draft.ts';
import { OwnerMissing, useOwnerDetails } from './owner.tsx';
import { Cost, quoteQuery } from './quote.tsx';
import { newWithdrawalWords } from './words.ts';

interface Props {
  payee: Payee;
  cents: number;
  onBack: () => void;
}

export function ConfirmStep({ payee, cents, onBack }: Props) {
  const words = useWords(newWithdrawalWords);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { mutate, error, isPending, isResuming } = useChange({
    resume: { form: FORM, account: useAccount()?.id, read: orderIn },
    send: (order: Order, idempotencyKey) =>
      call('POST /v1/withdrawals', {
        body: { amount: order.cents, ...order.payee.to, source: order.payee.source },
        idempotencyKey,
      }),
    changes: ['withdrawal', 'balance', 'account', 'quote'],
    done: words.created,
    onFailed: async (failure) => {
      if (!(failure instanceof ApiError) || failure.code !== 'INSUFFICIENT_BALANCE') return;
      // The amount step shows the refusal at the amount field, with the amount that the balance covers now.
      await Promise.all(['quote', 'balance'].map((key) => client.resetQueries({ queryKey: [key] })));
      onBack();
    },
    onDone: ({ id }) => navigate({ to: '/withdrawals/$id', params: { id }, replace: true }),
  });
  const owner = useOwnerDetails(payee);
  return (
    <div className={layout.stack}>
      {error && <Refused error={error} />}
      {isResuming && <Notice>{words.resuming}</Notice>}
      <Details
        details={[
          { label: words.to, value: payee.text },
          { label: payee.source === 'QR_CODE' ? words.nameInCode : words.payee, value: payee.name },
          ...owner,
          { label: words.amount, value: money(cents) },
        ]}
      />
      <OwnerMissing payee={payee} />
      <Cost payee={payee} cents={cents} />
      <Stopped payee={payee} cents={cents} />
      {payee.source === 'QR_CODE' && <Notice tone="warn">{words.noTxid}</Notice>}
      {environment === 'production' && <p className={layout.soft}>{words.production}</p>}
      <FormActions>
        <Button onClick={onBack}>{words.back}</Button>
        <Button kind="primary" busy={isPending} onClick={() => mutate({ payee, cents })} autoFocus>
          {words.confirm.send(money(cents))}
        </Button>
      </FormActions>
    </div>
  );
}

/**
 * Shows the reasons why the API would refuse the withdrawal now. Reasons may be new since the amount step.
 * The user can still send the order.
 */
function Stopped({ payee, cents }: Omit<Props, 'onBack'>) {
  const codeText = useCodeText();
  const { data } = useQuery(quoteQuery(payee, cents));
  return data?.stoppedBy.map(({ code }) => (
    <Notice key={code} tone="bad">
      {codeText(code)}
    </Notice>
  ));
}
