import { api } from '@plataforma/contracts';

/** The dispute in an operator's answer. */
export function disputeOf({ data }: { data?: unknown }) {
  return api.resolveDispute.data.parse(data);
}
