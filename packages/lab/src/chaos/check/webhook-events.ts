import { isDeepStrictEqual } from 'node:util';
import { type WebhookEventType, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, violation } from './finding.ts';
import { type Announced, readAnnounced } from './outboxes.ts';

type WebhookEvent = {
  id: string;
  type: string;
  resource: string;
  owner: string;
  body: string;
};

const WEBHOOK_EVENTS = `
  SELECT id, type, resource_id AS resource, concat(merchant_id, ' ', environment) AS owner, body FROM events`;
const TESTED = `
  SELECT id, concat(merchant_id, ' ', environment) AS owner FROM configurations`;

/**
 * Invariant 7. Checks that each event in a merchant's feed has the type, object, merchant and data of the
 * published event. Test events and failure events must be about a webhook of their merchant.
 */
export async function checkWebhookEvents({ databases, olderUntil }: Evidence): Promise<Finding[]> {
  const announced = new Map((await readAnnounced(databases)).map((event) => [event.id, event]));
  const ownerOf = await readConfigurations(databases);
  return (await rowsOf<WebhookEvent>(databases.webhooks, WEBHOOK_EVENTS)).flatMap((webhook) => {
    const isRight =
      webhook.type === 'webhook.test' || webhook.type === 'webhook.failing'
        ? ownerOf.get(webhook.resource) === webhook.owner && isAbout(webhook, webhook.resource)
        : isAsAnnounced(webhook, announced.get(webhook.id), olderUntil !== undefined);
    return isRight
      ? []
      : [violation(7, `event ${webhook.id} tells otherwise than was announced: ${webhook.body}`)];
  });
}

async function readConfigurations({ webhooks }: Databases): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; owner: string }>(webhooks, TESTED);
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

const envelope = z.object({ event: z.string(), data: z.object({ id: z.string() }) });

/** Returns whether the body contains the type of the event, and `resource` as the id of its object. */
function isAbout({ type, body }: Pick<WebhookEvent, 'type' | 'body'>, resource: string): boolean {
  const { event, data } = envelope.parse(JSON.parse(body));
  return event === type && data.id === resource;
}

/**
 * Returns whether a merchant's event equals the published event. Events of older releases may lack fields
 * that were added later.
 */
function isAsAnnounced(
  { id: eventId, type, resource, owner, body }: WebhookEvent,
  event: Announced | undefined,
  isOlderAllowed: boolean,
): boolean {
  if (!event || !isPublic(type)) return false;
  const { merchant, environment, aggregate, sequence, occurred_at: timestamp } = event;
  const data = webhookEvents[type].safeParse(event.data).data;
  const said = { event: type, data, timestamp, eventId, sequence };
  const sent = parsed.parse(JSON.parse(body));
  return (
    event.type === type &&
    aggregate === resource &&
    `${merchant} ${environment}` === owner &&
    isAbout({ type, body }, resource) &&
    isDeepStrictEqual(sent, isOlderAllowed ? asFarAsKnown(said, sent) : said)
  );
}

const parsed = z.looseObject({ data: z.looseObject({}) });
type Body = { data?: object | undefined };

/**
 * The fields that have been added since the oldest release from which an upgrade is possible, by the object
 * in the event type.
 */
const ofPayments = [
  'paymentMethod',
  'endToEndId',
  'installments',
  'cardBrand',
  'nsu',
  'authorizationCode',
  'acquirerId',
];
const additions: Readonly<Record<string, readonly string[]>> = {
  charge: ['metadata', 'refund', ...ofPayments],
  dispute: ['externalId', 'metadata', 'refundedAmount', 'debt', ...ofPayments],
  withdrawal: ['externalId', 'bankAccount', 'method', 'endToEndId'],
};

/**
 * Returns the published event for a comparison with `sent`, the event that the merchant got. Leaves out the
 * fields that `sent` lacks because a later release added them.
 */
function asFarAsKnown({ data, ...said }: Body & { event: string }, sent: Body): object {
  const [noun = ''] = said.event.split('.');
  const added = additions[noun] ?? [];
  return {
    ...without(said, ['eventId', 'sequence'], sent),
    data: without(data ?? {}, added, sent.data ?? {}),
  };
}

function without(said: object, added: readonly string[], sent: object): object {
  const isKnown = (field: string) => !added.includes(field) || Object.hasOwn(sent, field);
  return Object.fromEntries(Object.entries(said).filter(([field]) => isKnown(field)));
}

function isPublic(type: string): type is WebhookEventType {
  return Object.hasOwn(webhookEvents, type);
}
