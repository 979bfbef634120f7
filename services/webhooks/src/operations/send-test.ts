import { type WebhookEventType, webhookEvents, webhookExamples } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { newId, Refusal, type Tenant } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';
import { z } from 'zod';
import { noSuchConfiguration } from '../domain/configuration.ts';
import { DELIVERIES_SIGNAL } from '../domain/delivery.ts';
import { countTest, lockConfiguration } from '../store/configurations.ts';
import { findDelivery, type ListedDelivery } from '../store/delivery-lists.ts';
import { newestEventAbout } from '../store/event-lists.ts';
import { insertWebhookEvents } from '../store/webhook-events.ts';
import { buildTestEvent } from '../webhook-event-of.ts';

interface SendTest {
  database: Database;
  saveResponse: (tx: Transaction, queued: ListedDelivery) => Promise<void>;
}

interface TestRequest {
  /** The id of the configuration. */
  id: string;
  /** The event to send. The default is `webhook.test`. */
  event?: WebhookEventType | undefined;
  /**
   * The id of the object that the test event describes. The default is the object of the newest event about
   * this kind of object.
   */
  objectId?: string | undefined;
}

/**
 * Creates a test delivery for one configuration, even if its filter does not include the event. The sender
 * treats it like any other delivery.
 */
export async function sendTest(
  { database, saveResponse }: SendTest,
  tenant: Tenant,
  { id, event = 'webhook.test', objectId }: TestRequest,
): Promise<ListedDelivery> {
  return database.transaction(async (tx) => {
    const locked = await lockConfiguration(tx, tenant, id);
    if (!locked) throw noSuchConfiguration();
    const { configuration } = locked;
    if (!configuration.isActive) {
      throw new Refusal('conflict', 'INVALID_STATE', 'the webhook configuration is not active');
    }
    const at = new Date().toISOString();
    const data =
      event === 'webhook.test'
        ? webhookEvents[event].parse({ id, message: 'A test of your webhook.', isTest: true })
        : testData(event, await findLatestData(tx, tenant, { event, objectId }), at);
    const testEvent = buildTestEvent(configuration, {
      ...{ id: newId(), at, event, data },
      // Sequence 0 is lower than that of every real event, so a receiver treats the test as older than the
      // object's state.
      sequence: event === 'webhook.test' ? await countTest(tx, id) : 0,
      traceparent: currentContext()?.traceparent ?? null,
    });
    const delivery = { id: newId(), eventId: testEvent.id, configurationId: id };
    await insertWebhookEvents(tx, [testEvent], { deliveries: [delivery] });
    const queued = await findDelivery(tx, tenant, delivery.id);
    if (!queued) throw new Error('a delivery was not stored');
    await saveResponse(tx, queued);
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
    return queued;
  });
}

const storedBody = z.object({ data: z.record(z.string(), z.unknown()) });

/**
 * Returns the data of the newest event about the object. Returns an empty object if the request names no
 * object and no event exists.
 */
async function findLatestData(
  tx: Transaction,
  tenant: Tenant,
  { event, objectId }: { event: WebhookEventType; objectId: string | undefined },
): Promise<Record<string, unknown>> {
  const body = await newestEventAbout(tx, tenant, { types: eventTypesLike(event), objectId });
  if (body !== null) return storedBody.parse(JSON.parse(body)).data;
  if (objectId === undefined) return {};
  const [noun] = event.split('.');
  const message = `objectId: no event of your feed is about this ${noun}: name one that is in GET /v1/events, or leave it out`;
  throw new Refusal('missing', 'NOT_FOUND', message);
}

type Fields = Record<string, unknown>;

/** Returns the event types with the same noun. All of them are about the same kind of object. */
function eventTypesLike(event: WebhookEventType): string[] {
  const [noun] = event.split('.');
  return Object.keys(webhookEvents).filter((type) => type.split('.')[0] === noun);
}

/**
 * Returns the data of a test event. Each field comes from the merchant's object, or else from the example.
 * Times of the example become `at`.
 */
function testData(event: WebhookEventType, fields: Fields, at: string) {
  const schema = webhookEvents[event];
  const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = schema.shape;
  const own = Object.entries(fields).filter(([name, value]) => shape[name]?.safeParse(value).success);
  const example = Object.entries(exampleOf(event)).map(([name, value]) => [name, asOf(at, value)]);
  const data: Fields = {
    ...Object.fromEntries(example),
    ...refundOf(event, fields),
    ...Object.fromEntries(own),
  };
  return schema.parse({ ...data, isTest: true });
}

function exampleOf(event: WebhookEventType): Fields {
  return { ...webhookExamples.find((example) => example.event === event)?.data };
}

function asOf(at: string, value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? at : value;
}

/**
 * Returns the fields of a refund of the whole net amount. In `testData`, the values of the merchant's own
 * object take precedence over these fields.
 */
function refundOf(event: WebhookEventType, { netAmount }: Fields): Fields {
  if (typeof netAmount !== 'number') return {};
  if (event === 'charge.refunded') return { refundedAmount: netAmount };
  const { refund } = exampleOf(event);
  return refund instanceof Object ? { refund: { ...refund, amount: netAmount } } : {};
}
