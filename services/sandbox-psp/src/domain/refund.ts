import { type Cents, next, Refusal, type Table, toDecimal } from '@plataforma/kernel';
import { PixProblem } from './pix-problem.ts';
import { newSpiId, OWN_ISPB } from './spi-id.ts';

/** The statuses of a refund (Devolucao) in API Pix 2.9.0. */
export type RefundStatus = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';

export const refundTransitions: Table<RefundStatus, 'complete' | 'refuse'> = {
  EM_PROCESSAMENTO: { complete: 'DEVOLVIDO', refuse: 'NAO_REALIZADO' },
  DEVOLVIDO: {},
  NAO_REALIZADO: {},
};

/** The reason of a refund, the field `natureza` of API Pix 2.9.0. */
export type Nature = 'ORIGINAL' | 'MED_FRAUDE' | 'MED_OPERACIONAL';

export interface Refund {
  /** The id that the receiver chose. Each refund of a payment has a different id. */
  id: string;
  returnId: string;
  amount: Cents;
  nature: Nature;
  description: string | null;
  status: RefundStatus;
  /** True if the payer's bank will refuse the refund. The receiver learns this only when the refund ends. */
  isRefused: boolean;
  requestedAt: Date;
  endedAt: Date | null;
}

/** The fields of a payment that decide whether a refund is possible. */
export interface Refundable {
  amount: Cents;
  paidAt: Date;
  refunds: readonly Refund[];
}

type RefundOrder = Pick<Refund, 'id' | 'amount' | 'description' | 'isRefused' | 'requestedAt'>;

const ID = /^[a-zA-Z0-9]{1,35}$/;
const WINDOW_MS = 90 * 86_400_000;
/** Amounts in cents with a fixed result, with which receivers test refused and slow refunds. */
const magicAmounts: ReadonlyMap<Cents, { isRefused: boolean; delayMs: number }> = new Map([
  [6_666, { isRefused: true, delayMs: 0 }],
  [7_777, { isRefused: false, delayMs: 10_000 }],
  [8_888, { isRefused: true, delayMs: 10_000 }],
]);
const REASON = 'A instituição do pagador recusou a devolução.';

export function isRefundId(text: string): boolean {
  return ID.test(text);
}

export function endOfAmount(amount: Cents): { isRefused: boolean; delayMs: number } {
  return magicAmounts.get(amount) ?? { isRefused: false, delayMs: 0 };
}

/**
 * Returns the existing refund with the same id and amount, or else a new refund. Throws PixDevolucaoInvalida
 * if the existing refund has another amount, or if the payment is older than 90 days. Also throws if the
 * amount exceeds the part of the payment that is not refunded (API Pix 2.9.0).
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

/**
 * Returns the refund with which the provider returns money to the payer after an infraction (MED). A repeated
 * order returns the same refund. Throws if the amount exceeds the part that is not refunded.
 */
export function takeBack(
  payment: Refundable,
  order: Pick<Refund, 'id' | 'amount' | 'nature' | 'requestedAt'>,
): Refund {
  const existing = payment.refunds.find(({ id }) => id === order.id);
  if (existing) return existing;
  if (order.amount > payment.amount - claimed(payment.refunds)) {
    throw new Refusal('conflict', 'INVALID_STATE', 'the rest of the payment is smaller');
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

/** Returns the refund in the format of API Pix 2.9.0 (schema Devolucao). */
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

/**
 * Returns the sum of the refunds that are done or in progress. The amount of a refused refund can be refunded
 * again.
 */
function claimed(refunds: readonly Refund[]): Cents {
  return refunds
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((sum, { amount }) => sum + amount, 0);
}

function invalid(razao: string, propriedade: string): PixProblem {
  return new PixProblem('PixDevolucaoInvalida', { violations: [{ razao, propriedade }] });
}
