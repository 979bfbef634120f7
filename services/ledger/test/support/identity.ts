import { DECISION_HEADER, ORDER_HEADER, ORDERED_BODY_HEADER } from '@plataforma/http';
import { identitiesFor } from '@plataforma/testing/world';

export const identities = identitiesFor('ledger', {
  issuers: ['gateway', 'charges', 'webhooks', 'withdrawals'],
  scopes: ['wallet:read'],
  role: 'ADMIN',
});

export const { keySettings, merchantHeader, operatorHeader, operatorId, serviceHeader } = identities;
export { newTenant } from '@plataforma/testing/world';

const { orderHeader } = identities;

type Changes = Parameters<typeof orderHeader>[0];
type Issuer = Parameters<typeof orderHeader>[1];

interface Debit {
  id?: string;
  merchantId?: string;
  environment?: 'production' | 'sandbox';
  netAmount?: number;
  fee?: number;
}

/**
 * Returns the headers with which the withdrawals service proves a merchant's order of a debit. `changes`
 * replaces fields of the signed order, so that the order does not match the debit.
 */
export function proofHeader(debit: Debit, changes: Changes = {}, by: Issuer = 'gateway') {
  const { id = '', merchantId = '', environment = 'sandbox', netAmount = 0, fee = 0 } = debit;
  const body = JSON.stringify({ amount: netAmount + fee });
  const tenant = { merchantId: merchantId.toLowerCase(), environment };
  return {
    ...orderHeader({ id: id.toLowerCase(), tenant, actor: 'key:1', body, ...changes }, by),
    [ORDERED_BODY_HEADER]: Buffer.from(body).toString('base64url'),
  };
}

/** Returns the header with which the withdrawals service proves an operator's decision to repeat a debit. */
export function decisionHeader({ id = '' }: Debit, changes: Changes = {}) {
  const header = orderHeader({ path: `/v1/admin/withdrawals/${id.toLowerCase()}/debit`, ...changes });
  return { [DECISION_HEADER]: header[ORDER_HEADER] ?? '' };
}
