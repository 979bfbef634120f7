/** Sandbox and production never share an entry, event, delivery or key. */
export const environments = ['production', 'sandbox'] as const;

export type Environment = (typeof environments)[number];

/** Whose data it is: everything a merchant owns belongs to one of these. */
export interface Tenant {
  merchantId: string;
  environment: Environment;
}
