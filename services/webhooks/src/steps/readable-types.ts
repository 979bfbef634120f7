import { api, type Endpoint, type Scope, webhookEventTypes } from '@plataforma/contracts';

/** Endpoints whose scopes read an event in the feed, by the noun of its name. Events of API keys need `events:read`. */
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

/** Which events a caller with these scopes reads of; null: of all. */
export function readableTypes(held: readonly Scope[]): (typeof webhookEventTypes)[number][] | null {
  if (held.includes('events:read')) return null;
  const readable = webhookEventTypes.filter((type) => {
    const { access } = readAs[type.split('.')[0] ?? ''] ?? {};
    return access?.kind === 'merchant' && access.anyOf.some((scope) => held.includes(scope));
  });
  return readable.length === webhookEventTypes.length ? null : readable;
}
