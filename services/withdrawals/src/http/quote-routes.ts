import { api } from '@plataforma/contracts';
import { answeredElsewhere, type Router, requireScope, serve } from '@plataforma/http';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { quoteWithdrawal } from '../operations/quote-withdrawal.ts';
import { withdrawalRequestOf } from './withdrawal-request.ts';

export function quoteRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  serve(router, api.createQuote, {
    verifier: dependencies.verifier,
    answer: async ({ body }, merchant) => {
      if (body.type !== 'withdrawal') throw answeredElsewhere();
      requireScope(['withdrawals:write', 'wallet:read'], merchant.scopes);
      const request = withdrawalRequestOf(body, merchant.environment);
      const { planned, refusals, ...quoted } = await quoteWithdrawal(dependencies, {
        tenant: merchant,
        request,
      });
      const { amount, fee, netAmount, approvalsNeeded, payableFrom } = planned;
      const stoppedBy = refusals.map(({ code, message }) => ({ code, message }));
      const costs = { amount, fee, netAmount, ...quoted };
      const payable = { approvalsNeeded, payableFrom: payableFrom?.toISOString() ?? null, settlesAt: null };
      return { data: { type: body.type, ...costs, stoppedBy, ...payable } };
    },
  });
}
