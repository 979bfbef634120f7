import type { Log } from '@plataforma/observe';
import type { WebConfig } from './config.ts';
import { readBuilt } from './http/built.ts';
import type { Tuning } from './tuning.ts';

export type WebParts = Awaited<ReturnType<typeof buildParts>>;

interface Core {
  config: WebConfig;
  log: Log;
  tuning: Tuning;
}

/** What the entrances work with. */
export async function buildParts({ config, log, tuning }: Core) {
  return {
    ...{ config, log, tuning },
    isSecure: new URL(config.PUBLIC_URL).protocol === 'https:',
    dashboard: await readBuilt('dashboard'),
  };
}
