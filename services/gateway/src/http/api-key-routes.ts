import { type Database, type Router, serveTo } from '@plataforma/chassis';
import { type ApiKeyView, api } from '@plataforma/contracts';
import { type Clock, Refusal } from '@plataforma/kernel';
import { createApiKey } from '../operations/create-api-key.ts';
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
      const { key, stored } = await createApiKey({ database, clock }, session, body);
      return { data: { ...apiKeyView(stored), key } };
    },
  });
  serveTo(router, api.listApiKeys, {
    authenticate: authenticate.session,
    answer: async (_call, session) => {
      const keys = await listApiKeys(database, session.merchantId);
      const shown = (key: StoredKey) => ({
        maskedKey: key.maskedKey,
        revokedAt: key.revokedAt?.toISOString() ?? null,
      });
      return { data: keys.map((key) => ({ ...apiKeyView(key), ...shown(key) })) };
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
