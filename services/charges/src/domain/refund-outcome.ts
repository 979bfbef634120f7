/** What a provider says of money it was asked to give back. `processing` says: accepted, its end is still to come. */
export type RefundOutcome =
  | { state: 'processing' }
  | { state: 'done' }
  | { state: 'refused'; reason: string };
