import { api } from '@plataforma/contracts';
import { type Router, serve } from '@plataforma/http';
import { noSandboxBank, requireSandbox } from '@plataforma/service';
import type { ChargesDependencies } from '../dependencies.ts';

const pathOf = (merchantId: string) => `/weather/${merchantId}`;

/** Serves the provider faults of a sandbox merchant, which the sandbox bank stores. */
export function providerFaultRoutes(router: Router, { verifier, bank }: ChargesDependencies): void {
  serve(router, api.setSandboxProvider, {
    verifier,
    answer: async ({ body }, tenant) => {
      requireSandbox(tenant);
      return { data: readProviderFaults(await bank.order(pathOf(tenant.merchantId), body)) };
    },
  });
  serve(router, api.getSandboxProvider, {
    verifier,
    answer: async (_call, tenant) => {
      requireSandbox(tenant);
      bank.requireAddress();
      return { data: readProviderFaults(await bank.read(pathOf(tenant.merchantId))) };
    },
  });
}

/** Reads the provider faults. A bank of an older release has none, so it refuses. */
function readProviderFaults(answer: unknown) {
  if (!answer) throw noSandboxBank();
  return api.getSandboxProvider.data.parse(answer);
}
