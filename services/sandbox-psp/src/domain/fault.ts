import { CardProblem } from './card-problem.ts';
import { GnProblem } from './gn-problem.ts';
import { PixProblem } from './pix-problem.ts';

/** The operations for which the control API can order a fault. */
export const operations = [
  'pix.create',
  'pix.read',
  'pix.refund',
  'card.charge',
  'card.refund',
  'payout.create',
  'payout.read',
  'payout.recipient',
] as const;
export type Operation = (typeof operations)[number];

/**
 * The faults that the control API can order. The provider executes the operation only with `done_then_500`.
 */
export const faults = ['timeout', 'reset', 'error500', 'garbage', 'done_then_500', 'refused'] as const;
export type Fault = (typeof faults)[number];

/** The operations that support the fault `refused`: the orders that move money. */
const refusable = ['pix.refund', 'card.refund', 'payout.create'] as const satisfies Operation[];
type Refusable = (typeof refusable)[number];

export function isRefusable(operation: Operation): operation is Refusable {
  return refusable.some((one) => one === operation);
}

/**
 * An order to make the next `times` calls of the operation fail. Faults that were ordered earlier apply
 * first.
 */
export interface FaultOrder {
  operation: Operation;
  fault: Fault;
  times: number;
}

/**
 * Returns the refusal in the format of the operation's API. The same refusal applies to a new order and to a
 * repeated order.
 */
export function refusalOf(operation: Refusable): Error {
  if (operation === 'pix.refund') return new PixProblem('PixDevolucaoInvalida');
  if (operation === 'card.refund') return new CardProblem('unfit', 'The charge cannot be refunded now.');
  return new GnProblem('chave_invalida', 'A chave do favorecido não foi encontrada.');
}

/** An ordered fault, which each API reports as an error 500 in its own format. */
export class SimulatedFault extends Error {}
