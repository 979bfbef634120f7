import { expect, test } from '@jest/globals';
import { holdConnections } from '@plataforma/testing/fixtures';
import { startBank } from './bank.ts';

test('an address holds no more connections of the bank than it may have', async () => {
  const bank = await startBank({ CONNECTIONS_PER_ADDRESS: '10' });

  const connections = await holdConnections(bank.url, 30);

  const held = connections.filter(({ isHeld }) => isHeld).length;
  // The test's own client holds a connection, too.
  expect([9, 10]).toContain(held);
  for (const { socket } of connections) socket.destroy();
  await bank.close();
});
