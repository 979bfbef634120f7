import { createBulkhead, createVerifier, startHttpServer, trustedKeys } from '@plataforma/http';
import { type Clock, systemClock, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { silent } from '@plataforma/testing/world';
import { qrRoutes } from '../../src/http/qr-routes.ts';
import type { BankSettings } from '../../src/qr/bank.ts';
import { type Answered, callerOf } from './client.ts';
import { keySettings, newTenant } from './identity.ts';

interface Surroundings extends Partial<Omit<BankSettings, 'outbound'>> {
  guarded?: BankSettings['outbound']['guarded'];
  unguarded?: BankSettings['outbound']['unguarded'];
  clock?: Clock;
  log?: Log;
}

export interface Decoder {
  decode(brCode: unknown, tenant?: Tenant): Promise<Answered>;
  stop(): Promise<void>;
}

const nowhere: BankSettings['outbound']['guarded'] = {
  request: () => Promise.reject(new Error('the decoder must not send requests')),
};

/** Starts a server with only the route that decodes QR codes. It uses the test's outbound HTTP clients. */
export async function startDecoder(surroundings: Surroundings = {}): Promise<Decoder> {
  const { guarded = nowhere, unguarded = nowhere, clock = systemClock, ...settings } = surroundings;
  const server = await startHttpServer({
    connectionLimit: null,
    log: settings.log ?? silent,
    host: '127.0.0.1',
    port: 0,
    needs: {},
    mount: (app) =>
      qrRoutes(app, {
        verifier: createVerifier('withdrawals', trustedKeys.parse(keySettings.TRUSTED_KEYS)),
        bulkhead: createBulkhead('pixCodes'),
        clock,
        qrBanks: {
          outbound: { guarded, unguarded },
          trustedHosts: settings.trustedHosts ?? new Set(),
          trustedIssuers: settings.trustedIssuers ?? new Set(),
          timeoutMs: settings.timeoutMs ?? 60_000,
        },
      }),
  });
  const call = callerOf(server.url);
  return {
    decode: (brCode, tenant = newTenant()) =>
      call(tenant, '/v1/withdrawals/decode-qr', { method: 'POST', body: { brCode } }),
    stop: () => server.stop(),
  };
}
