import { api, clockWorks, type SandboxClockView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { createBulkhead, type Router, remembering, serveOnceTo, serveTo } from '@plataforma/http';
import type { Clock, Tenant } from '@plataforma/kernel';
import { dueByClock } from '@plataforma/service';
import { type ClockWork, moveClock, readClock } from '../operations/move-clock.ts';
import type { AskService } from './ask-service.ts';
import type { Authenticate } from './authenticate.ts';

export interface ClockParts {
  database: Database;
  clock: Clock;
  authenticate: Authenticate;
  askService: AskService;
  clockPatienceMs: number;
}

/** A move waits for seconds, and asks three services all the while. */
const SLOTS = { total: 16, perHolder: 2, full: 'too many ask for clocks of sandboxes at this moment' };

/** The clock of a merchant's sandbox. */
export function clockRoutes(router: Router, parts: ClockParts): void {
  const { database, authenticate, askService } = parts;
  const inSlot = createBulkhead(SLOTS);
  const askDue = (what: ClockWork, merchantId: string) => {
    const path = `/internal/sandbox-clock?merchantId=${merchantId}`;
    return askService(clockWorks[what], { path, answer: dueByClock });
  };

  serveTo(router, api.getSandboxClock, {
    authenticate: (req) => authenticate.merchant(req, api.getSandboxClock),
    answer: async (_call, merchant) =>
      inSlot(merchant.merchantId, async () => ({ data: await readClock({ ...parts, askDue }, merchant) })),
  });
  serveOnceTo(router, api.moveSandboxClock, {
    database,
    authenticate: (req) => authenticate.merchant(req, api.moveSandboxClock),
    ownerOf: ({ merchantId, environment }: Tenant) => ({ realm: environment, id: merchantId }),
    answer: async ({ body: move }, tenant, once) => {
      const moving = remembering(once, clockAnswer);
      const moved = () => moveClock({ ...parts, askDue }, { tenant, move }, moving);
      return clockAnswer(await inSlot(tenant.merchantId, moved));
    },
  });
}

function clockAnswer(data: SandboxClockView) {
  return { data, status: data.waitingFor.length === 0 ? 200 : 202 };
}
