import { api } from '@plataforma/contracts';
import { type Router, serve } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { approveWithdrawal } from '../operations/approve-withdrawal.ts';
import { type EndRequest, endByOperator } from '../operations/end-by-operator.ts';
import { endInSandbox } from '../operations/end-in-sandbox.ts';
import { holdInSandbox } from '../operations/hold-in-sandbox.ts';
import { show } from './show-withdrawals.ts';
import { withdrawalView } from './views.ts';

/**
 * Serves the sandbox routes. With these routes a merchant acts as the operator and as the bank for its own
 * sandbox withdrawals.
 */
export function sandboxRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  const { verifier, database } = dependencies;
  const shown = async (withdrawal: Withdrawal) => ({
    data: await show({ ...dependencies, db: database }, withdrawal, withdrawalView),
  });
  /**
   * Ends a withdrawal. For a Pix the service instructs the sandbox bank. A TED ends directly in this request.
   */
  const end = async (tenant: Tenant, request: EndRequest & { step: 'complete' | 'fail' }) => {
    const { id } = request;
    const ordered = await endInSandbox(dependencies, { id, tenant, end: request });
    if (!ordered) return shown(await endByOperator(dependencies, request));
    const { withdrawal, needsApproval } = ordered;
    return shown(needsApproval ? await approveWithdrawal(dependencies, { id, by: { tenant } }) : withdrawal);
  };

  serve(router, api.approveSandboxWithdrawal, {
    verifier,
    answer: async ({ params: { id } }, tenant) =>
      shown(await approveWithdrawal(dependencies, { id, by: { tenant } })),
  });
  serve(router, api.rejectSandboxWithdrawal, {
    verifier,
    answer: async ({ params: { id }, body }, tenant) =>
      shown(await endByOperator(dependencies, { id, by: { tenant }, step: 'reject', ...body })),
  });
  serve(router, api.holdSandboxWithdrawal, {
    verifier,
    answer: async ({ params: { id } }, tenant) => shown(await holdInSandbox(dependencies, { id, tenant })),
  });
  serve(router, api.completeSandboxWithdrawal, {
    verifier,
    answer: ({ params: { id }, body }, tenant) =>
      end(tenant, { id, by: { tenant }, step: 'complete', ...body }),
  });
  serve(router, api.failSandboxWithdrawal, {
    verifier,
    answer: ({ params: { id }, body }, tenant) => end(tenant, { id, by: { tenant }, step: 'fail', ...body }),
  });
}
