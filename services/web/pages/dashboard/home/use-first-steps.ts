import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, environment } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import { hasKeyQuery } from '../api-keys/has-key.ts';
import { balanceQuery } from '../balance/queries.ts';
import { type Seller, useSeller } from './seller.ts';

const hasWebhookQuery = queryOptions({
  queryKey: ['webhook', 'list', 'any'],
  queryFn: async () => (await call('GET /v1/webhook-config', { query: { limit: 1 } })).meta.total > 0,
});

const hasDestinationQuery = queryOptions({
  queryKey: ['destination', 'any'],
  queryFn: async () => (await call('GET /v1/destinations', { query: { limit: 1 } })).meta.total > 0,
});

/** The query polls because no event reports that a buyer opened the link. */
const newestLinkQuery = queryOptions({
  queryKey: ['paymentLink', 'list', 'newest'],
  queryFn: async () => {
    const { data } = await call('GET /v1/payment-links', { query: { status: 'ACTIVE', limit: 1 } });
    return data[0] ?? null;
  },
  refetchInterval: POLL_MS,
});

/**
 * Returns which first steps are complete, or `unknown` while the queries load. Returns null if the balance
 * query failed, or when the steps of this kind of seller are complete. In production the first payment
 * completes the steps, unless the user chose the seller kind `message`.
 */
export function useFirstSteps() {
  const chosen = useSeller();
  const { data: balance, isPending } = useQuery(balanceQuery);
  const isPaid = balance !== undefined && balance.totalEarned > 0;
  const enabled = environment === 'sandbox' || (balance !== undefined && (!isPaid || chosen === 'message'));
  const done = useDone(enabled);
  if (isPending || done === 'unknown') return 'unknown';
  if (!balance || !enabled) return null;
  const seller: Seller = chosen ?? (done.hasKey ? 'site' : 'message');
  const isLast = (seller === 'site' ? done.hasWebhook : done.hasDestination) ?? isPaid;
  return isPaid && isLast ? null : { seller, isPaid, isLast, hasKey: done.hasKey, link: done.link };
}

/** Reads what the account already has. The last steps stay undefined when their query failed. */
function useDone(enabled: boolean) {
  const key = useQuery({ ...hasKeyQuery, enabled });
  const webhook = useQuery({ ...hasWebhookQuery, enabled });
  const destination = useQuery({ ...hasDestinationQuery, enabled });
  const link = useQuery({ ...newestLinkQuery, enabled });
  if (enabled && [key, webhook, destination, link].some((each) => each.isPending)) return 'unknown';
  return {
    hasKey: key.data ?? false,
    hasWebhook: webhook.data,
    hasDestination: destination.data,
    link: link.data ?? null,
  };
}

export type FirstStepsState = Exclude<ReturnType<typeof useFirstSteps>, null | 'unknown'>;
