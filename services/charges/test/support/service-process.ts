import { beforeAll } from '@jest/globals';
import { TICK_MS } from '@plataforma/testing';
import { beforeFile, type ServiceProcess as ProcessOf, processesOfService } from '@plataforma/testing/world';
import { type Client, createClient } from './client.ts';
import type { World } from './world.ts';

export type ServiceProcess = ProcessOf<Client>;

const start = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startCharges',
  clientOf: createClient,
});

/** Another process soon resumes the work of a killed one. */
const QUICK = { scheduleEveryMs: TICK_MS, firstPollMs: 300, leaseMs: 300, refundLeaseMs: 3_000 };

/** It works off all that is due, again and again. */
const RESTLESS = {
  ...{ scheduleEveryMs: TICK_MS, readListsEveryMs: TICK_MS },
  ...{ leaseMs: 600, refundLeaseMs: 600, firstPollMs: 300, refundRetryMs: 300 },
};

/** The service in a process of its own. */
export function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: QUICK });
}

/** The process of a test file beside its world, which it ends before; its log has this level. */
export function processOfFile(world: Pick<World, 'env' | 'stopFirst'>, level: string): ServiceProcess {
  const service = beforeFile(() => startServiceProcess({ ...world.env, LOG_LEVEL: level }));
  beforeAll(() => world.stopFirst({ stop: () => service.kill() }));
  return service;
}

/** The same as the first, with a clock that is an hour ahead: it believes no request, and its jobs run. */
export function startHourAhead(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: RESTLESS, isHourAhead: true });
}
