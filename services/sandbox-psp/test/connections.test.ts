import { expect, test } from '@jest/globals';
import { openConnections } from '@plataforma/testing/fixtures';
import { startBank } from './bank.ts';

test('one address gets at most its limit of connections', async () => {
  const bank = await startBank({ CONNECTIONS_PER_ADDRESS: '10' });

  const connections = await openConnections(bank.url, 30);

  const stillOpen = connections.filter(({ isOpen }) => isOpen).length;
  // The count may be 9, because a connection of the test's HTTP client may take one of the ten.
  expect([9, 10]).toContain(stillOpen);
  for (const { socket } of connections) socket.destroy();
  await bank.close();
});
