import { type WebhookEventType, webhookEvents, webhookExamples } from '@plataforma/contracts';

type Fields = Record<string, unknown>;

/** By the noun before the point: events of one noun are about objects of one sort. */
export function eventTypesLike(event: WebhookEventType): string[] {
  const [noun] = event.split('.');
  return Object.keys(webhookEvents).filter((type) => type.split('.')[0] === noun);
}

/**
 * The data of a test: what is known of the merchant's object, in so far as the event can say it, and for the rest the
 * document's example, as of `at`.
 */
export function testData(event: WebhookEventType, known: Fields, at: string) {
  const schema = webhookEvents[event];
  const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = schema.shape;
  const own = Object.entries(known).filter(([name, value]) => shape[name]?.safeParse(value).success);
  const example = Object.entries(exampleOf(event)).map(([name, value]) => [name, asOf(at, value)]);
  const data: Fields = {
    ...Object.fromEntries(example),
    ...refundOf(event, known),
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

/** All that a refund returns unless an amount is asked for. */
function refundOf(event: WebhookEventType, { netAmount }: Fields): Fields {
  if (typeof netAmount !== 'number') return {};
  if (event === 'charge.refunded') return { refundedAmount: netAmount };
  const { refund } = exampleOf(event);
  return refund instanceof Object ? { refund: { ...refund, amount: netAmount } } : {};
}
