import { expect, test } from '@jest/globals';
import { openConnections } from '@plataforma/testing/fixtures';
import { startWorld } from './support/world.ts';

test.each([
  ['an address has ten connections', {}, 10],
  ['a trusted proxy has unlimited connections', { TRUSTED_PROXIES: '127.0.0.1' }, 30],
])('%s to web', async (_what, settings, expectedOpen) => {
  const world = await startWorld({ CONNECTIONS_PER_ADDRESS: '10', ...settings });

  const connections = await openConnections(world.url, 30);

  expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(expectedOpen);
  for (const { socket } of connections) socket.destroy();
  await world.stop();
});
