import { z } from 'zod';
import { timestamp } from '../days.ts';
import {
  type Definition,
  type Endpoint,
  endpointsOf,
  everyRole,
  finance,
  type ServiceName,
} from '../endpoint.ts';
import { id, nullableText, optionalText, text, visibleText } from '../fields.ts';
import { page } from '../paging.ts';

const deadLetter = z
  .object({
    id,
    eventId: id
      .nullable()
      .meta({ description: 'Id of the event. Null means that the message has no readable id.' }),
    type: nullableText.meta({
      description: 'Type of the event. For an unreadable message this is the type under which it was sent.',
      example: 'charge.paid',
    }),
    signature: z.enum(['VALID', 'UNSIGNED', 'UNCHECKED', 'INVALID']).meta({
      description:
        'VALID: signed by the service that publishes events of this type. INVALID: signed by another ' +
        'sender, or changed; the event is never applied. UNSIGNED, UNCHECKED: the origin is not proven, ' +
        'and the event is applied only while signatures are not required.',
    }),
    reason: nullableText.meta({
      description:
        'rejected: the message could not be read, or its processing failed three times. delivery_limit: ' +
        'its consumers repeatedly ended while they processed it. Null means that the cause is unknown.',
    }),
    diedAt: timestamp,
    replayedAt: timestamp.nullable(),
  })
  .meta({ id: 'DeadLetter' });

export type DeadLetterView = z.infer<typeof deadLetter>;

const deadLetterQuery = z.strictObject({
  type: text(255).optional(),
  replayed: z.enum(['true', 'false']).optional(),
  ...page,
});

const inspectedDeadLetter = deadLetter
  .extend({
    body: z.string().meta({
      description: 'The message, with documents, e-mail addresses and long numbers masked.',
    }),
  })
  .meta({ id: 'InspectedDeadLetter' });

const replayedDeadLetter = deadLetter
  .extend({
    outcome: z.enum(['APPLIED', 'APPLIED_BEFORE']).meta({
      description: 'APPLIED_BEFORE: another copy of the event has taken effect already.',
    }),
  })
  .meta({ id: 'ReplayedDeadLetter' });

function deadLettersOf<const S extends ServiceName>(service: S) {
  return endpointsOf(service, {
    list: {
      route: `GET /v1/admin/${service}/dead-letters`,
      access: everyRole,
      summary: `List events that ${service} could not apply, newest first`,
      description:
        'Each event has had no effect in this service and waits until it is replayed. It is retained for ' +
        '90 days after the replay. The list is normally empty.',
      query: deadLetterQuery,
      data: deadLetter,
      paged: true,
    },
    inspect: {
      route: `GET /v1/admin/${service}/dead-letters/:id`,
      access: everyRole,
      summary: `Read an event that ${service} could not apply`,
      description:
        'Returns the event as in the list, with its message. Documents, e-mail addresses and long numbers ' +
        'in the message are masked.',
      data: inspectedDeadLetter,
    },
    replay: {
      route: `POST /v1/admin/${service}/dead-letters/:id/replay`,
      access: finance,
      summary: `Apply an event that ${service} could not apply`,
      description:
        'Use it after the cause of the failure is corrected. The event takes effect once, for any number ' +
        'of replays. If another copy has taken effect already, the replay counts as done, and `outcome` ' +
        'reports it. INVALID_STATE means that the event was replayed already, can’t be read or still ' +
        'can’t be applied. INVALID_STATE also means that its signature does not belong to the service ' +
        'named as its source. In these cases nothing was changed.',
      body: z.object({
        reason: optionalText(visibleText(255)).meta({ description: 'Text for the audit log.' }),
      }),
      examples: [{ summary: 'After a release', body: { reason: 'Corrigido na versão 1.4.2.' } }],
      data: replayedDeadLetter,
      errors: ['INVALID_STATE'],
    },
  } as const satisfies Record<string, Definition>);
}

export type DeadLetterEndpoints = ReturnType<typeof deadLettersOf<ServiceName>>;

export const deadLetters = {
  gateway: deadLettersOf('gateway'),
  charges: deadLettersOf('charges'),
  withdrawals: deadLettersOf('withdrawals'),
  ledger: deadLettersOf('ledger'),
  webhooks: deadLettersOf('webhooks'),
} as const satisfies Record<ServiceName, DeadLetterEndpoints>;

export const deadLetterEndpoints = {
  listDeadLettersOfGateway: deadLetters.gateway.list,
  inspectDeadLetterOfGateway: deadLetters.gateway.inspect,
  replayDeadLetterOfGateway: deadLetters.gateway.replay,
  listDeadLettersOfCharges: deadLetters.charges.list,
  inspectDeadLetterOfCharges: deadLetters.charges.inspect,
  replayDeadLetterOfCharges: deadLetters.charges.replay,
  listDeadLettersOfWithdrawals: deadLetters.withdrawals.list,
  inspectDeadLetterOfWithdrawals: deadLetters.withdrawals.inspect,
  replayDeadLetterOfWithdrawals: deadLetters.withdrawals.replay,
  listDeadLettersOfLedger: deadLetters.ledger.list,
  inspectDeadLetterOfLedger: deadLetters.ledger.inspect,
  replayDeadLetterOfLedger: deadLetters.ledger.replay,
  listDeadLettersOfWebhooks: deadLetters.webhooks.list,
  inspectDeadLetterOfWebhooks: deadLetters.webhooks.inspect,
  replayDeadLetterOfWebhooks: deadLetters.webhooks.replay,
} as const satisfies Record<string, Endpoint>;
