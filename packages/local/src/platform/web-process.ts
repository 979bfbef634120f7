import { buildPages } from '../pages.ts';
import { type Replica, startService } from './service-process.ts';
import { type Surroundings, webSettingsOf } from './settings-of.ts';

/** Starts what browsers talk to, once its pages are built. */
export async function startWebProcess(dataDir: string, surroundings: Surroundings): Promise<Replica> {
  await buildPages();
  const url = `http://127.0.0.1:${surroundings.ports.web}`;
  return startService({ name: 'web', number: 1, dataDir, url, env: webSettingsOf(surroundings) });
}
