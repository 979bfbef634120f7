import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { id, visibleText } from '../fields.ts';
import { page } from '../paging.ts';

/** Bytes in base64url without padding, as `PublicKeyCredential.toJSON()` writes them. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'must be base64url');

const MAX_CREDENTIAL_ID = 1_400;
const MAX_ANSWER = 6_000;

const credential = {
  id: bytes(MAX_CREDENTIAL_ID),
  rawId: bytes(MAX_CREDENTIAL_ID),
  type: z.literal('public-key'),
};

const EXAMPLE = {
  id: 'pQmv2Ff0S6qV0jXKe1sB2w',
  rawId: 'pQmv2Ff0S6qV0jXKe1sB2w',
  type: 'public-key',
} as const;

/** The answer of a passkey to a challenge, in place of a code. */
export const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(MAX_ANSWER),
      authenticatorData: bytes(MAX_ANSWER),
      signature: bytes(MAX_ANSWER),
      userHandle: bytes(100).optional(),
    }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description:
      'Answer of a passkey in place of `otp`: the JSON of the credential that `navigator.credentials.get` ' +
      'returns. Each challenge works once, for five minutes.',
  });

export type PasskeyAssertion = z.infer<typeof assertion>;

const registration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(MAX_ANSWER),
      attestationObject: bytes(MAX_ANSWER),
      transports: z
        .array(z.string().regex(/^[\w-]{1,32}$/))
        .max(10)
        .default([]),
    }),
  })
  .meta({
    id: 'PasskeyRegistration',
    description: 'The JSON of the credential that `navigator.credentials.create` returns.',
  });

export type PasskeyRegistration = z.infer<typeof registration>;

const requestOptions = z.record(z.string(), z.unknown()).meta({
  id: 'PasskeyRequestOptions',
  description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`.',
});

const creationOptions = z.record(z.string(), z.unknown()).meta({
  id: 'PasskeyCreationOptions',
  description: 'Options for `PublicKeyCredential.parseCreationOptionsFromJSON`.',
});

const name = visibleText(64).meta({
  description: 'Name by which the operator recognises the passkey.',
  example: 'Chave do escritório',
});

const passkey = z
  .object({
    id,
    name: z.string().meta({ example: 'Chave do escritório' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'Time of the last use. Null before the first.' }),
  })
  .meta({ id: 'Passkey' });

export type PasskeyView = z.infer<typeof passkey>;

/** Passkeys (WebAuthn), with which operators confirm log-ins and sessions in place of a code. */
export const operatorPasskeys = endpointsOf('gateway', {
  challengeSecondFactor: {
    route: 'POST /v1/admin/auth/confirm/options',
    access: everyRole,
    summary: 'Get a challenge for your passkeys',
    description:
      'Send the answer of a passkey as `passkey` to /v1/admin/auth/confirm, in the same session. A new ' +
      'challenge replaces the previous one of the session. INVALID_STATE: the operator has no passkey.',
    data: requestOptions,
    errors: ['PASSKEYS_NOT_CONFIGURED', 'INVALID_STATE'],
  },

  beginOwnPasskey: {
    route: 'POST /v1/admin/auth/passkeys/options',
    access: everyRole,
    freshFactor: true,
    summary: 'Get a challenge for a new passkey',
    description:
      'Send the answer of the browser to /v1/admin/auth/passkeys within five minutes, in the same session. ' +
      'A new challenge replaces the previous one of the session.',
    data: creationOptions,
    errors: ['PASSKEYS_NOT_CONFIGURED', 'PASSKEY_LIMIT_REACHED'],
  },

  addOwnPasskey: {
    route: 'POST /v1/admin/auth/passkeys',
    access: everyRole,
    freshFactor: true,
    summary: 'Add a passkey',
    description:
      'The passkey confirms log-ins and sessions in place of a code. The authenticator app and the ' +
      'recovery codes continue to work. If no response arrives, list the passkeys.',
    body: z.object({ name, credential: registration }),
    examples: [
      {
        summary: 'Answer of a browser',
        body: {
          name: 'Chave do escritório',
          credential: {
            ...EXAMPLE,
            response: {
              clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
              attestationObject: 'o2NmbXRkbm9uZQ',
            },
          },
        },
      },
    ],
    status: 201,
    data: passkey,
    errors: ['PASSKEYS_NOT_CONFIGURED', 'PASSKEY_LIMIT_REACHED', 'INVALID_PASSKEY'],
  },

  listOwnPasskeys: {
    route: 'GET /v1/admin/auth/passkeys',
    access: everyRole,
    freshFactor: true,
    summary: 'List your own passkeys, newest first',
    description: 'Returns your passkeys with their names and the times of their last use, without keys.',
    query: z.strictObject(page),
    data: passkey,
    paged: true,
  },

  deleteOwnPasskey: {
    route: 'DELETE /v1/admin/auth/passkeys/:id',
    access: everyRole,
    freshFactor: true,
    summary: 'Delete one of your own passkeys',
    description:
      'The passkey is refused from then on. Sessions continue; end them at /v1/admin/auth/sessions if the ' +
      'passkey was stolen. The authenticator app stays, so that a passkey is never the last second factor.',
    data: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Definition>);
