import { z } from 'zod';
import { type Definition, endpointsOf, writes } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { id, olderNameOf, oneOf, page, timestamp } from '../fields.ts';
import { faultKinds, MAX_FAULTED_ATTEMPTS, newWebhookFault } from '../forms/webhook-fault.ts';
import { readsWebhooks } from './webhook-deliveries.ts';

const count = z.int().min(1).max(MAX_FAULTED_ATTEMPTS);

const fault = z
  .object({
    id,
    webhookId: id.meta({ description: 'The webhook.' }),
    configId: olderNameOf('webhookId', id),
    kind: oneOf(faultKinds).meta({ example: 'duplicate' }),
    count: count.meta({ description: 'How many attempts it was asked for.' }),
    left: count.meta({ description: 'How many it has not met yet; at 0 it leaves the list.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookFault' });

export type WebhookFaultView = z.infer<typeof fault>;

const access = writes('charges:write', 'withdrawals:write', 'webhooks:write');

/** Faults by which a merchant proves that a receiver is idempotent, orders by sequence and refuses what is forged. */
export const webhookFaults = endpointsOf('webhooks', {
  createWebhookFault: {
    route: 'POST /v1/sandbox/webhook-faults',
    access,
    keyed: true,
    summary: 'Let attempts of a sandbox webhook go wrong',
    description:
      'The next `count` attempts of this webhook meet the fault; of several the one asked for first comes first, 20 at most at a ' +
      'time (INVALID_STATE). What follows is as ever: what was not answered with a 2xx is sent again. Each attempt in ' +
      '`GET /v1/webhook-deliveries/{id}` names the fault it met.\n\n' +
      '- `duplicate`: the same request is sent twice at once; the answer to the second counts.\n' +
      '- `reorder`: it waits until a later event of the same object was delivered to this webhook, 30 seconds at most.\n' +
      '- `delay`: it waits 5 seconds.\n' +
      '- `bad_signature`: it is signed with a secret that nobody has: refuse it, and the next one is signed well.\n' +
      '- `drop`: it is not sent, and counts as a `connection_failed`.',
    body: newWebhookFault,
    examples: [
      {
        summary: 'The next event is sent twice',
        body: { webhookId: exampleId('Webhook'), kind: 'duplicate' },
      },
      {
        summary: 'Three forged requests',
        body: { webhookId: exampleId('Webhook'), kind: 'bad_signature', count: 3 },
      },
    ],
    status: 201,
    data: fault,
    errors: ['NOT_FOUND', 'SANDBOX_ONLY', 'INVALID_STATE'],
  },

  listWebhookFaults: {
    route: 'GET /v1/sandbox/webhook-faults',
    access: readsWebhooks,
    summary: 'List what is left of the faults of sandbox webhooks, newest first',
    description:
      'What is used up or was ended is not among them; an attempt that has met one says so itself.',
    query: z.strictObject({
      webhookId: z.uuid().optional(),
      configId: olderNameOf('webhookId', z.uuid().optional()),
      ...page,
    }),
    data: fault,
    paged: true,
    errors: ['SANDBOX_ONLY'],
  },

  deleteWebhookFault: {
    route: 'DELETE /v1/sandbox/webhook-faults/:id',
    access,
    summary: 'End a fault of a sandbox webhook',
    description: 'It meets no further attempt; one that it has met already goes on as that fault says.',
    data: z.object({ message: z.string() }),
    errors: ['SANDBOX_ONLY'],
  },
} as const satisfies Record<string, Definition>);
