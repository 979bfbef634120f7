import { callerTo, processesOfService } from '@plataforma/testing/world';

export const startServiceProcess = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startWebhooks',
  clientOf: callerTo,
});
