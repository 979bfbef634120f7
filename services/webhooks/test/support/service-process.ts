import { callerTo, processesOfService } from '@plataforma/testing/world';

/** Starts the service in a process of its own. */
export const startServiceProcess = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startWebhooks',
  clientOf: callerTo,
});
