import { callerTo, processesOfService } from '@plataforma/testing/world';

/** Starts the service in processes of their own. */
export const startServiceProcess = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startWebhooks',
  clientOf: callerTo,
});
