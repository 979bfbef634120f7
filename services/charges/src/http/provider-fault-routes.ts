import { api } from '@plataforma/contracts';
import { type Router, serve } from '@plataforma/http';
import { noSandboxBank, requireSandbox } from '@plataforma/service';
import type { ChargesDependencies } from '../dependencies.ts';

const pathOf = (merchantId: string) => `/weather/${merchantId}`;

/**
 * Serves the faults that a merchant sets for the providers of its sandbox, such as a slow provider. The
 * sandbox bank stores these faults.
 */
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

/**
 * Reads the provider faults in the bank's answer. Refuses an empty answer, because the bank then runs an
 * older release without provider faults.
 */
function readProviderFaults(answer: unknown) {
  if (!answer) throw noSandboxBank();
  return api.getSandboxProvider.data.parse(answer);
}
