import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createVerifier, type HttpServer, startHttpServer, trustedKeys } from '@plataforma/http';
import { systemClock } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { eventually } from '@plataforma/testing';
import { destinationRoutes } from '../../src/http/destination-routes.ts';
import { callerOf } from '../support/client.ts';
import { bankBody } from '../support/destination-bodies.ts';
import { keySettings, newTenant } from '../support/identity.ts';
import { createFakeBank } from '../support/qr-bank.ts';
import { staticCode } from '../support/qr-codes.ts';
import { type Decoder, startDecoder } from '../support/qr-decoder.ts';
import { sharedWorld, type World } from '../support/world.ts';

const lines: string[] = [];
const log = createLog({
  service: 'withdrawals',
  level: 'debug',
  destination: { write: (line: string) => void lines.push(line) },
});
const bank = createFakeBank();
let world: World;
let server: HttpServer;
let decoder: Decoder;

beforeAll(async () => {
  world = await sharedWorld();
  const verifier = createVerifier('withdrawals', trustedKeys.parse(keySettings.TRUSTED_KEYS));
  server = await startHttpServer({
    connectionLimit: null,
    log,
    host: '127.0.0.1',
    port: 0,
    needs: {},
    mount: (app) => destinationRoutes(app, { verifier, database: world.database, clock: systemClock }),
  });
  decoder = await startDecoder({ guarded: bank.web, log });
});
afterAll(async () => {
  await Promise.all([decoder.stop(), server.stop()]);
  await world.stop();
});

const person = {
  ...bankBody,
  holderName: 'Zuleica Canarinho',
  holderDocument: '529.982.247-25',
  account: '77665544-3',
  label: 'Canarinho Dourado',
};
const keys = [
  { type: 'PIX', pixKeyType: 'EMAIL', pixKey: 'zuleica.canarinho@example.com' },
  { type: 'PIX', pixKeyType: 'PHONE', pixKey: '+5511987650123' },
  { type: 'PIX', pixKeyType: 'CPF', pixKey: '52998224725' },
];
const canaries = [
  'uleica',
  'anarinho',
  '529.982.247-25',
  '52998224725',
  '77665544',
  '98765',
  '000201',
  'eyJ',
];

/** PostgreSQL tells in its errors what was in the row. */
async function whileTheTableIsBroken(work: () => Promise<unknown>): Promise<void> {
  await world.database.query('ALTER TABLE destinations ADD CONSTRAINT no_canary CHECK (false) NOT VALID');
  await work();
  await world.database.query('ALTER TABLE destinations DROP CONSTRAINT no_canary');
}

test('neither keys nor people nor codes are written to the log, whatever goes wrong', async () => {
  const call = callerOf(server.url);
  const post = (body: unknown) => call(newTenant(), '/v1/destinations', { method: 'POST', body });
  const statuses: number[] = [];
  const all = async () => {
    for (const body of [person, ...keys]) statuses.push((await post(body)).status);
  };

  await all();
  await whileTheTableIsBroken(all);
  statuses.push((await post({ ...person, holderDocument: 'Zuleica' })).status);
  statuses.push((await decoder.decode(staticCode('zuleica.canarinho@example.com'))).status);
  statuses.push((await decoder.decode(bank.code())).status);
  statuses.push((await decoder.decode(bank.code({ chave: '52998224725' }))).status);

  expect(statuses).toEqual([201, 201, 201, 201, 500, 500, 500, 500, 400, 200, 200, 422]);
  // The line of a request is written when its connection is done with it.
  await eventually(() =>
    expect(lines.filter((line) => line.includes('"route"'))).toHaveLength(statuses.length),
  );
  expect(lines.join('')).toContain('no_canary');
  expect(canaries.filter((canary) => lines.join('').includes(canary))).toEqual([]);
});
