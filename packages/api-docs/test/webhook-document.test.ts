import { expect, test } from '@jest/globals';
import { api, type WebhookEventType, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { openApiDocument } from '../src/document.ts';

const document = JSON.parse(JSON.stringify(openApiDocument(api)));
const parameter = z.looseObject({
  name: z.string(),
  schema: z.looseObject({ default: z.unknown().optional() }),
});
const posted = z.looseObject({
  parameters: z.array(parameter),
  requestBody: z.object({
    required: z.literal(true),
    content: z.object({
      'application/json': z.looseObject({ schema: z.unknown(), example: z.record(z.string(), z.unknown()) }),
    }),
  }),
});
const { webhooks, components, paths } = z
  .looseObject({
    webhooks: z.record(z.string(), z.object({ post: posted })),
    components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
    paths: z.record(
      z.string(),
      z.record(z.string(), z.looseObject({ parameters: z.array(parameter).default([]) })),
    ),
  })
  .parse(document);

function isEvent(name: string): name is WebhookEventType {
  return Object.hasOwn(webhookEvents, name);
}

const bodyOf = (name: string) => webhooks[name]?.post.requestBody.content['application/json'];

test.each(Object.keys(webhookEvents).filter(isEvent))('%s has an example with exactly its fields', (name) => {
  const { example } = bodyOf(name) ?? {};
  const sent = z.strictObject({
    event: z.literal(name),
    data: webhookEvents[name],
    timestamp: z.iso.datetime(),
    eventId: z.uuid(),
    sequence: z.int().min(0),
  });

  expect(sent.parse(example)).toEqual(example);
});

test('an event says which codes there are, and one that there will be makes it no worse', () => {
  const { example } = bodyOf('withdrawal.failed') ?? {};
  const schema = components.schemas.WithdrawalFailedData;
  const { failureReason, pixKeyType } = api.getWithdrawal.data.shape;
  const later = { ...z.looseObject({}).parse(example?.data), failureReason: 'of_tomorrow' };

  for (const { options } of [failureReason.unwrap(), pixKeyType.unwrap()])
    expect(JSON.stringify(schema)).toContain(`"enum":${JSON.stringify(options).slice(0, -1)}`);
  expect(webhookEvents['withdrawal.failed'].parse(later)).toEqual(later);
});

test('who posts webhooks is told', () => {
  const names = Object.values(webhooks).map(({ post }) => post.parameters.map(({ name }) => name));

  expect(names).not.toEqual([]);
  for (const told of names) expect(told).toContain('User-Agent');
});

test('why an attempt had no answer is one of a few words', () => {
  expect(components.schemas.WebhookAttempt).toHaveProperty(
    'properties.error.enum',
    expect.arrayContaining(['timeout', 'connection_failed']),
  );
});

test.each(Object.entries(api).filter(([, endpoint]) => 'paged' in endpoint))(
  '%s says which page is answered when none is asked for',
  (_name, { path, method }) => {
    const { parameters = [] } = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] ?? {};
    const defaults = parameters.map(({ name, schema }) => [name, schema.default]);

    expect(Object.fromEntries(defaults)).toMatchObject({ page: 1, limit: 20 });
  },
);

test('where a webhook may go, and which events it gets, is told', () => {
  const { shape: added } = api.createWebhookConfiguration.body;
  const { shape: changed } = api.changeWebhookConfiguration.body;

  for (const { url } of [added, changed])
    expect(z.toJSONSchema(url, { io: 'input' }).description).toMatch(
      /https.*private.*credentials.*Redirects/,
    );
  expect(added.events.meta()?.description).toMatch(/Left out or empty: all/);
  expect(changed.events.unwrap().meta()?.description).toMatch(
    /Empty: all, that is the contract’s eight .* and charge.refund_failed\..* hints, of which one may be missing.*Left out/,
  );
});

test.each(['listCharges', 'listEvents', 'listWebhookDeliveries', 'listAuditLog'] as const)(
  '%s counts its days in the account’s zone unless one is named, the last one included',
  (name) => {
    const { endDate, timeZone } = api[name].query.shape;

    expect(timeZone.meta()?.description).toMatch(/Left out: that of the account, and UTC for operators/);
    expect(endDate.meta()?.description).toMatch(/included/);
  },
);
