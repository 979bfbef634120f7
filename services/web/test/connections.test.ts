import { expect, test } from '@jest/globals';
import { openConnections } from '@plataforma/testing/fixtures';
import { startWorld } from './support/world.ts';

test.each([
  ['an address holds ten connections', {}, 10],
  ['a proxy of ours holds as many as it needs', { TRUSTED_PROXIES: '127.0.0.1' }, 30],
])('%s of web', async (_what, settings, expectedOpen) => {
  const world = await startWorld({ CONNECTIONS_PER_ADDRESS: '10', ...settings });

  const connections = await openConnections(world.url, 30);

  expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(expectedOpen);
  for (const { socket } of connections) socket.destroy();
  await world.stop();
});
