import { type ApiKeyView, api, edgeIn, type ListedApiKeyView } from '@plataforma/contracts';
import type { Database, SecretBox } from '@plataforma/data';
import { pageOf, type Router, serveOnceTo, serveTo } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { createApiKey } from '../operations/create-api-key.ts';
import { rotateApiKey } from '../operations/rotate-api-key.ts';
import { listApiKeys, revokeApiKey, type StoredKey } from '../store/api-keys.ts';
import type { MintedKey } from '../store/mint-key.ts';
import type { Session } from '../store/sessions.ts';
import type { Authenticate } from './authenticate.ts';

interface ApiKeyParts {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  authenticate: Authenticate;
}

export function apiKeyRoutes(router: Router, parts: ApiKeyParts): void {
  const { database, clock, authenticate } = parts;
  const keyed = {
    ...parts,
    authenticate: authenticate.session,
    ownerOf: ({ merchantId }: Session) => ({ realm: 'account', id: merchantId }) as const,
  };
  serveOnceTo(router, api.createApiKey, {
    ...keyed,
    work: ({ body }, { merchantId, timeZone }, { keep }) => {
      const wanted = { ...body, expiresAt: edgeIn(body.expiresAt, timeZone) };
      return createApiKey({ ...parts, keep }, merchantId, wanted);
    },
    show: mintedAnswer,
  });
  serveTo(router, api.listApiKeys, {
    authenticate: authenticate.session,
    answer: async ({ query }, session) =>
      pageOf(await listApiKeys(database, session.merchantId, query), query, listedKeyView),
  });
  serveOnceTo(router, api.rotateApiKey, {
    ...keyed,
    work: ({ params, body }, { merchantId }, { keep }) =>
      rotateApiKey({ ...parts, keep }, { merchantId, keyId: params.id, ...body }),
    show: mintedAnswer,
  });
  serveTo(router, api.revokeApiKey, {
    authenticate: authenticate.session,
    answer: async ({ params }, session) => {
      const key = { organizationId: session.merchantId, id: params.id };
      const isKnown = await revokeApiKey(database, key, clock());
      if (!isKnown) throw new Refusal('missing', 'NOT_FOUND', 'there is no API key with this id');
      return { data: { message: 'the API key is revoked' } };
    },
  });
}

function mintedAnswer({ key, stored }: MintedKey) {
  return { data: { ...apiKeyView(stored), key } };
}

function apiKeyView({
  id,
  name,
  environment,
  scopes,
  allowedIps,
  expiresAt,
  createdAt,
}: StoredKey): ApiKeyView {
  const ends = expiresAt?.toISOString() ?? null;
  return { id, name, environment, scopes, allowedIps, expiresAt: ends, createdAt: createdAt.toISOString() };
}

function listedKeyView(key: StoredKey): ListedApiKeyView {
  const { maskedKey, lastUsedAt, revokedAt, replacedBy } = key;
  const used = lastUsedAt?.toISOString() ?? null;
  return {
    ...apiKeyView(key),
    maskedKey,
    lastUsedAt: used,
    revokedAt: revokedAt?.toISOString() ?? null,
    replacedBy,
  };
}
