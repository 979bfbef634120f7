import { environments } from '@plataforma/kernel';
import { z } from 'zod';

/**
 * Ids of changed objects, for open pages: no amount, name or text. The pages read the changed data through
 * the gateway, which checks their session. `about` is the type of the event that changed the object.
 */
const pageUpdate = z.object({
  about: z.string(),
  environment: z.enum(environments).nullable(),
  /** The charge on whose buyer's page the change appears; null if it appears on no such page. */
  chargeId: z.uuid().nullable(),
  /** The visit to a payment link on whose page the change appears; null for a change without a visit. */
  checkoutId: z.uuid().nullable(),
});

/**
 * The live updates that `web` reads. Each service publishes its own type, so that its key and its login at
 * the broker cover only updates about its own events.
 */
export const pageUpdates = {
  'live.gateway': pageUpdate,
  'live.charges': pageUpdate,
  'live.withdrawals': pageUpdate,
  'live.ledger': pageUpdate,
};

export type PageUpdateType = keyof typeof pageUpdates;

export const pageUpdateTypes = Object.keys(pageUpdates).filter(isPageUpdate);

export function isPageUpdate(type: string): type is PageUpdateType {
  return Object.hasOwn(pageUpdates, type);
}
