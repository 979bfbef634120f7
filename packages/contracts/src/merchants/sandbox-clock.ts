import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { count } from '../fields.ts';
import { clockMove } from '../forms/sandbox-clock.ts';

/** The kinds of work whose due time follows a sandbox's clock, and the service that does each kind. */
export const clockWorks = { charges: 'charges', receivables: 'ledger', withdrawals: 'withdrawals' } as const;

const sandboxClock = z
  .object({
    now: timestamp.meta({
      description: 'Current time of your sandbox.',
      example: '2026-11-24T12:00:00.000Z',
    }),
    aheadSeconds: count.meta({
      description: 'Seconds by which this time is ahead of the real time. 0 if the clock was never moved.',
      example: 259_200,
    }),
    waitingFor: z
      .array(
        z.object({
          what: z.enum(['charges', 'receivables', 'withdrawals']),
          count: count.nullable().meta({
            description:
              'Number of changes that are due and not done, 1,001 for more than a thousand. Null means ' +
              'that this service did not report it, or has not received the new time.',
          }),
        }),
      )
      .max(Object.keys(clockWorks).length)
      .meta({
        description: 'Changes that are due and have not happened yet. Normally the list is empty.',
        example: [],
      }),
  })
  .meta({ id: 'SandboxClock' });

export type SandboxClockView = z.output<typeof sandboxClock>;

export const sandboxClocks = endpointsOf('gateway', {
  getSandboxClock: {
    route: 'GET /v1/sandbox/clock',
    access: reads(),
    summary: 'Read the clock of your sandbox',
    description: 'In production the response is SANDBOX_ONLY.',
    data: sandboxClock,
    errors: ['SANDBOX_ONLY'],
  },

  moveSandboxClock: {
    route: 'POST /v1/sandbox/clock',
    access: writes('charges:write', 'withdrawals:write'),
    summary: 'Move the clock of your sandbox forward',
    description:
      'Moves the clock by `advance` or to `at`. The clock never moves backward, and moves at most 365 ' +
      'days at a time and 1,825 in all (INVALID_STATE beyond). Charges expire, card money settles and API ' +
      'keys of the sandbox expire. Cool-downs run as well; the sandbox has them once its clock was moved. ' +
      'Later changes have the new time, in responses, events and the statement. Changes that fell due in ' +
      'between happen at the new time. The response arrives when they have happened. Rate limits, ' +
      'sessions, Idempotency-Keys, leases, the retries of webhooks and the log of requests use the real ' +
      'time. Without an Idempotency-Key a second request moves the clock again. In production the ' +
      'response is SANDBOX_ONLY.',
    body: clockMove,
    examples: [
      { summary: 'By three days', body: { advance: 'P3D' } },
      { summary: 'To an instant', body: { at: '2026-12-01T09:00:00-03:00' } },
    ],
    otherStatus: {
      status: 202,
      when:
        'The clock was moved, but after 8 seconds some due changes have not happened. `waitingFor` names ' +
        'them.',
    },
    data: sandboxClock,
    keyed: true,
    errors: ['SANDBOX_ONLY', 'INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
