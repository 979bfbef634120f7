import { api } from '@plataforma/contracts';
import { type Router, serveTo } from '@plataforma/http';
import type { GatewayDependencies } from '../dependencies.ts';
import type { Organization } from '../domain/organization.ts';
import { changeAccount } from '../operations/change-account.ts';
import { logIn } from '../operations/log-in.ts';
import { refreshSession } from '../operations/refresh-session.ts';
import { registerMerchant, registrationWarnings } from '../operations/register-merchant.ts';
import { findOrganization } from '../store/organizations.ts';
import { endSession } from '../store/sessions.ts';
import { accountView, orderedTodayOf } from './account-view.ts';
import { refreshRefusals, whenceOf } from './login-limits.ts';
import { serveSession } from './serve.ts';
import { clientOf } from './session-routes.ts';

export function accountRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, addressOf, askService } = dependencies;
  const show = async (organization: Organization) =>
    accountView(organization, await orderedTodayOf(askService, organization.id));

  serveTo(router, api.register, {
    authenticate: (req) => clientOf(req, addressOf),
    answer: async ({ body }, client, res) => {
      const data = await registerMerchant(dependencies, body, client);
      res.set(registrationWarnings(body));
      return { data };
    },
  });
  serveTo(router, api.logIn, {
    authenticate: (req) => ({ ...whenceOf(req), client: clientOf(req, addressOf) }),
    answer: async ({ body }, whence) => ({ data: await logIn(dependencies, body, whence) }),
  });
  const refusedAt = refreshRefusals(dependencies.loginLimits);
  serveTo(router, api.refresh, {
    authenticate: (req) => ({ client: clientOf(req, addressOf), refused: refusedAt(req) }),
    answer: async ({ body }, { client, refused }) => ({
      data: await refreshSession(dependencies, body, client).catch(refused),
    }),
  });
  serveSession(router, api.logOut, dependencies, async (_call, { id }) => {
    await endSession(database, id);
    return { data: { message: 'the session is ended' } };
  });
  serveSession(router, api.getAccount, dependencies, async (_call, { merchantId }) => {
    const organization = await findOrganization(database, merchantId);
    if (!organization) throw new Error('an organization vanished');
    return { data: await show(organization) };
  });
  serveSession(router, api.changeAccount, dependencies, async ({ body }, { merchantId }) => ({
    data: await show(await changeAccount(database, { merchantId, ...body })),
  }));
}
