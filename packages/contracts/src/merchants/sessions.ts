import { z } from 'zod';
import { timestamp } from '../days.ts';
import { bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { id, nullableText } from '../fields.ts';
import { passwordChange } from '../forms/password-change.ts';
import { page } from '../paging.ts';
import { deviceToken, tokens } from './account.ts';

export const session = z
  .object({
    id,
    isCurrent: z.boolean().meta({ description: 'Whether this session sent the request.' }),
    createdAt: timestamp.meta({ description: 'Time of the log-in.' }),
    lastUsedAt: timestamp.meta({ description: 'Time of the latest access token, up to 15 minutes late.' }),
    expiresAt: timestamp,
    address: nullableText.meta({
      description:
        'Address of the last use. Null means that it is not available, because an earlier release opened ' +
        'the session.',
      example: '203.0.113.7',
    }),
    userAgent: nullableText.meta({
      description: 'Browser or program of the last use.',
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }),
  })
  .meta({ id: 'Session' });

export const endedCount = z.object({
  ended: z
    .int()
    .nonnegative()
    .meta({ description: 'Number of sessions that this request ended.', example: 2 }),
});

export type SessionView = z.infer<typeof session>;

export const sessions = endpointsOf('gateway', {
  changePassword: {
    route: 'POST /v1/auth/password',
    access: bearer,
    summary: 'Change the password',
    description:
      'Every session ends, including the session that sends this request. Refresh tokens end at once, ' +
      'access tokens within seconds. The response has the tokens of a new session. A wrong ' +
      'currentPassword is refused as in a log-in, with INVALID_CREDENTIALS and then RATE_LIMITED. If no ' +
      'response arrives, log in with the new password. If that log-in is refused, the password was not ' +
      'changed.',
    body: passwordChange,
    examples: [
      {
        summary: 'Password that may be compromised',
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
    description:
      'The list contains the sessions that can still be used. Each log-in opens a session; API keys have ' +
      'none.',
    query: z.strictObject(page),
    data: session,
    paged: true,
  },

  endSession: {
    route: 'DELETE /v1/auth/sessions/:id',
    access: bearer,
    summary: 'End one session',
    description:
      'The session’s refresh token and open streams end at once, its access tokens within seconds. The ' +
      'session that sends this request can be ended as well.',
    data: z.object({ message: z.string() }),
  },

  endOtherSessions: {
    route: 'DELETE /v1/auth/sessions',
    access: bearer,
    summary: 'End all other sessions',
    description: 'Ends all sessions except the session that sends this request.',
    data: endedCount,
  },
} as const satisfies Record<string, Definition>);
