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

/** How: all but the last leave nothing done. */
export const faults = ['timeout', 'reset', 'error500', 'garbage', 'done_then_500'] as const;
export type Fault = (typeof faults)[number];

/** That many next calls of the operation go wrong; what was ordered first comes first. */
export interface FaultOrder {
  operation: Operation;
  fault: Fault;
  times: number;
}

/** Reads 500 in the words of whichever API it happens in. */
export class SimulatedFault extends Error {}
