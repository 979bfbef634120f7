import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Running } from '@plataforma/service';
import type { BeginOptions, OrderAdapter, OrderWorld } from './adapter.ts';
import { type Followed, follow } from './followed.ts';

/**
 * The test environment of a group of tests. A behaviour that a test sets with `always` applies until the end
 * of the test.
 */
export interface OrderFixture<R extends Running = Running> {
  world(): OrderWorld<R>;
  adapter: OrderAdapter<R>;
  begin(options?: BeginOptions<R>): Promise<Followed>;
}

export function openFixture<R extends Running>(
  adapter: OrderAdapter<R>,
  pace: Parameters<OrderAdapter<R>['start']>[0],
): OrderFixture<R> {
  let world: OrderWorld<R>;
  beforeAll(async () => {
    world = await adapter.start(pace);
  });
  afterEach(() => {
    for (const operation of ['order', 'find'] as const) world.script.always(operation);
  });
  afterAll(() => world.stop());
  return {
    world: () => world,
    adapter,
    begin: async (options) => follow(world, adapter, await world.begin(options)),
  };
}
