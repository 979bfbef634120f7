import {
  type TimelineService,
  type TimelineView,
  type timelinePart,
  timelineServices,
} from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { z } from 'zod';

type Part = z.infer<typeof timelinePart>;

/** Asks a service for its records of the first id, or of all of them; null: it did not answer. */
export type AskTimeline = (service: TimelineService, ids: readonly string[]) => Promise<Part | null>;

type PartByService = Record<TimelineService, Part | null>;

/** All that the services have on record of a charge or a withdrawal, or of the one that `id` belongs to. */
export async function readTimeline(ask: AskTimeline, id: string): Promise<TimelineView> {
  const first = await askAbout(ask, id);
  const owner = subjectIn(first) ? null : ownerIn(first);
  const partByService = owner === null || owner === id ? first : await askAbout(ask, owner);
  const subject = subjectIn(partByService);
  const entries = inOrder(partByService);
  const silent = timelineServices.filter((service) => partByService[service] === null);
  // A thing whose own service is away is known by what the others have of it.
  const isFound = subject || (entries.length > 0 && !(partByService.charges && partByService.withdrawals));
  if (!isFound) throw notFound(silent);
  return {
    subject,
    sources: timelineServices.map((service) => sourceOf(service, partByService[service])),
    entries,
  };
}

/** Those whose it may be say what belongs to it, so that the others are asked under every id they may know it by. */
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

/** By time. Stable: of one instant in the order in which news travels, and then as each service tells it. */
function inOrder(partByService: PartByService): TimelineView['entries'] {
  const entries = timelineServices.flatMap((service) =>
    (partByService[service]?.entries ?? []).map((entry) => ({ service, ...entry })),
  );
  const momentOf = ({ at }: { at: string }) => new Date(at).getTime();
  return entries.toSorted((one, other) => momentOf(one) - momentOf(other));
}

function sourceOf(service: TimelineService, part: Part | null): TimelineView['sources'][number] {
  if (!part) return { service, state: 'unavailable', isCut: false, now: null };
  return { service, state: 'answered', isCut: part.isCut, now: part.now };
}

function notFound(silent: readonly TimelineService[]): Refusal {
  if (silent.length === 0) {
    return new Refusal('missing', 'NOT_FOUND', 'no charge and no withdrawal has this id');
  }
  const message = `nothing is known of this id, and there was no answer from ${silent.join(', ')}`;
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
