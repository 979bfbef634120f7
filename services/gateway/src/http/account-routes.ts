import { type Database, type Router, serveTo } from '@plataforma/chassis';
import { type ApiKeyView, api } from '@plataforma/contracts';
import { type Clock, Refusal } from '@plataforma/kernel';
import { hashOf } from '../domain/api-key.ts';
import type { Settings } from '../domain/organization.ts';
import { createApiKey } from '../operations/create-api-key.ts';
import { logIn } from '../operations/log-in.ts';
import { registerMerchant } from '../operations/register-merchant.ts';
import type { Passwords } from '../passwords.ts';
import { listApiKeys, revokeApiKey, type StoredKey } from '../store/api-keys.ts';
import { findOrganization } from '../store/organizations.ts';
import { endSession, findSessionByRefresh } from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';
import type { Authenticate } from './authenticate.ts';

export interface AccountParts {
  database: Database;
  passwords: Passwords;
  tokens: Tokens;
  clock: Clock;
  initialSettings: Settings;
  authenticate: Authenticate;
}

const anyone = () => undefined;

export function accountRoutes(router: Router, parts: AccountParts): void {
  const { database, tokens, clock, authenticate } = parts;

  serveTo(router, api.register, {
    authenticate: anyone,
    answer: async ({ body }) => ({ data: await registerMerchant(parts, body) }),
  });
  serveTo(router, api.logIn, {
    authenticate: anyone,
    answer: async ({ body }) => ({ data: await logIn(parts, body) }),
  });
  serveTo(router, api.refresh, {
    authenticate: anyone,
    answer: async ({ body }) => {
      const sessionId = await findSessionByRefresh(database, hashOf(body.refreshToken), clock());
      if (sessionId) return { data: { accessToken: tokens.forSession(sessionId) } };
      throw new Refusal(
        'unauthenticated',
        'INVALID_REFRESH_TOKEN',
        'the refresh token is not valid: log in again',
      );
    },
  });
  serveTo(router, api.logOut, {
    authenticate: authenticate.session,
    answer: async (_call, session) => {
      await endSession(database, session.id);
      return { data: { message: 'the session is ended' } };
    },
  });
  serveTo(router, api.getAccount, {
    authenticate: authenticate.session,
    answer: async (_call, session) => {
      const organization = await findOrganization(database, session.merchantId);
      if (!organization) throw new Error('an organization vanished');
      const { id, email, companyName, cnpj, phone, status, checkoutColor, settings, createdAt } =
        organization;
      const known = { id, email, companyName, cnpj, phone, status, checkoutColor };
      const { cardEnabled } = settings;
      return { data: { ...known, cardEnabled, createdAt: createdAt.toISOString() } };
    },
  });
  apiKeyRoutes(router, parts);
}

function apiKeyRoutes(router: Router, { database, clock, authenticate }: AccountParts): void {
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
