import { api } from '@plataforma/contracts';
import { answeredElsewhere, type Router, requireScope, serve } from '@plataforma/http';
import type { Refusal } from '@plataforma/kernel';
import type { ChargesDependencies } from '../dependencies.ts';
import { quoteCharge } from '../operations/quote-charge.ts';
import { quoteRefund } from '../operations/quote-refund.ts';

const orderedWith = {
  charge: ['charges:write', 'wallet:read'],
  refund: ['charges:write', 'refunds:write', 'wallet:read'],
} as const;

export function quoteRoutes(router: Router, dependencies: ChargesDependencies): void {
  serve(router, api.createQuote, {
    verifier: dependencies.verifier,
    answer: async ({ body }, merchant) => {
      if (body.type === 'withdrawal') throw answeredElsewhere();
      requireScope(orderedWith[body.type], merchant.scopes);
      const readsWallet = merchant.scopes.includes('wallet:read');
      const free = { approvalsNeeded: 0, payableFrom: null };
      if (body.type === 'refund') {
        const quoted = await quoteRefund(dependencies, { tenant: merchant, ...body });
        const { amount, refusals } = quoted;
        const balanceAfter = readsWallet ? quoted.balanceAfter : null;
        const costs = { amount, fee: 0, netAmount: amount, debit: amount, balanceAfter, settlesAt: null };
        return { data: { type: body.type, ...costs, ...free, stoppedBy: codesOf(refusals) } };
      }
      const quoted = await quoteCharge(dependencies, { tenant: merchant, order: body, readsWallet });
      const { fee, netAmount, balanceAfter, refusals } = quoted;
      const costs = { amount: body.amount, fee, netAmount, debit: 0, balanceAfter };
      const settlesAt = quoted.settlesAt.toISOString();
      return { data: { type: body.type, ...costs, ...free, stoppedBy: codesOf(refusals), settlesAt } };
    },
  });
}

function codesOf(refusals: readonly Refusal[]) {
  return refusals.map(({ code, message }) => ({ code, message }));
}
