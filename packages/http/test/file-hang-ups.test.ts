import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, newKeyPair, serving, trusting } from '@plataforma/testing/fixtures';
import { createSigner, createVerifier, IDENTITY_HEADER, serveFile } from '../src/index.ts';
import { whenClosed } from '../src/when-closed.ts';

const gateway = newKeyPair();
const verifier = createVerifier('charges', trusting({ gateway: gateway.publicKey }));
const identity = createSigner('gateway', gateway.privateKey).sign(
  {
    ...{ kind: 'merchant', merchantId: crypto.randomUUID(), environment: 'sandbox' },
    ...{ scopes: ['charges:read'], timeZone: 'UTC' },
  },
  'charges',
);

async function* rows() {
  yield 'id\r\n';
}

test('a hang-up before the first row of a file is no error', async () => {
  const { log, lines } = createCapturedLog();
  const gone = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const server = await serving(
    (app) => {
      app.use((_req, res, next) => {
        whenClosed(res, gone.resolve);
        next();
      });
      serveFile(app, api.listCharges, {
        ...{ type: 'text/csv', verifier },
        async file() {
          begun.resolve();
          await gone.promise;
          return { name: 'charges.csv', chunks: rows() };
        },
      });
    },
    { log },
  );
  const headers = `Host: x\r\nAccept: text/csv\r\n${IDENTITY_HEADER}: ${identity}`;
  const socket = connect(server.port, '127.0.0.1', () =>
    socket.write(`GET ${api.listCharges.path} HTTP/1.1\r\n${headers}\r\n\r\n`),
  );
  await begun.promise;

  socket.destroy();

  await eventually(() => expect(lines.some((line) => line.includes('"request"'))).toBe(true));
  await new Promise(setImmediate);
  await server.stop();
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['info']);
});
