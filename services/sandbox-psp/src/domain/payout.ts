import { type Cents, next, type Table, toDecimal } from '@plataforma/kernel';
import { payeeOf, SLOW_KEY } from './key-owner.ts';
import { newSpiId, OWN_ISPB } from './spi-id.ts';

/** The statuses of a payout in Efí's API. */
export type PayoutStatus = 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO';

export const payoutTransitions: Table<PayoutStatus, 'complete' | 'fail'> = {
  EM_PROCESSAMENTO: { complete: 'REALIZADO', fail: 'NAO_REALIZADO' },
  REALIZADO: {},
  NAO_REALIZADO: {},
};

export interface Payout {
  clientId: string;
  /** The id that the client chose. Each payout of a client has a different id. */
  id: string;
  endToEndId: string;
  amount: Cents;
  payerKey: string;
  payeeKey: string;
  note: string | null;
  status: PayoutStatus;
  requestedAt: Date;
  endedAt: Date | null;
  /** The result that the control API ordered for the payout; null if the payee's key decides the result. */
  orderedEnd: OrderedEnd | null;
}

/** The results that the control API can order. `hold` keeps the payout in progress until the next order. */
export const orderedEnds = ['hold', 'complete', 'fail'] as const;
export type OrderedEnd = (typeof orderedEnds)[number];

const ID = /^[a-zA-Z0-9]{1,35}$/;

/**
 * Keys whose payouts fail: `fail@sandbox.test`, or for example `fail-ac06@sandbox.test`, which names the code
 * of the failure.
 */
const FAILING_KEY = /^fail(?:-([a-z\d]{4}))?@sandbox\.test$/;
const UNKNOWN_KEY = 'invalid@sandbox.test';
const delaysMs: ReadonlyMap<string, number> = new Map([
  [SLOW_KEY, 10_000],
  ['timeout@sandbox.test', 30_000],
]);

/** The failure texts. The keys are codes from the list of Pix settlement errors (SPI). */
const failures: ReadonlyMap<string, string> = new Map([
  ['AB03', 'A liquidação não terminou a tempo.'],
  ['AC03', 'Conta do favorecido inexistente ou inválida.'],
  ['AC06', 'Conta do favorecido bloqueada.'],
  ['AC07', 'Conta do favorecido encerrada.'],
  ['AM02', 'O valor passa do limite da conta do favorecido.'],
  ['BE01', 'O CPF ou CNPJ não é o do titular da conta.'],
  ['DS04', 'O participante do favorecido recusou a ordem.'],
  ['FRAD', 'Suspeita de fraude.'],
]);
const COMMONEST = 'AC03';

export function isPayoutId(text: string): boolean {
  return ID.test(text);
}

/** Returns true if the payee's key exists. The provider refuses a payout to an unknown key. */
export function isRegisteredKey(key: string): boolean {
  return key !== UNKNOWN_KEY;
}

export function newPayout(order: Omit<Payout, 'endToEndId' | 'status' | 'endedAt'>): Payout {
  const endToEndId = newSpiId('E', OWN_ISPB, order.requestedAt);
  return { ...order, endToEndId, status: 'EM_PROCESSAMENTO', endedAt: null };
}

/**
 * Returns the milliseconds until the payout ends; null if the payout waits for an order of the control API.
 */
export function delayOf({ payeeKey, orderedEnd }: Pick<Payout, 'payeeKey' | 'orderedEnd'>): number | null {
  if (orderedEnd !== null) return orderedEnd === 'hold' ? null : 0;
  return delaysMs.get(payeeKey) ?? 0;
}

export function endPayout(payout: Payout, endedAt: Date): Payout {
  const { payeeKey, orderedEnd } = payout;
  const isFailing = orderedEnd === null ? FAILING_KEY.test(payeeKey) : orderedEnd === 'fail';
  const status = next(payoutTransitions, payout.status, isFailing ? 'fail' : 'complete');
  if (!status) throw new Error('a payout ended twice');
  return { ...payout, status, endedAt };
}

/** Returns the response to the request that creates a payout, in Efí's format. */
export function orderedPayoutOf({ id, endToEndId, amount, requestedAt, status }: Payout) {
  const horario = { solicitacao: requestedAt.toISOString() };
  return { idEnvio: id, e2eId: endToEndId, valor: toDecimal(amount), horario, status };
}

/**
 * Returns a payout in the format of Efí's query for sent payouts. As in Efí's responses, `chave` is the
 * payer's key.
 */
export function sentPixOf(payout: Payout) {
  const { id, endToEndId, amount, payerKey, payeeKey, status } = payout;
  return {
    idEnvio: id,
    endToEndId,
    valor: toDecimal(amount),
    chave: payerKey,
    favorecido: { chave: payeeKey, identificacao: payeeOf(payeeKey) },
    status,
    horario: timesOf(payout),
    ...(status === 'NAO_REALIZADO' && { motivo: reasonOf(payout) }),
  };
}

/**
 * Returns the payout in the format of its callback. A failed payout has no times, because it never settled.
 */
export function callbackPayoutOf(payout: Payout) {
  const { id, endToEndId, amount, payerKey, status } = payout;
  const isFailed = status === 'NAO_REALIZADO';
  return {
    endToEndId,
    valor: toDecimal(amount),
    chave: payerKey,
    horario: isFailed ? null : timesOf(payout),
    tipo: 'SOLICITACAO',
    status,
    gnExtras: { idEnvio: id, ...(isFailed && { erro: failureOf(payout) }) },
  };
}

function failureOf({ payeeKey }: Pick<Payout, 'payeeKey'>) {
  const requestedCode = FAILING_KEY.exec(payeeKey)?.[1]?.toUpperCase() ?? '';
  const codigo = failures.has(requestedCode) ? requestedCode : COMMONEST;
  return { codigo, origem: 'Recebedor', motivo: failures.get(codigo) ?? '' };
}

function reasonOf(payout: Payout): string {
  const { codigo, motivo } = failureOf(payout);
  return `${codigo}: ${motivo}`;
}

function timesOf({ requestedAt, endedAt, status }: Payout) {
  const liquidacao = status === 'REALIZADO' ? endedAt?.toISOString() : undefined;
  return { solicitacao: requestedAt.toISOString(), ...(liquidacao && { liquidacao }) };
}
