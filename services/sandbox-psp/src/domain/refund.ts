import { type Cents, next, Refusal, type Table, toDecimal } from '@plataforma/kernel';
import { PixProblem } from './pix-problem.ts';
import { newSpiId, OWN_ISPB } from './spi-id.ts';

/** API Pix 2.9.0, Devolucao. */
export type RefundStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';

export const refundTransitions: Table<RefundStatus, 'complete' | 'refuse'> = {
  EM_PROCESSAMENTO: { complete: 'DEVOLVIDO', refuse: 'NAO_REALIZADO' },
  DEVOLVIDO: {},
  NAO_REALIZADO: {},
};

/** API Pix 2.9.0, `natureza`. */
export type Nature = 'ORIGINAL' | 'MED_FRAUDE' | 'MED_OPERACIONAL';

export interface Refund {
  /** Chosen by the receiver, one refund each within a payment. */
  id: string;
  returnId: string;
  amount: Cents;
  nature: Nature;
  description: string | null;
  status: RefundStatus;
  /** Whether the payer's bank will send it back; it shows only at the end. */
  isRefused: boolean;
  requestedAt: Date;
  endedAt: Date | null;
}

/** What of a payment says whether it may be refunded. */
export interface Refundable {
  amount: Cents;
  paidAt: Date;
  refunds: readonly Refund[];
}

type RefundOrder = Pick<Refund, 'id' | 'amount' | 'description' | 'isRefused' | 'requestedAt'>;

const ID = /^[a-zA-Z0-9]{1,35}$/;
const WINDOW_MS = 90 * 86_400_000;
/** By these amounts receivers try out what payers' banks do. */
const magicAmounts: ReadonlyMap<Cents, { isRefused: boolean; delayMs: number }> = new Map([
  [6_666, { isRefused: true, delayMs: 0 }],
  [7_777, { isRefused: false, delayMs: 10_000 }],
  [8_888, { isRefused: true, delayMs: 10_000 }],
]);
const REASON = 'A instituição do pagador recusou a devolução.';

export function isRefundId(text: string): boolean {
  return ID.test(text);
}

/** How a refund of this amount ends, and after how long. */
export function endOfAmount(amount: Cents): { isRefused: boolean; delayMs: number } {
  return magicAmounts.get(amount) ?? { isRefused: false, delayMs: 0 };
}

/**
 * A refund to begin, or the one that has this id already: asked for again in the same amount, it is as it is now
 * (API Pix 2.9.0, PixDevolucaoInvalida).
 */
export function requestRefund(payment: Refundable, order: RefundOrder): Refund {
  const existing = payment.refunds.find(({ id }) => id === order.id);
  if (existing) {
    if (existing.amount === order.amount) return existing;
    throw invalid('O id já foi usado por outra devolução deste Pix.', 'devolucao.id');
  }
  if (order.requestedAt.getTime() - payment.paidAt.getTime() > WINDOW_MS) {
    throw invalid('O Pix foi liquidado há mais de 90 dias.', 'devolucao');
  }
  if (order.amount > payment.amount - claimed(payment.refunds)) {
    throw invalid('A soma das devoluções excederia o valor do Pix.', 'devolucao.valor');
  }
  const returnId = newSpiId('D', OWN_ISPB, order.requestedAt);
  return { ...order, nature: 'ORIGINAL', returnId, status: 'EM_PROCESSAMENTO', endedAt: null };
}

/** Takes back the money of a payment after an infraction (MED). The same order again finds the refund. */
export function takeBack(
  payment: Refundable,
  order: Pick<Refund, 'id' | 'amount' | 'nature' | 'requestedAt'>,
): Refund {
  const existing = payment.refunds.find(({ id }) => id === order.id);
  if (existing) return existing;
  if (order.amount > payment.amount - claimed(payment.refunds)) {
    throw new Refusal('conflict', 'INVALID_STATE', 'less is left of the payment');
  }
  const returnId = newSpiId('D', OWN_ISPB, order.requestedAt);
  const end = { status: 'DEVOLVIDO', isRefused: false, endedAt: order.requestedAt } as const;
  return { ...order, returnId, description: null, ...end };
}

export function endRefund(refund: Refund, endedAt: Date): Refund {
  const status = next(refundTransitions, refund.status, refund.isRefused ? 'refuse' : 'complete');
  if (!status) throw new Error('a refund ended twice');
  return { ...refund, status, endedAt };
}

/** The refund as API Pix 2.9.0 writes it (schema Devolucao). */
export function devolucaoOf({ id, returnId, amount, nature, description, status, ...refund }: Refund) {
  const liquidacao = status === 'DEVOLVIDO' ? refund.endedAt?.toISOString() : undefined;
  return {
    id,
    rtrId: returnId,
    valor: toDecimal(amount),
    natureza: nature,
    ...(description !== null && { descricao: description }),
    horario: { solicitacao: refund.requestedAt.toISOString(), ...(liquidacao && { liquidacao }) },
    status,
    ...(status === 'NAO_REALIZADO' && { motivo: REASON }),
  };
}

/** What is returned or on its way: a refund that was sent back leaves its amount to the next. */
function claimed(refunds: readonly Refund[]): Cents {
  return refunds
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((sum, { amount }) => sum + amount, 0);
}

function invalid(razao: string, propriedade: string): PixProblem {
  return new PixProblem('PixDevolucaoInvalida', { violations: [{ razao, propriedade }] });
}
