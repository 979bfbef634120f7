/** The sandbox and production never share a ledger entry, an event, a webhook delivery or an API key. */
export const environments = ['production', 'sandbox'] as const;

export type Environment = (typeof environments)[number];

/**
 * The platform's id: the merchant of money that belongs to no merchant, and the operator of the platform's
 * actions in audit logs. It is the nil UUID (RFC 9562, 5.9), which no merchant or operator has.
 */
export const PLATFORM_ID = '00000000-0000-0000-0000-000000000000';

/** The owner of data: a merchant in one environment. */
export interface Tenant {
  merchantId: string;
  environment: Environment;
}
