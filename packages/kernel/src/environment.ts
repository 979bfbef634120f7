/** Sandbox and production never share an entry, event, delivery or key. */
export const environments = ['production', 'sandbox'] as const;

export type Environment = (typeof environments)[number];

/**
 * Stands where a merchant stands when money belongs to none: a Pix that came to our key and asks for no charge of
 * ours; in an audit log where an operator would, when the platform itself acted. The nil UUID (RFC 9562, 5.9), so that
 * it can never be a merchant's id or an operator's.
 */
export const PLATFORM_ID = '00000000-0000-0000-0000-000000000000';

/** The owner of data: everything a merchant owns belongs to one of these. */
export interface Tenant {
  merchantId: string;
  environment: Environment;
}
