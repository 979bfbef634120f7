import { api } from '@plataforma/contracts';
import { answeredElsewhere, demandScope, type Router, serve } from '@plataforma/http';
import { quoteWithdrawal } from '../operations/quote-withdrawal.ts';
import type { WithdrawalsParts } from '../parts.ts';
import { orderOf } from './order.ts';

/** What an order would cost, for who has not decided yet. */
export function quoteRoutes(router: Router, parts: WithdrawalsParts): void {
  serve(router, api.createQuote, {
    verifier: parts.verifier,
    answer: async ({ body }, merchant) => {
      if (body.type !== 'withdrawal') throw answeredElsewhere();
      demandScope(['withdrawals:write', 'wallet:read'], merchant.scopes);
      const order = orderOf(body, merchant.environment);
      const { planned, refusals, ...quoted } = await quoteWithdrawal(parts, { tenant: merchant, order });
      const { amount, fee, netAmount, approvalsNeeded, payableFrom } = planned;
      const stoppedBy = refusals.map(({ code, message }) => ({ code, message }));
      const costs = { amount, fee, netAmount, ...quoted };
      const payable = { approvalsNeeded, payableFrom: payableFrom?.toISOString() ?? null, settlesAt: null };
      return { data: { type: body.type, ...costs, stoppedBy, ...payable } };
    },
  });
}
