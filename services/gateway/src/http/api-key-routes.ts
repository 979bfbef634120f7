import { type ApiKeyView, api, edgeIn, type ListedApiKeyView } from '@plataforma/contracts';
import { pageOf, type Router, serveIdempotentTo } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { GatewayDependencies } from '../dependencies.ts';
import { createApiKey } from '../operations/create-api-key.ts';
import { rotateApiKey } from '../operations/rotate-api-key.ts';
import { listApiKeys, revokeApiKey, type StoredKey } from '../store/api-keys.ts';
import type { MintedKey } from '../store/mint-key.ts';
import type { Session } from '../store/sessions.ts';
import { serveSession } from './serve.ts';

export function apiKeyRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, clock, authenticate } = dependencies;
  const keyed = {
    ...dependencies,
    authenticate: authenticate.session,
    ownerOf: ({ merchantId }: Session) => ({ realm: 'account', id: merchantId }) as const,
  };
  serveIdempotentTo(router, api.createApiKey, {
    ...keyed,
    work: ({ body }, { merchantId, timeZone }, { saveResponse }) => {
      const input = { ...body, expiresAt: edgeIn(body.expiresAt, timeZone) };
      return createApiKey({ ...dependencies, saveResponse }, merchantId, input);
    },
    show: mintedAnswer,
  });
  serveSession(router, api.listApiKeys, dependencies, async ({ query }, { merchantId }) =>
    pageOf(await listApiKeys(database, merchantId, query), query, listedKeyView),
  );
  serveIdempotentTo(router, api.rotateApiKey, {
    ...keyed,
    work: ({ params, body }, { merchantId }, { saveResponse }) =>
      rotateApiKey({ ...dependencies, saveResponse }, { merchantId, keyId: params.id, ...body }),
    show: mintedAnswer,
  });
  serveSession(router, api.revokeApiKey, dependencies, async ({ params }, { merchantId }) => {
    const key = { organizationId: merchantId, id: params.id };
    const isRevoked = await database.transaction((tx) => revokeApiKey(tx, key, clock()));
    if (!isRevoked) throw new Refusal('missing', 'NOT_FOUND', 'there is no API key with this id');
    return { data: { message: 'the API key is revoked' } };
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
  return {
    ...apiKeyView(key),
    maskedKey,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    replacedBy,
  };
}
