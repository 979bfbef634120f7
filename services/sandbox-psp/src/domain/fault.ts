import { CardProblem } from './card-problem.ts';
import { GnProblem } from './gn-problem.ts';
import { PixProblem } from './pix-problem.ts';

/** The operations that can fail on demand. */
export const operations = [
  'pix.create',
  'pix.read',
  'pix.refund',
  'card.charge',
  'card.refund',
  'payout.create',
  'payout.read',
] as const;
export type Operation = (typeof operations)[number];

/** The faults. Only `done_then_500` executes the operation. */
export const faults = ['timeout', 'reset', 'error500', 'garbage', 'done_then_500', 'refused'] as const;
export type Fault = (typeof faults)[number];

/** Orders that move money, because only these can be refused on demand. */
const refusable = ['pix.refund', 'card.refund', 'payout.create'] as const satisfies Operation[];
type Refusable = (typeof refusable)[number];

export function isRefusable(operation: Operation): operation is Refusable {
  return refusable.some((one) => one === operation);
}

/** Makes the next `times` calls of the operation fail; earlier orders apply first. */
export interface FaultOrder {
  operation: Operation;
  fault: Fault;
  times: number;
}

/**
 * Returns a refusal in the format of the order's API. It does not depend on an earlier order with the same
 * id.
 */
export function refusalOf(operation: Refusable): Error {
  if (operation === 'pix.refund') return new PixProblem('PixDevolucaoInvalida');
  if (operation === 'card.refund') return new CardProblem('unfit', 'The charge cannot be refunded now.');
  return new GnProblem('chave_invalida', 'A chave do favorecido não foi encontrada.');
}

/** Each API answers this with its own 500. */
export class SimulatedFault extends Error {}
