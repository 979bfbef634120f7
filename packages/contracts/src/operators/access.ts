import { z } from 'zod';
import { timestamp } from '../days.ts';
import { anonymous, type Definition, endpointsOf, everyRole, operators } from '../endpoint.ts';
import { credentials } from '../forms/credentials.ts';
import { deviceToken } from '../merchants/account.ts';
import { endedCount, session } from '../merchants/sessions.ts';
import { page } from '../paging.ts';
import { operator } from './operators.ts';
import { assertion } from './passkeys.ts';

const otp = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .meta({
    description:
      'Code of the second factor: the six digits of the authenticator app, or a recovery code. Each code ' +
      'works once.',
    example: '287082',
  });

const proofs = { otp: otp.optional(), passkey: assertion.optional() };
const isSingle = ({ otp: code, passkey }: { otp?: unknown; passkey?: unknown }) =>
  code === undefined || passkey === undefined;
const ONE_PROOF = { path: ['passkey'], error: 'must be left out if the body has otp' };

const accessToken = z.string();
const refreshToken = z.string().meta({
  description:
    'Token for /v1/admin/auth/refresh. It ends after 30 minutes without use, and 12 hours after the ' +
    'log-in. It stays the same.',
});

/** The log-in, the second factor and the sessions of operators. */
export const operatorAccess = endpointsOf('gateway', {
  logInOperator: {
    route: 'POST /v1/admin/auth/login',
    access: anonymous,
    summary: 'Log in as an operator',
    description:
      'Every operator needs a second factor (TOTP, RFC 6238). Without `otp`, a correct password receives ' +
      'SECOND_FACTOR_REQUIRED, or SECOND_FACTOR_ENROLMENT if the operator has no factor yet. The latter ' +
      'contains the address of the new factor in `error.otpauth`, which stays the same until a log-in ' +
      'with `otp` confirms it. The response to that log-in contains the recovery codes, and no later ' +
      'response shows them. If the operator has passkeys, SECOND_FACTOR_REQUIRED contains a challenge for ' +
      'them in `error.passkey`, and the log-in may have `passkey` in place of `otp`. Five wrong codes or ' +
      'answers lock the factor for 15 minutes. Access tokens are valid for 15 minutes. The removal of a ' +
      'role or of all access takes effect within five seconds, even for an existing token.',
    body: credentials.extend(proofs).refine(isSingle, ONE_PROOF),
    examples: [
      {
        summary: 'An operator',
        body: { email: 'operador@plataforma.example', password: 'uma senha longa', otp: '287082' },
      },
    ],
    fromDevice: true,
    data: z.object({
      accessToken,
      refreshToken,
      deviceToken,
      recoveryCodes: z
        .array(z.string())
        .optional()
        .meta({
          description:
            'Ten codes, each of which works once as `otp`. Present only in the response that confirms a ' +
            'new second factor.',
          example: ['GEZD-GNBV-GY3T-QOJQ'],
        }),
    }),
    errors: [
      'INVALID_CREDENTIALS',
      'SECOND_FACTOR_REQUIRED',
      'SECOND_FACTOR_ENROLMENT',
      'INVALID_SECOND_FACTOR',
      'SECOND_FACTOR_LOCKED',
      'PASSKEYS_NOT_CONFIGURED',
      'IP_NOT_ALLOWED',
    ],
  },

  refreshOperator: {
    route: 'POST /v1/admin/auth/refresh',
    access: anonymous,
    summary: 'Get a new access token as an operator',
    description: 'The refresh token stays the same. The second factor does not become fresh.',
    body: z.object({ refreshToken: z.string().min(1).max(512) }),
    examples: [
      {
        summary: 'Refresh token of a log-in',
        body: { refreshToken: 'vXn0mYbWw8n6gB5uS1dLkJ2hQf9cRtA7oPzE3iKx4Ms' },
      },
    ],
    data: z.object({ accessToken }),
    errors: ['INVALID_REFRESH_TOKEN', 'IP_NOT_ALLOWED'],
  },

  confirmSecondFactor: {
    route: 'POST /v1/admin/auth/confirm',
    access: everyRole,
    summary: 'Confirm your second factor',
    description:
      'The second factor of the new access token is fresh for five minutes, as after a log-in. Endpoints ' +
      'that refuse older factors answer SECOND_FACTOR_STALE. Wrong codes and answers of passkeys count as ' +
      'in a log-in. The challenge for `passkey` is from /v1/admin/auth/confirm/options.',
    body: z
      .object(proofs)
      .refine(isSingle, ONE_PROOF)
      .refine(({ otp: code, passkey }) => code ?? passkey, {
        path: ['otp'],
        error: 'is required',
      }),
    examples: [{ summary: 'Code of the authenticator app', body: { otp: '287082' } }],
    data: z.object({ accessToken }),
    errors: ['INVALID_SECOND_FACTOR', 'SECOND_FACTOR_LOCKED', 'PASSKEYS_NOT_CONFIGURED'],
  },

  readOwnOperator: {
    route: 'GET /v1/admin/me',
    access: everyRole,
    summary: 'Read your own account',
    description: 'The answer also says how old the second factor of this access token is.',
    data: operator
      .extend({
        singleOperator: z.boolean().meta({
          description:
            'Whether the installation has a single operator at the moment. The changes of a single ' +
            'operator take effect at once.',
        }),
        factorAt: timestamp.nullable().meta({
          description:
            'Time of the last second factor of this access token. Null means that an earlier release ' +
            'issued the token.',
        }),
      })
      .meta({ id: 'OwnOperator' }),
  },

  listOwnOperatorSessions: {
    route: 'GET /v1/admin/auth/sessions',
    access: everyRole,
    summary: 'List your own sessions, newest first',
    description: 'A session begins with a log-in. It ends after 30 minutes without use and after 12 hours.',
    query: z.strictObject(page),
    data: session,
    paged: true,
  },

  endOwnOperatorSession: {
    route: 'DELETE /v1/admin/auth/sessions/:id',
    access: everyRole,
    summary: 'End one of your own sessions',
    description:
      'The session’s refresh token and open streams end at once, its access tokens within seconds. The ' +
      'session that sends this request can be ended as well, which logs the operator out.',
    data: z.object({ message: z.string() }),
  },

  listSessionsOfOperator: {
    route: 'GET /v1/admin/operators/:id/sessions',
    access: operators('ADMIN'),
    summary: 'List an operator’s sessions, newest first',
    description: 'Only an ADMIN reads the sessions of other operators.',
    query: z.strictObject(page),
    data: session,
    paged: true,
  },

  endSessionsOfOperator: {
    route: 'DELETE /v1/admin/operators/:id/sessions',
    access: operators('ADMIN'),
    summary: 'End all sessions of an operator',
    description: 'Refresh tokens and open streams end at once, access tokens within seconds.',
    data: endedCount,
  },
} as const satisfies Record<string, Definition>);
