import { z } from 'zod';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { count, timestamp } from '../fields.ts';
import { clockMove } from '../forms/sandbox-clock.ts';

/** The works of a sandbox that fall due by its clock, and their services. */
export const clockWorks = { charges: 'charges', receivables: 'ledger', withdrawals: 'withdrawals' } as const;

const sandboxClock = z
  .object({
    now: timestamp.meta({ description: 'The time of your sandbox.', example: '2026-11-24T12:00:00.000Z' }),
    aheadSeconds: count.meta({
      description: 'By how much that is ahead of the real time; 0 while it was never moved.',
      example: 259_200,
    }),
    waitingFor: z
      .array(
        z.object({
          what: z.enum(['charges', 'receivables', 'withdrawals']),
          count: count.nullable().meta({
            description:
              'How many are due and not done, 1,001 where it is more than a thousand; null: that service does not say, or has not ' +
              'heard of the new time.',
          }),
        }),
      )
      .max(Object.keys(clockWorks).length)
      .meta({
        description: 'What fell due by now and has not happened yet; nothing as a rule.',
        example: [],
      }),
  })
  .meta({ id: 'SandboxClock' });

export type SandboxClockView = z.output<typeof sandboxClock>;

/** The time of a merchant's sandbox. */
export const sandboxClocks = endpointsOf('gateway', {
  getSandboxClock: {
    route: 'GET /v1/sandbox/clock',
    access: reads(),
    summary: 'Read the clock of your sandbox',
    description: 'In production it is SANDBOX_ONLY.',
    data: sandboxClock,
    errors: ['SANDBOX_ONLY'],
  },

  moveSandboxClock: {
    route: 'POST /v1/sandbox/clock',
    access: writes('charges:write', 'withdrawals:write'),
    summary: 'Move the clock of your sandbox forward',
    description:
      'By `advance` or to `at`; never back, at most 365 days at a time and 1,825 in all (INVALID_STATE beyond). Charges ' +
      'expire, card money settles, API keys of the sandbox end, and cool-downs run, which the sandbox has once its clock ' +
      'was moved; what happens from then on has the new time, in answers, events and the statement. What fell due in ' +
      'between happens at the new time. Answered when it has happened. Rate limits, sessions, Idempotency-Keys, leases, ' +
      'the retries of webhooks and the log of requests keep the real time. Without an Idempotency-Key a second request moves it once more. In ' +
      'production it is SANDBOX_ONLY.',
    body: clockMove,
    examples: [
      { summary: 'By three days', body: { advance: 'P3D' } },
      { summary: 'To an instant', body: { at: '2026-12-01T09:00:00-03:00' } },
    ],
    otherStatus: {
      status: 202,
      when: 'The clock was moved, and after 8 seconds not all that fell due has happened: `waitingFor` says what.',
    },
    data: sandboxClock,
    keyed: true,
    errors: ['SANDBOX_ONLY', 'INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
