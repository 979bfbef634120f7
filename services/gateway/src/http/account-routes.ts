import { api } from '@plataforma/contracts';
import type { Database, SecretBox } from '@plataforma/data';
import { type Router, serveTo } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { hashOf } from '../domain/api-key.ts';
import type { Organization, Settings } from '../domain/organization.ts';
import { changeAccount } from '../operations/change-account.ts';
import { logIn } from '../operations/log-in.ts';
import { registerMerchant } from '../operations/register-merchant.ts';
import type { PasswordQueues } from '../passwords.ts';
import { findOrganization } from '../store/organizations.ts';
import { endSession, findSessionByRefresh } from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';
import { accountView, orderedTodayOf } from './account-view.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import type { AskService } from './ask-service.ts';
import type { Authenticate } from './authenticate.ts';
import { whenceOf } from './login-limits.ts';

export interface AccountParts {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
  initialSettings: Settings;
  /** Seals kept answers in which there is an API key. */
  secretBox: SecretBox;
  authenticate: Authenticate;
  askService: AskService;
}

const anyone = () => undefined;

export function accountRoutes(router: Router, parts: AccountParts): void {
  const { database, tokens, clock, authenticate, askService } = parts;
  const show = async (organization: Organization) =>
    accountView(organization, await orderedTodayOf(askService, organization.id));

  serveTo(router, api.register, {
    authenticate: anyone,
    answer: async ({ body }) => ({ data: await registerMerchant(parts, body) }),
  });
  serveTo(router, api.logIn, {
    authenticate: whenceOf,
    answer: async ({ body }, whence) => ({ data: await logIn(parts, body, whence) }),
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
      return { data: await show(organization) };
    },
  });
  serveTo(router, api.changeAccount, {
    authenticate: authenticate.session,
    answer: async ({ body }, { merchantId }) => ({
      data: await show(await changeAccount(database, { merchantId, ...body })),
    }),
  });
  apiKeyRoutes(router, parts);
}
