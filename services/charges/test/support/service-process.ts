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

/** Short intervals and leases, so that another process soon resumes the work of a killed process. */
const QUICK = { scheduleEveryMs: TICK_MS, firstPollMs: 300, leaseMs: 300, refundLeaseMs: 3_000 };

/** Short intervals, so that the process does all due work again and again. */
const RESTLESS = {
  ...{ scheduleEveryMs: TICK_MS, readListsEveryMs: TICK_MS },
  ...{ leaseMs: 600, refundLeaseMs: 600, firstPollMs: 300, refundRetryMs: 300 },
};

export function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: QUICK });
}

/**
 * Starts another process of the service for a test file, with this log level. The process ends before the
 * test environment.
 */
export function processOfFile(world: Pick<World, 'env' | 'stopFirst'>, level: string): ServiceProcess {
  const service = beforeFile(() => startServiceProcess({ ...world.env, LOG_LEVEL: level }));
  beforeAll(() => world.stopFirst({ stop: () => service.kill() }));
  return service;
}

/**
 * Starts the same service with a clock that is an hour ahead. For this process, the tokens of all requests
 * have expired. It therefore refuses all requests, but its scheduler works.
 */
export function startHourAhead(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: RESTLESS, isHourAhead: true });
}
