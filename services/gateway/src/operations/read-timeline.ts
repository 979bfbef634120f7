import {
  type TimelineService,
  type TimelineView,
  type timelinePart,
  timelineServices,
} from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { z } from 'zod';

type Part = z.infer<typeof timelinePart>;

/**
 * Asks a service for its records about objects with these ids. The services charges and withdrawals are asked
 * about one id only. Resolves to null if the service did not answer.
 */
type AskTimeline = (service: TimelineService, ids: readonly string[]) => Promise<Part | null>;

/** The gateway's own records of a merchant: its status, operators' decisions and proposals. */
type MerchantRecords = Pick<TimelineView, 'subject'> & Pick<Part, 'entries'>;

interface Sources {
  ask: AskTimeline;
  /** Resolves to null if the id is not that of a merchant. */
  readMerchant: (id: string) => Promise<MerchantRecords | null>;
}

type PartByService = Record<TimelineService, Part | null>;

/**
 * Returns all services' records about a charge, a withdrawal or a merchant. `id` is the id of this subject,
 * or of an object that belongs to the subject. If no service knows the id, throws NOT_FOUND, or
 * SERVICE_UNAVAILABLE if a service did not answer.
 */
export async function readTimeline({ ask, readMerchant }: Sources, id: string): Promise<TimelineView> {
  const [merchant, first] = await Promise.all([readMerchant(id), askAbout(ask, id)]);
  if (merchant) return viewOf(merchant.subject, first, merchant.entries);
  const owner = subjectIn(first) ? null : ownerIn(first);
  const partByService = owner === null || owner === id ? first : await askAbout(ask, owner);
  const subject = subjectIn(partByService);
  const view = viewOf(subject, partByService);
  const silent = timelineServices.filter((service) => partByService[service] === null);
  // If charges or withdrawals did not answer, entries of other services show that the object exists.
  const isFound =
    subject || (view.entries.length > 0 && !(partByService.charges && partByService.withdrawals));
  if (!isFound) throw notFound(silent);
  return view;
}

function viewOf(
  subject: TimelineView['subject'],
  partByService: PartByService,
  own: Part['entries'] = [],
): TimelineView {
  return {
    subject,
    sources: timelineServices.map((service) => sourceOf(service, partByService[service])),
    entries: inOrder(partByService, own),
  };
}

/**
 * Asks charges and withdrawals first, because charges returns the related ids that the other services need.
 */
async function askAbout(ask: AskTimeline, id: string): Promise<PartByService> {
  const [charges, withdrawals] = await Promise.all([ask('charges', [id]), ask('withdrawals', [id])]);
  const subject = charges?.subject ?? withdrawals?.subject;
  const ids = [...new Set([subject?.id ?? id, ...(charges?.related ?? [])])];
  const [ledger, webhooks] = await Promise.all([ask('ledger', ids), ask('webhooks', ids)]);
  return { charges, withdrawals, ledger, webhooks };
}

function subjectIn({ charges, withdrawals }: PartByService): Part['subject'] {
  return charges?.subject ?? withdrawals?.subject ?? null;
}

function ownerIn({ ledger, webhooks }: PartByService): string | null {
  return ledger?.belongsTo ?? webhooks?.belongsTo ?? null;
}

/**
 * Sorts the entries by time. Entries of the same instant stay in the order of the services, with the gateway
 * first. Those of one service stay in its own order.
 */
function inOrder(partByService: PartByService, own: Part['entries']): TimelineView['entries'] {
  const entries = [
    ...own.map((entry) => ({ service: 'gateway' as const, ...entry })),
    ...timelineServices.flatMap((service) =>
      (partByService[service]?.entries ?? []).map((entry) => ({ service, ...entry })),
    ),
  ];
  const momentOf = ({ at }: { at: string }) => new Date(at).getTime();
  return entries.toSorted((one, other) => momentOf(one) - momentOf(other));
}

function sourceOf(service: TimelineService, part: Part | null): TimelineView['sources'][number] {
  if (!part) return { service, state: 'unavailable', isCut: false, now: null };
  return { service, state: 'answered', isCut: part.isCut, now: part.now };
}

function notFound(silent: readonly TimelineService[]): Refusal {
  if (silent.length === 0) {
    return new Refusal('missing', 'NOT_FOUND', 'there is no charge, withdrawal or merchant with this id');
  }
  const message = `no record with this id was found, and ${silent.join(', ')} did not answer`;
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
