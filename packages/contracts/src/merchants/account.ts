import { isUuid } from '@plataforma/kernel';
import { z } from 'zod';
import { anonymous, bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { cents, count, id, sum, timestamp, timeZone } from '../fields.ts';
import { accountChange } from '../forms/account-change.ts';
import { credentials } from '../forms/credentials.ts';
import { registration } from '../forms/registration.ts';

/** Opens and continues a session. */
export const tokens = z.object({ accessToken: z.string(), refreshToken: z.string() }).meta({ id: 'Tokens' });

/** Brought along by the device at its next log-in to the same account. */
export const deviceToken = z.string().meta({
  description: 'Keep it on the device, and send it as `X-Device-Token` at the next log-in to this account.',
});

export const merchantStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

const fee = z.object({
  bps: z.int().min(0).max(10_000).meta({ description: 'Basis points of the amount: 100 are one per cent.' }),
  fixed: cents.meta({ description: 'Cents, on top of the share.' }),
});

const usedLimit = z.object({
  ordered: sum.meta({ description: 'Cents ordered on this day that did not come back.' }),
  left: cents.nullable().meta({ description: 'Cents of the daily limit that are left; null: no limit.' }),
});

const day = z.string().meta({ example: '2026-11-24' });

const limits = z.object({
  maxInstallments: z.int().min(1).max(18),
  autoApproveLimit: cents.meta({
    description: 'Cents. Pix withdrawals up to this need no approval in production; 0: every one does.',
  }),
  dailyWithdrawalLimit: cents.nullable().meta({
    description:
      'Cents, of all withdrawals of a day of São Paulo together; null: no limit, as it is until an operator sets one.',
  }),
  destinationCooldownHours: count.meta({
    description:
      'For how long a destination is new: until then production pays nothing to it. 0: none is, as it is until an operator sets it.',
  }),
  today: z
    .object({
      day: day.meta({ description: 'The day of São Paulo that is counted.' }),
      until: timestamp.meta({ description: 'When the next day begins, with nothing ordered.' }),
      production: usedLimit,
      sandbox: usedLimit.extend({
        day: day.optional().meta({
          description: 'The day that is counted here: by the clock of your sandbox, which may be ahead.',
        }),
        until: timestamp.optional().meta({ description: 'When the next one begins by that clock.' }),
      }),
    })
    .nullable()
    .meta({
      description:
        'What counts of the daily limit, in each environment for itself. Null: not known at this moment; read it again.',
    }),
});

const accountView = z
  .object({
    id,
    email: z.string(),
    companyName: z.string(),
    cnpj: z.string(),
    phone: z.string(),
    status: z.enum(merchantStatuses),
    cardEnabled: z.boolean().meta({ description: 'In production; the sandbox takes cards of everybody.' }),
    checkoutColor: z.string(),
    timeZone: timeZone.meta({
      description:
        'The zone whose days the API reads and answers, where a request names none: `startDate`, `endDate`, closings, an ' +
        '`expiresAt` that is a day. New accounts have America/Sao_Paulo; accounts of release 0.6.0 and before have UTC until ' +
        'they choose. Settlement and daily limits count days of America/Sao_Paulo in any case.',
      example: 'America/Sao_Paulo',
    }),
    fees: z
      .object({ PIX: fee, CARD: fee })
      .meta({ description: 'Of each charge that is paid, by its method.' }),
    withdrawalFee: cents.meta({ description: 'Of each withdrawal, in cents.' }),
    withdrawalFeeMode: z.enum(['AMOUNT', 'BALANCE']).meta({
      description:
        'AMOUNT: the fee is a part of what is ordered, and less is paid out. BALANCE: it is taken on top of it.',
    }),
    settlementDays: count.meta({
      description:
        'Days from a card payment until its money is available: 0 at once, else as that day of São Paulo begins.',
    }),
    settlementCalendar: z.enum(['calendar', 'banking']).meta({
      description: 'Which days are counted: all, or those on which Brazil’s banks settle.',
    }),
    limits,
    createdAt: timestamp,
  })
  .meta({ id: 'Account' });

export type AccountView = z.infer<typeof accountView>;

/** A merchant's totals of the day, which the gateway reads at withdrawals. */
export const orderedTodayQuery = z.strictObject({ merchantId: z.string().refine(isUuid, 'must be an id') });

/** Its answer: cents ordered on this day of São Paulo that did not come back, in each environment. */
export const orderedToday = z.object({
  day,
  until: timestamp,
  production: z.int(),
  sandbox: z.int(),
  /** The day of the sandbox's clock; an earlier release leaves it out. */
  sandboxDay: z.object({ day, until: timestamp }).optional(),
});

export type OrderedToday = z.infer<typeof orderedToday>;

export const account = endpointsOf('gateway', {
  register: {
    route: 'POST /v1/auth/register',
    access: anonymous,
    summary: 'Register a merchant account',
    description:
      'The account starts PENDING: the sandbox works at once, production after approval. An Idempotency-Key is not needed: where no answer came, send it again, and at ACCOUNT_EXISTS log in.',
    body: registration,
    examples: [
      {
        summary: 'A shop',
        body: {
          email: 'dono@loja.example',
          password: 'uma senha longa',
          companyName: 'Loja do Zé',
          cnpj: '34.665.388/0001-61',
          phone: '11987654321',
        },
      },
    ],
    status: 201,
    data: tokens,
    errors: ['ACCOUNT_EXISTS'],
  },

  logIn: {
    route: 'POST /v1/auth/login',
    access: anonymous,
    summary: 'Log in',
    description:
      'Access tokens live 15 minutes, refresh tokens 30 days. The address is compared without regard to case.',
    body: credentials,
    examples: [
      { summary: 'The shop’s owner', body: { email: 'dono@loja.example', password: 'uma senha longa' } },
    ],
    fromDevice: true,
    data: tokens.extend({ deviceToken }).meta({ id: 'LogIn' }),
    errors: ['INVALID_CREDENTIALS'],
  },

  refresh: {
    route: 'POST /v1/auth/refresh',
    access: anonymous,
    summary: 'Get a new access token',
    description:
      'Access tokens live 15 minutes, refresh tokens 30 days. A refresh token stays the same, unless `rotate` is true: ' +
      'then the answer has the refresh token to use from now on, another one at most every five minutes. ' +
      'A replaced token works for two more minutes and brings the same successor; used later, it ends the session.',
    body: z.object({
      refreshToken: z.string().min(1).max(512),
      rotate: z.boolean().optional().meta({
        description:
          'Replaces the refresh token. For a client that saves the one in each answer, such as a browser.',
      }),
    }),
    examples: [
      {
        summary: 'A token of the log-in',
        body: { refreshToken: 'vXn0mYbWw8n6gB5uS1dLkJ2hQf9cRtA7oPzE3iKx4Ms' },
      },
    ],
    data: z.object({
      accessToken: z.string(),
      refreshToken: z.string().optional().meta({ description: 'Only after `rotate`.' }),
    }),
    errors: ['INVALID_REFRESH_TOKEN'],
  },

  logOut: {
    route: 'POST /v1/auth/logout',
    access: bearer,
    summary: 'End the session',
    description: 'Its refresh token ends at once, its access tokens within seconds.',
    data: z.object({ message: z.string() }),
  },

  getAccount: {
    route: 'GET /v1/account',
    access: bearer,
    summary: 'Read the account',
    description:
      'With what it pays, what it may do, and what is left of the day. Fees and limits are set by the platform.',
    data: accountView,
  },

  changeAccount: {
    route: 'PATCH /v1/account',
    access: bearer,
    summary: 'Change the colour of the checkout, the phone number or the time zone',
    description:
      'Only the fields sent are changed. The checkout has the new colour, and the API reads days in the new time zone, within seconds. All else about an account is changed by the platform.',
    body: accountChange,
    examples: [
      { summary: 'Another colour', body: { checkoutColor: '#0F766E' } },
      { summary: 'Another phone number', body: { phone: '(11) 91234-5678' } },
      { summary: 'Days of Manaus', body: { timeZone: 'America/Manaus' } },
    ],
    data: accountView,
  },
} as const satisfies Record<string, Definition>);
