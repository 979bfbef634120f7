import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, writes } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { id, oneOf } from '../fields.ts';
import { faultKinds, MAX_FAULTED_ATTEMPTS, newWebhookFault } from '../forms/webhook-fault.ts';
import { olderNameOf } from '../older-names.ts';
import { page } from '../paging.ts';
import { readsWebhooks } from './webhook-deliveries.ts';

const count = z.int().min(1).max(MAX_FAULTED_ATTEMPTS);

const fault = z
  .object({
    id,
    webhookId: id.meta({ description: 'Id of the webhook.' }),
    configId: olderNameOf('webhookId', id),
    kind: oneOf(faultKinds).meta({ example: 'duplicate' }),
    count: count.meta({ description: 'Number of attempts requested for the fault.' }),
    left: count.meta({
      description: 'Number of attempts that remain for the fault. At 0 the fault is removed from the list.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookFault' });

export type WebhookFaultView = z.infer<typeof fault>;

const access = writes('charges:write', 'withdrawals:write', 'webhooks:write');

/**
 * Faults with which a merchant tests whether its receiver is idempotent, orders events by sequence, and
 * refuses forged requests.
 */
export const webhookFaults = endpointsOf('webhooks', {
  createWebhookFault: {
    route: 'POST /v1/sandbox/webhook-faults',
    access,
    keyed: true,
    summary: 'Simulate faults of a sandbox webhook',
    description:
      'Applies a fault to the next `count` attempts of this webhook. Several faults apply in the order of ' +
      'their requests, with at most 20 at a time (INVALID_STATE). The usual rules then apply: a delivery ' +
      'without a 2xx is retried. Each attempt in `GET /v1/webhook-deliveries/{id}` names its fault.\n\n- ' +
      '`duplicate`: the same request is sent twice at the same time; the response to the second counts.\n- ' +
      '`reorder`: the attempt waits until a later event of the same object was delivered to this webhook, ' +
      '30 seconds at most.\n- `delay`: the attempt waits 5 seconds.\n- `bad_signature`: the attempt is ' +
      'signed with an unknown secret. Refuse it, and the next attempt has a valid signature.\n- `drop`: ' +
      'the attempt is not sent, and counts as a `connection_failed`.',
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
    summary: 'List active faults of sandbox webhooks, newest first',
    description:
      'The list omits faults that are used up or were ended. An attempt names the fault that applied to ' +
      'it.',
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
    description:
      'The fault applies to no further attempt. An attempt in progress under the fault continues with it.',
    data: z.object({ message: z.string() }),
    errors: ['SANDBOX_ONLY'],
  },
} as const satisfies Record<string, Definition>);
