import { CardProblem } from './card-problem.ts';
import { GnProblem } from './gn-problem.ts';
import { PixProblem } from './pix-problem.ts';

/** What a caller asks of this provider that may go wrong on demand. */
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

/** How: all but `done_then_500` leave nothing done. */
export const faults = ['timeout', 'reset', 'error500', 'garbage', 'done_then_500', 'refused'] as const;
export type Fault = (typeof faults)[number];

/** Orders that move money: only they can be refused on demand. */
const refusable = ['pix.refund', 'card.refund', 'payout.create'] as const satisfies Operation[];
type Refusable = (typeof refusable)[number];

export function isRefusable(operation: Operation): operation is Refusable {
  return refusable.some((one) => one === operation);
}

/** That many next calls of the operation go wrong; what was ordered first comes first. */
export interface FaultOrder {
  operation: Operation;
  fault: Fault;
  times: number;
}

/** A refusal of an order, whatever became of an earlier one under its id, in the words of the API it is ordered by. */
export function refusalOf(operation: Refusable): Error {
  if (operation === 'pix.refund') return new PixProblem('PixDevolucaoInvalida');
  if (operation === 'card.refund') return new CardProblem('unfit', 'The charge cannot be refunded now.');
  return new GnProblem('chave_invalida', 'A chave do favorecido não foi encontrada.');
}

/** Reads 500 in the words of whichever API it happens in. */
export class SimulatedFault extends Error {}
