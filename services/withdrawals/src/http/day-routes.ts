import { type OrderedToday, orderedTodayQuery } from '@plataforma/contracts';
import { type Router, requireService, validate } from '@plataforma/http';
import { bankDayOf } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { sumRequestedOn } from '../store/day-totals.ts';

/**
 * Serves the sum in cents of a merchant's withdrawals of the current day, which count towards the merchant's
 * daily limit.
 */
export function dayRoutes(router: Router, { verifier, reads, clock }: WithdrawalsDependencies): void {
  router.get('/internal/ordered-today', async (req, res) => {
    requireService(req, verifier, 'gateway');
    const { merchantId } = validate(orderedTodayQuery, req.query);
    // Compute the day for each environment, because a moved sandbox clock may be on a different day.
    const of = async (environment: 'production' | 'sandbox') => {
      const tenant = { merchantId, environment };
      const counted = bankDayOf(await merchantTime(reads, clock, tenant));
      const day = { day: counted.day, until: counted.until.toISOString() };
      return { day, ordered: await sumRequestedOn(reads, tenant, counted) };
    };
    const [production, sandbox] = await Promise.all([of('production'), of('sandbox')]);
    const ordered = { production: production.ordered, sandbox: sandbox.ordered };
    const data: OrderedToday = { ...production.day, ...ordered, sandboxDay: sandbox.day };
    res.json({ success: true, data });
  });
}
