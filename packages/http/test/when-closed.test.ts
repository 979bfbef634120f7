import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { serving } from '@plataforma/testing/fixtures';
import { whenClosed } from '../src/index.ts';

test.each([
  ['waits', false],
  ['hung up earlier', true],
])('the listener runs once for a caller that %s', async (_what, isEarly) => {
  const counts = { started: 0, ended: 0 };
  const server = await serving((app) => {
    app.get('/', async (_req, res) => {
      const closed = new Promise((resolve) => res.once('close', resolve));
      counts.started += 1;
      if (isEarly) await closed;
      whenClosed(res, () => {
        counts.ended += 1;
      });
    });
  });
  const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  await eventually(() => expect(counts.started).toBe(1));

  socket.destroy();

  await eventually(() => expect(counts.ended).toBe(1));
  await server.stop();
});
