import { cameByHttps } from '@plataforma/http';
import { addressList } from '@plataforma/kernel/addresses';
import { connectionLimitOf, type Server } from '@plataforma/service';
import type { GatewayParts } from '../parts.ts';
import { internalRoutes } from './internal-routes.ts';
import { type Door, doorway } from './routes.ts';

/** Less than the services behind take, for what is added on the way. */
const MAX_HEAD_BYTES = 16 * 1024;

/** One that only our own services reach, one for operators where they have a door of their own, and the public one. */
export function servers(parts: GatewayParts) {
  const { config } = parts;
  const listening = { stalledAfterMs: config.STALLED_AFTER_MS, maxHeadBytes: MAX_HEAD_BYTES };
  const open = (port: number, door: Door): Server => ({
    ...{ port, ...listening, connectionLimit: connectionLimitOf(config), beginsTraces: true },
    isHttps: cameByHttps(addressList(config.TRUSTED_PROXIES)),
    ...doorway(parts, door),
  });
  const internal: Server = {
    ...{ port: config.INTERNAL_PORT, ...listening, connectionLimit: null },
    mount: (app) => internalRoutes(app, parts),
  };
  const admin = config.ADMIN_PORT === undefined ? undefined : open(config.ADMIN_PORT, 'operators');
  return { internal, admin, main: open(config.PORT, admin ? 'merchants' : 'everybody') };
}
