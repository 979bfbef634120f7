import { z } from 'zod';
import {
  type Definition,
  type Endpoint,
  endpointsOf,
  everyRole,
  finance,
  type ServiceName,
} from '../endpoint.ts';
import { id, nullableText, optionalText, page, text, timestamp, visibleText } from '../fields.ts';

const deadLetter = z
  .object({
    id,
    eventId: id.nullable().meta({ description: 'Null: it has none that could be read.' }),
    type: nullableText.meta({
      description: 'The event’s; of what could not be read, what it was sent as.',
      example: 'charge.paid',
    }),
    signature: z.enum(['VALID', 'UNSIGNED', 'UNCHECKED', 'INVALID']).meta({
      description:
        'VALID: the service that events of this type come from has signed it. INVALID: anything else has, or it was ' +
        'changed; it is never applied. UNSIGNED, UNCHECKED: nothing proves where it is from; it is applied only while ' +
        'signatures are not required.',
    }),
    reason: nullableText.meta({
      description:
        'rejected: it could not be read, or not be applied three times over. delivery_limit: its readers ended over it, ' +
        'again and again. Null: not known.',
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
      description: 'APPLIED_BEFORE: another copy of it has had the effect already.',
    }),
  })
  .meta({ id: 'ReplayedDeadLetter' });

/** Returns the endpoints of a subscribing service's dead letters. */
function deadLettersOf<const S extends ServiceName>(service: S) {
  return endpointsOf(service, {
    list: {
      route: `GET /v1/admin/${service}/dead-letters`,
      access: everyRole,
      summary: `List events that ${service} could not apply, newest first`,
      description:
        'Each has had no effect here and waits until it is replayed; kept for 90 days after that. There should be none.',
      query: deadLetterQuery,
      data: deadLetter,
      paged: true,
    },
    inspect: {
      route: `GET /v1/admin/${service}/dead-letters/:id`,
      access: everyRole,
      summary: `Read an event that ${service} could not apply`,
      description:
        'As in the list, with its message, in which documents, e-mail addresses and long numbers are masked.',
      data: inspectedDeadLetter,
    },
    replay: {
      route: `POST /v1/admin/${service}/dead-letters/:id/replay`,
      access: finance,
      summary: `Apply an event that ${service} could not apply`,
      description:
        'For when what was wrong is mended. The event takes effect once, however often it is replayed: one that had its effect ' +
        'by another copy counts as done, and `outcome` says so. INVALID_STATE: it was replayed already, it can’t be read, or it ' +
        'still can’t be applied, or its signature is not of the service it is said to be from; then nothing was changed.',
      body: z.object({ reason: optionalText(visibleText(255)).meta({ description: 'For the audit log.' }) }),
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
