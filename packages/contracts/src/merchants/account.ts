import { isUuid } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp, timeZone } from '../days.ts';
import { anonymous, bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { cents, count, id, sum } from '../fields.ts';
import { accountChange } from '../forms/account-change.ts';
import { credentials } from '../forms/credentials.ts';
import { registration } from '../forms/registration.ts';

/** The access token of a session, and the refresh token that gets a new access token. */
export const tokens = z.object({ accessToken: z.string(), refreshToken: z.string() }).meta({ id: 'Tokens' });

/** The token that a device stores and sends at its next log-in to the same account. */
export const deviceToken = z.string().meta({
  description:
    'Token to store on the device. Send it as `X-Device-Token` at the next log-in to this account.',
});

export const merchantStatuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;

const fee = z.object({
  bps: z.int().min(0).max(10_000).meta({
    description: 'Percentage fee in basis points of the amount; 100 basis points are one per cent.',
  }),
  fixed: cents.meta({ description: 'Fixed fee in cents, added to the percentage fee.' }),
});

const usedLimit = z.object({
  ordered: sum.meta({ description: 'Cents ordered on this day and not returned.' }),
  left: cents.nullable().meta({ description: 'Cents that remain of the daily limit. Null means no limit.' }),
});

const day = z.string().meta({ example: '2026-11-24' });

const withdrawalLimits = {
  dailyWithdrawalLimit: cents.nullable().meta({
    description:
      'Limit, in cents, for all withdrawals of a day in São Paulo together. Null means no limit. A new ' +
      'account has R$ 50,000.00 in production.',
  }),
  destinationCooldownHours: count.meta({
    description:
      'Hours for which a destination is new. Production pays nothing to a new destination. 0 means that ' +
      'no destination is ever new. A new account has 24 hours in production.',
  }),
};

const limits = z.object({
  maxInstallments: z.int().min(1).max(18),
  autoApproveLimit: cents.meta({
    description:
      'Limit, in cents, for the Pix withdrawals of a day in São Paulo that leave production without an ' +
      'approval, together. With 0 every withdrawal needs approval.',
  }),
  newPayeesPerDay: count.nullable().meta({
    description:
      'Number of payees that the withdrawals of a day in São Paulo may pay for the first time without an ' +
      'approval, in production. Null means no limit. A new account has 10.',
  }),
  ...withdrawalLimits,
  sandbox: z.object(withdrawalLimits).meta({
    description:
      'The same two limits in the sandbox. A new account has neither there until an operator sets them, ' +
      'which sets them in both environments.',
  }),
  today: z
    .object({
      day: day.meta({ description: 'Day in São Paulo to which the figures belong.' }),
      until: timestamp.meta({ description: 'Time at which the next day begins, with nothing ordered.' }),
      production: usedLimit,
      sandbox: usedLimit.extend({
        day: day.optional().meta({
          description:
            'Day to which the sandbox’s figures belong. It follows the clock of your sandbox, which may ' +
            'be ahead.',
        }),
        until: timestamp
          .optional()
          .meta({ description: 'Time at which the next day begins by the clock of your sandbox.' }),
      }),
    })
    .nullable()
    .meta({
      description:
        'Use of the daily limit, counted separately in each environment. Null means that it is not ' +
        'available at this moment; send the request again.',
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
    cardEnabled: z.boolean().meta({
      description:
        'Whether the account may charge cards in production. The sandbox accepts cards for every account.',
    }),
    checkoutColor: z.string(),
    timeZone: timeZone.meta({
      description:
        'Time zone for days in requests to the API and in its responses, when a request names no other. ' +
        'It applies to `startDate`, `endDate`, closings and an `expiresAt` that is a day. New accounts ' +
        'use America/Sao_Paulo. Accounts created in release 0.6.0 or earlier use UTC until they choose. ' +
        'Settlement and daily limits always use days of America/Sao_Paulo.',
      example: 'America/Sao_Paulo',
    }),
    fees: z
      .object({ PIX: fee, CARD: fee })
      .meta({ description: 'Fees of each paid charge, by payment method.' }),
    withdrawalFee: cents.meta({ description: 'Fee of each withdrawal, in cents.' }),
    withdrawalFeeMode: z.enum(['AMOUNT', 'BALANCE']).meta({
      description:
        'Source of the withdrawal fee. AMOUNT: the fee is part of the requested amount, and the payee ' +
        'receives less. BALANCE: the fee is charged to the balance in addition to the amount.',
    }),
    settlementDays: count.meta({
      description:
        'Days from a card payment until its money is available. 0 means at once. Otherwise the money ' +
        'becomes available when that day begins in São Paulo.',
    }),
    settlementCalendar: z.enum(['calendar', 'banking']).meta({
      description:
        'Days that settlement counts. calendar: every day. banking: only days on which Brazil’s banks ' +
        'settle.',
    }),
    limits,
    createdAt: timestamp,
  })
  .meta({ id: 'Account' });

export type AccountView = z.infer<typeof accountView>;

/** The query with which the gateway requests the total of a merchant's withdrawals of the day. */
export const orderedTodayQuery = z.strictObject({ merchantId: z.string().refine(isUuid, 'must be an id') });

/**
 * The totals in cents of the withdrawals that were ordered on this day (São Paulo), one per environment.
 * Excludes returned withdrawals.
 */
export const orderedToday = z.object({
  day,
  until: timestamp,
  production: z.int(),
  sandbox: z.int(),
  /** The day of the sandbox's clock. An earlier release of the withdrawals service omits this field. */
  sandboxDay: z.object({ day, until: timestamp }).optional(),
});

export type OrderedToday = z.infer<typeof orderedToday>;

export const account = endpointsOf('gateway', {
  register: {
    route: 'POST /v1/auth/register',
    access: anonymous,
    summary: 'Register a merchant account',
    description:
      'The account starts PENDING. The sandbox works at once, and production works after approval. An ' +
      'Idempotency-Key is not needed. If no response arrives, send the request again, and log in if the ' +
      'response is ACCOUNT_EXISTS. A weak password and a wrong CNPJ only cause an `X-Sandbox-Warning`.',
    warnsInSandbox: true,
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
      'Access tokens are valid for 15 minutes, refresh tokens for 30 days. E-mail addresses are compared ' +
      'without regard to case.',
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
      'Access tokens are valid for 15 minutes, refresh tokens for 30 days. A refresh token stays the same ' +
      'unless `rotate` is true. With `rotate` the response has the refresh token to use from then on, a ' +
      'new one at most every five minutes. A replaced token works for two more minutes and returns the ' +
      'same successor. Later use of it ends the session.',
    body: z.object({
      refreshToken: z.string().min(1).max(512),
      rotate: z
        .boolean()
        .optional()
        .meta({
          description:
            'Replaces the refresh token. Use it in a client that saves the token of each response, such as ' +
            'a browser.',
        }),
    }),
    examples: [
      {
        summary: 'Refresh token of a log-in',
        body: { refreshToken: 'vXn0mYbWw8n6gB5uS1dLkJ2hQf9cRtA7oPzE3iKx4Ms' },
      },
    ],
    data: z.object({
      accessToken: z.string(),
      refreshToken: z.string().optional().meta({ description: 'Present only with `rotate`.' }),
    }),
    errors: ['INVALID_REFRESH_TOKEN'],
  },

  logOut: {
    route: 'POST /v1/auth/logout',
    access: bearer,
    summary: 'End the session',
    description: 'The session’s refresh token ends at once, its access tokens within seconds.',
    data: z.object({ message: z.string() }),
  },

  getAccount: {
    route: 'GET /v1/account',
    access: bearer,
    summary: 'Read the account',
    description:
      'Returns the account with its fees, its limits and the use of its daily limit. The platform sets ' +
      'fees and limits.',
    data: accountView,
  },

  changeAccount: {
    route: 'PATCH /v1/account',
    access: bearer,
    summary: 'Change the colour of the checkout, the phone number or the time zone',
    description:
      'Changes only the fields sent. Within seconds the checkout shows the new colour and phone number, ' +
      'and the API reads days in the new time zone. The platform changes all other fields of an account.',
    body: accountChange,
    examples: [
      { summary: 'Another colour', body: { checkoutColor: '#0F766E' } },
      { summary: 'Another phone number', body: { phone: '(11) 91234-5678' } },
      { summary: 'Time zone of Manaus', body: { timeZone: 'America/Manaus' } },
    ],
    data: accountView,
  },
} as const satisfies Record<string, Definition>);
