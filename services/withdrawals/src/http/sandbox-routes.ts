import { api } from '@plataforma/contracts';
import { type Router, serve, type Verifier } from '@plataforma/http';
import type { MerchantDirectory } from '@plataforma/service';
import { approveWithdrawal } from '../operations/approve-withdrawal.ts';
import { type Decision, decideWithdrawal } from '../operations/decide-withdrawal.ts';
import type { SettleUndebited } from '../steps/undebited.ts';
import type { WithdrawalHints } from '../steps/withdrawal-hints.ts';
import { withdrawalView } from './views.ts';
import { show } from './waiting.ts';

interface SandboxRoutes extends Pick<SettleUndebited, 'database' | 'clock'> {
  verifier: Verifier;
  merchants: MerchantDirectory;
  hints: WithdrawalHints;
}

/** The operator's part, which a merchant plays for what is its own in the sandbox. */
export function sandboxRoutes(router: Router, parts: SandboxRoutes): void {
  const { verifier, database, clock } = parts;
  const decide = async (decision: Decision) => ({
    data: withdrawalView(await decideWithdrawal(parts, decision), null),
  });

  serve(router, api.approveSandboxWithdrawal, {
    verifier,
    answer: async ({ params: { id } }, tenant) => {
      const approved = await approveWithdrawal(parts, { id, by: { tenant } });
      return { data: await show({ db: database, now: clock() }, approved, withdrawalView) };
    },
  });
  serve(router, api.rejectSandboxWithdrawal, {
    verifier,
    answer: ({ params: { id }, body }, tenant) => decide({ id, by: { tenant }, step: 'reject', ...body }),
  });
  serve(router, api.completeSandboxWithdrawal, {
    verifier,
    answer: ({ params: { id }, body }, tenant) => decide({ id, by: { tenant }, step: 'complete', ...body }),
  });
  serve(router, api.failSandboxWithdrawal, {
    verifier,
    answer: ({ params: { id }, body }, tenant) => decide({ id, by: { tenant }, step: 'fail', ...body }),
  });
}
