import type { ChargeView } from '@plataforma/contracts';
import { call } from '../../shared/api.ts';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { type Play, PlayMenu } from '../sandbox/play-menu.tsx';
import { sandboxWords } from '../sandbox/words.ts';

const CHANGES = ['charge', 'balance', 'dispute', 'refund'];

export function PlayCharge({ charge }: { charge: ChargeView }) {
  const plays = usePlays(charge);
  return <PlayMenu plays={plays} changes={CHANGES} />;
}

function usePlays({ id, status, amount, paymentMethod, disputeId }: ChargeView): Play[] {
  const { charge: words } = useWords(sandboxWords);
  const pay = (body: { amount?: number; times?: number; late?: boolean }) => (idempotencyKey: string) =>
    call('POST /v1/sandbox/charges/:id/pay', { params: { id }, body, idempotencyKey });
  const wrong = amount > 1 ? amount - 1 : 2;
  const isPix = paymentMethod === 'PIX';
  const paying: Play[] =
    isPix && status === 'PENDING'
      ? [
          { label: words.wrong(money(wrong)), done: words.wrongDone, send: pay({ amount: wrong }) },
          { label: words.twice, done: words.twiceDone, send: pay({ times: 2 }) },
          { label: words.late, done: words.lateDone, send: pay({ late: true }) },
        ]
      : [];
  const isOver = isPix && ['PAID', 'EXPIRED', 'CANCELLED'].includes(status);
  const late: Play[] = isOver
    ? [{ label: words.again, done: words.lateDone, send: pay({ late: true }) }]
    : [];
  const disputed: Play[] =
    status === 'PAID' && disputeId === null
      ? [
          {
            label: words.dispute,
            done: words.disputeDone,
            send: (idempotencyKey) =>
              call('POST /v1/sandbox/charges/:id/dispute', { params: { id }, body: {}, idempotencyKey }),
          },
        ]
      : [];
  return [...paying, ...late, ...disputed];
}
