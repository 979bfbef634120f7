import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import type { Announcement } from './catalogue.ts';
import { isPageUpdate, type PageUpdateType } from './page-updates.ts';
import { isEventType, type Producer, producerOf } from './producers.ts';
import { subscriptions } from './topology.ts';

export type PageUpdate = Extract<Announcement, { type: PageUpdateType }>;

const id = z.uuid().optional().catch(undefined);
/** The fields of an event that a page update repeats. */
const facts = z.object({
  type: z.string(),
  merchantId: z.uuid(),
  environment: z.enum(environments).nullable(),
  aggregateId: z.uuid(),
  sequence: z.int().nonnegative(),
  data: z.object({ chargeId: id, checkoutId: id }),
});

/** The types whose changes pages show. */
const shown = new Set<string>([...subscriptions.webhooks, 'session.ended']);
/** Types of events, besides those of charges, that appear on the page of the charge's buyer. */
const shownToBuyers = new Set(['dispute.opened', 'dispute.resolved', 'payment.unexpected']);

export function pageUpdateTypeOf(producer: Producer): PageUpdateType | null {
  const type = `live.${producer}`;
  return isPageUpdate(type) ? type : null;
}

/** Returns the page update for an event, or null if no page shows the event's type. */
export function pageUpdateOf(event: unknown): PageUpdate | null {
  const { data: read } = facts.safeParse(event);
  if (!read || !shown.has(read.type) || !isEventType(read.type)) return null;
  const { type: about, environment, data, ...outer } = read;
  const type = pageUpdateTypeOf(producerOf(about));
  if (!type) return null;
  const ofBuyer = shownToBuyers.has(about) ? (data.chargeId ?? null) : null;
  const chargeId = about.startsWith('charge.') ? outer.aggregateId : ofBuyer;
  const ids = { chargeId, checkoutId: data.checkoutId ?? null };
  return { ...outer, type, environment: null, data: { about, environment, ...ids } };
}
