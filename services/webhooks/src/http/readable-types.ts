import { api, type Endpoint, type Scope, webhookEventTypes } from '@plataforma/contracts';

/**
 * The endpoint whose scopes allow a reader to see an event, by the noun of the event's name. Events of API
 * keys need `events:read`.
 */
const readAs: Record<string, Endpoint> = {
  charge: api.getCharge,
  checkout: api.getPaymentLink,
  dispute: api.getDispute,
  payment: api.listUnexpectedPayments,
  refund: api.getRefund,
  receivable: api.listReceivables,
  webhook: api.listWebhookConfigurations,
  withdrawal: api.getWithdrawal,
};

type EventType = (typeof webhookEventTypes)[number];

/** Returns the event types that these scopes may read; null: all. */
export function readableTypes(scopes: readonly Scope[]): EventType[] | null {
  if (scopes.includes('events:read')) return null;
  const readable = webhookEventTypes.filter((type) => mayCall(readAs[type.split('.')[0] ?? ''], scopes));
  return readable.length === webhookEventTypes.length ? null : readable;
}

/**
 * Returns the event types whose deliveries these scopes may read; null: all. A key that may create webhooks
 * reads all, because it could send any event to its own address.
 */
export function deliveredTypes(scopes: readonly Scope[]): (EventType | 'webhook.test')[] | null {
  if (mayCall(api.createWebhookConfiguration, scopes)) return null;
  const types = readableTypes(scopes);
  return types && [...types, 'webhook.test'];
}

function mayCall(endpoint: Endpoint | undefined, scopes: readonly Scope[]): boolean {
  return (
    endpoint?.access.kind === 'merchant' && endpoint.access.anyOf.some((scope) => scopes.includes(scope))
  );
}
