import { api, clockWorks, type SandboxClockView } from '@plataforma/contracts';
import { createBulkhead, type Router, serveIdempotentTo, serveTo } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { dueByClock } from '@plataforma/service';
import type { GatewayDependencies } from '../dependencies.ts';
import { type ClockWork, moveClock, readClock } from '../operations/move-clock.ts';

export function clockRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, authenticate, askService } = dependencies;
  const [moving, reading] = [createBulkhead('clockMoves'), createBulkhead('clockReads')];
  const askDue = (work: ClockWork, merchantId: string) => {
    const path = `/internal/sandbox-clock?merchantId=${merchantId}`;
    return askService(clockWorks[work], { path, answer: dueByClock });
  };

  serveTo(router, api.getSandboxClock, {
    authenticate: (req) => authenticate.merchant(req, api.getSandboxClock),
    answer: async (_call, merchant) =>
      reading(merchant, async () => ({ data: await readClock({ ...dependencies, askDue }, merchant) })),
  });
  serveIdempotentTo(router, api.moveSandboxClock, {
    database,
    authenticate: (req) => authenticate.merchant(req, api.moveSandboxClock),
    ownerOf: ({ merchantId, environment }: Tenant) => ({ realm: environment, id: merchantId }),
    work: ({ body: move }, tenant, idempotency) =>
      moving(tenant, () => moveClock({ ...dependencies, askDue }, { tenant, move }, idempotency)),
    show: clockAnswer,
  });
}

function clockAnswer(data: SandboxClockView) {
  return { data, status: data.waitingFor.length === 0 ? 200 : 202 };
}
