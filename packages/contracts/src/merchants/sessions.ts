import { z } from 'zod';
import { bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { id, nullableText, page, timestamp } from '../fields.ts';
import { passwordChange } from '../forms/password-change.ts';
import { deviceToken, tokens } from './account.ts';

const session = z
  .object({
    id,
    isCurrent: z.boolean().meta({ description: 'The session that sends this request.' }),
    createdAt: timestamp.meta({ description: 'The log-in.' }),
    lastUsedAt: timestamp.meta({ description: 'The latest access token: up to 15 minutes late.' }),
    expiresAt: timestamp,
    address: nullableText.meta({
      description: 'From where it was last used. Null: not known; a release before opened it.',
      example: '203.0.113.7',
    }),
    userAgent: nullableText.meta({
      description: 'The browser or program that last used it.',
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }),
  })
  .meta({ id: 'Session' });

export type SessionView = z.infer<typeof session>;

export const sessions = endpointsOf('gateway', {
  changePassword: {
    route: 'POST /v1/auth/password',
    access: bearer,
    summary: 'Change the password',
    description:
      'Every session ends, also the one that sends this request: at once for its refresh token and within seconds for its access tokens. The answer has the tokens of a new session. A wrong currentPassword is refused as at a log-in: INVALID_CREDENTIALS, then RATE_LIMITED. Where no answer came, log in with the new password; if that is refused, it was not changed.',
    body: passwordChange,
    examples: [
      {
        summary: 'After a password may have been seen',
        body: { currentPassword: 'uma senha longa', newPassword: 'outra senha longa' },
      },
    ],
    data: tokens.extend({ deviceToken, message: z.string() }).meta({ id: 'PasswordChange' }),
    errors: ['INVALID_CREDENTIALS'],
  },

  listSessions: {
    route: 'GET /v1/auth/sessions',
    access: bearer,
    summary: 'List the sessions, newest first',
    description: 'Those that can still be used. A log-in opens one; API keys have none.',
    query: z.strictObject(page),
    data: session,
    paged: true,
  },

  endSession: {
    route: 'DELETE /v1/auth/sessions/:id',
    access: bearer,
    summary: 'End one session',
    description:
      'Its refresh token and its open streams end at once, its access tokens within seconds. The session that sends this request ends like any other.',
    data: z.object({ message: z.string() }),
  },

  endOtherSessions: {
    route: 'DELETE /v1/auth/sessions',
    access: bearer,
    summary: 'End all other sessions',
    description: 'All but the one that sends this request.',
    data: z.object({
      ended: z.int().nonnegative().meta({ description: 'How many sessions this request ended.', example: 2 }),
    }),
  },
} as const satisfies Record<string, Definition>);
