import { api, type Endpoint, type PasskeyView } from '@plataforma/contracts';
import { type Answer, type Call, pageOf, type Router, serveTo } from '@plataforma/http';
import type { GatewayDependencies } from '../dependencies.ts';
import type { Passkey } from '../domain/passkey.ts';
import { addPasskey, beginPasskey, challengePasskeys, deletePasskey } from '../operations/change-passkeys.ts';
import { listPasskeys } from '../store/operator-passkeys.ts';
import type { OperatorSession } from '../tokens.ts';

/** Serves passkeys of operators. Each operator reads and changes only their own passkeys. */
export function passkeyRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, clock, authenticate } = dependencies;
  function serve<E extends Endpoint>(
    endpoint: E,
    answer: (call: Call<E>, caller: OperatorSession & { now: Date }) => Promise<Answer<E>>,
  ): void {
    serveTo(router, endpoint, {
      authenticate: (req) => authenticate.operatorSession(req, endpoint),
      answer: (call, session) => answer(call, { ...session, now: clock() }),
    });
  }

  serve(api.challengeSecondFactor, async (_call, caller) => ({
    data: { ...(await challengePasskeys(dependencies, caller)) },
  }));
  serve(api.beginOwnPasskey, async (_call, caller) => ({
    data: { ...(await beginPasskey(dependencies, caller)) },
  }));
  serve(api.addOwnPasskey, async ({ body }, caller) => ({
    data: passkeyView(await addPasskey(dependencies, caller, body)),
  }));
  serve(api.listOwnPasskeys, async ({ query }, { sub }) =>
    pageOf(await listPasskeys(database, sub, query), query, passkeyView),
  );
  serve(api.deleteOwnPasskey, async ({ params }, caller) => {
    await deletePasskey(dependencies, caller, params.id);
    return { data: { message: 'the passkey is deleted' } };
  });
}

function passkeyView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return {
    ...{ id, name, createdAt: createdAt.toISOString() },
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
