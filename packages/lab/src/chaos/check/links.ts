import { brokenRules, type Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

const WAS_PAID = 'paid_at IS NOT NULL';

const rules = {
  'a payment link that is paid more often than it has uses': `
    SELECT concat('link ', l.id, ' of ', l.uses, ' was paid ', count(*), ' times') AS what
    FROM payment_links l JOIN charges c ON c.payment_link_id = l.id AND c.${WAS_PAID}
    GROUP BY l.id HAVING count(*) > l.uses`,
  'a payment link whose uses are not what is paid and what is held': `
    SELECT concat('link ', id, ' has ', taken, ' taken and ', paid, ' paid; ', used, ' used, ', held,
    ' held, ',
      paid_charges, ' paid charges') AS what
    FROM payment_links l,
      LATERAL (SELECT count(*) FILTER (WHERE use = 'USED') AS used, count(*)
      FILTER (WHERE use = 'HELD') AS held
        FROM checkouts WHERE link_id = l.id) AS of_visits,
      LATERAL (SELECT count(*) AS paid_charges FROM charges WHERE payment_link_id = l.id
      AND ${WAS_PAID}) AS of_charges
    WHERE ROW (taken, paid, paid) IS DISTINCT FROM ROW (used + held, used, paid_charges)`,
  'a visit with several charges that are paid or wait': `
    SELECT concat('visit ', checkout_id, ': ', string_agg(concat(id, ' ', payment_method, ' ', status),
    ', ')) AS what
    FROM charges WHERE checkout_id IS NOT NULL AND status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')
    GROUP BY checkout_id HAVING count(*) > 1`,
  'a visit that does not say what became of its charge': `
    SELECT concat('visit ', v.id, ', ', v.use, CASE WHEN is_living THEN ' and living' END,
    ', whose charge is ', c.status)
      AS what
    FROM checkouts v JOIN charges c ON c.id = v.charge_id
    WHERE v.is_living <> (c.status = 'PENDING') OR (v.use = 'USED') <> (c.${WAS_PAID})`,
  'a use that nothing holds any more': `
    SELECT concat('visit ', id, ' of link ', link_id) AS what FROM checkouts
    WHERE use = 'HELD' AND NOT is_living AND card_form_until < now() - interval '1 minute'`,
};

const notificationRules = {
  'money that came late for a visit, and of which its merchant was not told': `
    SELECT concat('payment ', u.end_to_end_id, ', ', u.status) AS what
    FROM unexpected_payments u JOIN charges c ON c.id = u.charge_id
    WHERE c.checkout_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM outbox o, LATERAL (SELECT body::jsonb AS event) AS parsed
      WHERE o.type = 'payment.unexpected' AND event ->> 'aggregateId' = u.id::text
        AND event ->> 'merchantId' = c.merchant_id::text)`,
};

/**
 * Invariant 5, for payment links. A link has no more payments than uses, and a visit at most one paid or
 * pending charge. A visit takes a use if it is paid, or has a pending charge or an open card form.
 */
export function checkLinks({ databases, olderUntil }: Evidence): Promise<Finding[]> {
  // Replicas of an older release publish no event about late money, so the rules about that event are left
  // out.
  const all = olderUntil === undefined ? { ...rules, ...notificationRules } : rules;
  return brokenRules(databases.charges, 5, all);
}
