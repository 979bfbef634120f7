import { api } from '@plataforma/contracts';
import type { SecretBox } from '@plataforma/data';
import { type AddressOf, type HttpRequest, headerOf, type Router, serveTo } from '@plataforma/http';
import { type Log, wordsOf } from '@plataforma/observe';
import type { Organization, Settings } from '../domain/organization.ts';
import { changeAccount } from '../operations/change-account.ts';
import { logIn } from '../operations/log-in.ts';
import { refreshSession } from '../operations/refresh-session.ts';
import { registerMerchant } from '../operations/register-merchant.ts';
import { findOrganization } from '../store/organizations.ts';
import { type Client, endSession } from '../store/sessions.ts';
import { accountView, orderedTodayOf } from './account-view.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import type { AskService } from './ask-service.ts';
import { refreshRefusals, whenceOf } from './login-limits.ts';
import { type SessionParts, sessionRoutes } from './session-routes.ts';

export interface AccountParts extends Omit<SessionParts, 'clientOf'> {
  log: Log;
  addressOf: AddressOf;
  initialSettings: Settings;
  /** Seals kept answers in which there is an API key. */
  secretBox: SecretBox;
  askService: AskService;
}

/** Enough to recognise a browser by. */
const MOST_CHARACTERS = 300;

export function accountRoutes(router: Router, parts: AccountParts): void {
  const { database, authenticate, askService } = parts;
  const show = async (organization: Organization) =>
    accountView(organization, await orderedTodayOf(askService, organization.id));

  const clientOf = (req: HttpRequest): Client => ({
    address: parts.addressOf(req),
    userAgent: wordsOf(headerOf(req, 'user-agent')?.slice(0, MOST_CHARACTERS) ?? null),
  });

  serveTo(router, api.register, {
    authenticate: clientOf,
    answer: async ({ body }, client) => ({ data: await registerMerchant(parts, body, client) }),
  });
  serveTo(router, api.logIn, {
    authenticate: (req) => ({ ...whenceOf(req), client: clientOf(req) }),
    answer: async ({ body }, whence) => ({ data: await logIn(parts, body, whence) }),
  });
  const refusedAt = refreshRefusals(parts.loginLimits);
  serveTo(router, api.refresh, {
    authenticate: (req) => ({ client: clientOf(req), refused: refusedAt(req) }),
    answer: async ({ body }, { client, refused }) => ({
      data: await refreshSession(parts, body, client).catch(refused),
    }),
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
  sessionRoutes(router, { ...parts, clientOf });
  apiKeyRoutes(router, parts);
}
