import { api, type Endpoint, type Scope, webhookEventTypes } from '@plataforma/contracts';

/**
 * Maps the first part of an event type to an endpoint. Callers who may call the endpoint may also read these
 * events. Events of API keys are absent, because they need `events:read`.
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

/** Returns the event types that a caller with these scopes may read. Null means all types. */
export function readableTypes(scopes: readonly Scope[]): EventType[] | null {
  if (scopes.includes('events:read')) return null;
  const readable = webhookEventTypes.filter((type) => mayCall(readAs[type.split('.')[0] ?? ''], scopes));
  return readable.length === webhookEventTypes.length ? null : readable;
}

/**
 * Returns the event types whose deliveries a caller with these scopes may read. Null means all types. A key
 * that may create webhooks may read all, because it could send every event to its own URL.
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
