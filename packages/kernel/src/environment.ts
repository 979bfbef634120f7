/** Sandbox and production never share an entry, event, delivery or key. */
export const environments = ['production', 'sandbox'] as const;

export type Environment = (typeof environments)[number];

/**
 * The merchant of money that belongs to no merchant, and the operator of the platform's own actions in an
 * audit log. The nil UUID (RFC 9562, 5.9), so that no merchant or operator has this id.
 */
export const PLATFORM_ID = '00000000-0000-0000-0000-000000000000';

/** The owner of data: a merchant in one environment. */
export interface Tenant {
  merchantId: string;
  environment: Environment;
}
