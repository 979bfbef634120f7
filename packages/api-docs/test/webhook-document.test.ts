import { expect, test } from '@jest/globals';
import { api, type WebhookEventType, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { inside } from '../src/schemas.ts';
import { components, operationOf, text } from './support/document.ts';

const document: unknown = JSON.parse(text);

function isEvent(name: string): name is WebhookEventType {
  return Object.hasOwn(webhookEvents, name);
}

const exampleOf = (event: WebhookEventType) =>
  inside(document, 'webhooks', event, 'post', 'requestBody', 'content', 'application/json').example;

test.each(Object.keys(webhookEvents).filter(isEvent))('%s has an example with exactly its fields', (name) => {
  const example = exampleOf(name);
  const sent = z.strictObject({
    event: z.literal(name),
    data: webhookEvents[name],
    timestamp: z.iso.datetime(),
    eventId: z.uuid(),
    sequence: z.int().min(0),
  });

  expect(sent.parse(example)).toEqual(example);
});

test('an event lists its codes and accepts a future one', () => {
  const schema = components.schemas.WithdrawalFailedData;
  const { failureReason, pixKeyType } = api.getWithdrawal.data.shape;
  const later = { ...inside(exampleOf('withdrawal.failed'), 'data'), failureReason: 'of_tomorrow' };

  for (const { options } of [failureReason.unwrap(), pixKeyType.unwrap()])
    expect(JSON.stringify(schema)).toContain(`"enum":${JSON.stringify(options).slice(0, -1)}`);
  expect(webhookEvents['withdrawal.failed'].parse(later)).toEqual(later);
});

test.each(Object.entries(api).filter(([, endpoint]) => 'paged' in endpoint))(
  '%s documents its default page and limit',
  (_name, endpoint) => {
    const { parameters } = operationOf(endpoint);
    const defaults = parameters.map((parameter) => [parameter.name, inside(parameter, 'schema').default]);

    expect(Object.fromEntries(defaults)).toMatchObject({ page: 1, limit: 20 });
  },
);
