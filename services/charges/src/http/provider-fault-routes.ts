import { api } from '@plataforma/contracts';
import { type Router, serve } from '@plataforma/http';
import { noSandboxBank, requireSandbox } from '@plataforma/service';
import type { ChargesDependencies } from '../dependencies.ts';

const pathOf = (merchantId: string) => `/weather/${merchantId}`;

/** Serves the provider faults that a merchant sets in its sandbox. The sandbox bank stores these faults. */
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
 * Reads the provider faults in the bank's answer. Refuses when a bank of an older release, which has no
 * faults, answers nothing.
 */
function readProviderFaults(answer: unknown) {
  if (!answer) throw noSandboxBank();
  return api.getSandboxProvider.data.parse(answer);
}
