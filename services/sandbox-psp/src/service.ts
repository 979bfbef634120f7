import { defineService, type Running } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { sandboxPspConfig } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { servers } from './http/servers.ts';
import { scheduleCallbacks, scheduleForgetting, scheduleSettlements } from './schedule.ts';
import { productionTuning } from './tuning.ts';

export type SandboxPsp = Running & { url: string; controlUrl: string };

const start = defineService({
  name: 'sandbox-psp',
  config: sandboxPspConfig,
  migrations,
  tuning: productionTuning,
  build: buildDependencies,
  jobs: [scheduleCallbacks, scheduleSettlements, scheduleForgetting],
  servers,
});

/**
 * Starts the provider: API Pix and cards for receivers, QR payloads for payers' banks, the control API, and
 * the sender of callbacks.
 */
export async function startSandboxPsp(...given: Parameters<typeof start>): Promise<SandboxPsp> {
  const { url, urlOf, stop } = await start(...given);
  return { url, controlUrl: urlOf('control'), stop };
}
