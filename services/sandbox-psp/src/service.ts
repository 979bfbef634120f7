import { type Running, startService } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { sandboxPspConfig } from './config.ts';
import { servers } from './http/servers.ts';
import { buildParts } from './parts.ts';
import { scheduleCallbacks, scheduleSettlements } from './schedule.ts';
import { productionTuning, type Tuning } from './tuning.ts';

export type SandboxPsp = Running & { url: string; controlUrl: string };

/** Starts the bank: API Pix for receivers, QR payloads for payers' banks, the control API, callbacks out. */
export async function startSandboxPsp(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<SandboxPsp> {
  const { url, urlOf, stop } = await startService(
    {
      name: 'sandbox-psp',
      config: sandboxPspConfig,
      migrations,
      build: (core) => buildParts(core, { ...productionTuning, ...tuning }),
      jobs: [scheduleCallbacks, scheduleSettlements],
      servers,
    },
    { env, stopping },
  );
  return { url, controlUrl: urlOf('control'), stop };
}
