import { type Database, type Router, serveTo } from '@plataforma/chassis';
import { type ApiKeyView, api, type ListedApiKeyView } from '@plataforma/contracts';
import { type Clock, Refusal } from '@plataforma/kernel';
import { createApiKey } from '../operations/create-api-key.ts';
import { rotateApiKey } from '../operations/rotate-api-key.ts';
import { listApiKeys, revokeApiKey, type StoredKey } from '../store/api-keys.ts';
import type { Authenticate } from './authenticate.ts';

interface ApiKeyParts {
  database: Database;
  clock: Clock;
  authenticate: Authenticate;
}

export function apiKeyRoutes(router: Router, { database, clock, authenticate }: ApiKeyParts): void {
  serveTo(router, api.createApiKey, {
    authenticate: authenticate.session,
    answer: async ({ body }, session) => {
      const { key, stored } = await createApiKey({ database, clock }, session.merchantId, body);
      return { data: { ...apiKeyView(stored), key } };
    },
  });
  serveTo(router, api.listApiKeys, {
    authenticate: authenticate.session,
    answer: async (_call, session) => {
      const keys = await listApiKeys(database, session.merchantId);
      return { data: keys.map(listedKeyView) };
    },
  });
  serveTo(router, api.rotateApiKey, {
    authenticate: authenticate.session,
    answer: async ({ params, body }, { merchantId }) => {
      const rotation = { merchantId, keyId: params.id, ...body };
      const { key, stored } = await rotateApiKey({ database, clock }, rotation);
      return { data: { ...apiKeyView(stored), key } };
    },
  });
  serveTo(router, api.revokeApiKey, {
    authenticate: authenticate.session,
    answer: async ({ params }, session) => {
      const isKnown = await revokeApiKey(database, session.merchantId, params.id);
      if (!isKnown) throw new Refusal('missing', 'NOT_FOUND', 'there is no API key with this id');
      return { data: { message: 'the API key is revoked' } };
    },
  });
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
