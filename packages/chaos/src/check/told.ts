import { isDeepStrictEqual } from 'node:util';
import { type WebhookEventType, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, violation } from './finding.ts';
import { type Announced, readAnnounced } from './outboxes.ts';

/** What merchants are to be told, word for word. */
type Told = {
  id: string;
  type: string;
  resource: string;
  owner: string;
  body: string;
};

const TOLD = `
  SELECT id, type, resource_id AS resource, concat(merchant_id, ' ', environment) AS owner, body FROM events`;
const TESTED = `
  SELECT id, concat(merchant_id, ' ', environment) AS owner FROM configurations`;

/**
 * 7. What a merchant is told of is what the emitter has announced: the same sort of event, of the same thing and merchant,
 * with what the contract promises of it. A test is of a configuration of the merchant's own.
 */
export async function checkTold({ databases }: Evidence): Promise<Finding[]> {
  const announced = new Map((await readAnnounced(databases)).map((event) => [event.id, event]));
  const ownerOf = await readConfigurations(databases);
  return (await rowsOf<Told>(databases.webhooks, TOLD)).flatMap((told) => {
    const isRight =
      told.type === 'webhook.test'
        ? ownerOf.get(told.resource) === told.owner && isAbout(told, told.resource)
        : isAsAnnounced(told, announced.get(told.id));
    return isRight ? [] : [violation(7, `event ${told.id} tells otherwise than was announced: ${told.body}`)];
  });
}

async function readConfigurations({ webhooks }: Databases): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; owner: string }>(webhooks, TESTED);
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

const envelope = z.object({ event: z.string(), data: z.object({ id: z.string() }) });

/** The body of a test holds nothing else that could be another's. */
function isAbout({ type, body }: Pick<Told, 'type' | 'body'>, resource: string): boolean {
  const { event, data } = envelope.parse(JSON.parse(body));
  return event === type && data.id === resource;
}

/** An older release leaves out which event it is. */
function isAsAnnounced(
  { id: eventId, type, resource, owner, body }: Told,
  event: Announced | undefined,
): boolean {
  if (!event || !isPublic(type)) return false;
  const { merchant, environment, aggregate, sequence, occurred_at: timestamp } = event;
  const said = {
    event: type,
    data: webhookEvents[type].safeParse(event.data).data,
    timestamp,
    eventId,
    sequence,
  };
  const told = { eventId, sequence, ...JSON.parse(body) };
  return (
    event.type === type &&
    aggregate === resource &&
    `${merchant} ${environment}` === owner &&
    isAbout({ type, body }, resource) &&
    (isDeepStrictEqual(told, said) || isDeepStrictEqual(told, withoutAdditions(said)))
  );
}

/** The body as a release before the present one writes it: without what was added to the contract's fields since. */
function withoutAdditions<T extends { data: object | undefined }>(said: T): object {
  const data = Object.entries(said.data ?? {}).filter(([field]) => field !== 'metadata');
  return { ...said, data: Object.fromEntries(data) };
}

function isPublic(type: string): type is WebhookEventType {
  return Object.hasOwn(webhookEvents, type);
}
