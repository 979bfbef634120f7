import type { DoctoredData } from './doctored-data.ts';

/** Lies about payment links and the visits to them. */
export const doctoredLinks: DoctoredData[] = [
  {
    name: 'a payment link is paid more often than it has uses',
    service: 'charges',
    sql: [
      'ALTER TABLE payment_links DROP CONSTRAINT payment_links_check4',
      'UPDATE payment_links SET uses = 1',
    ],
    invariants: [5],
    finds: /^a payment link that is paid more often than it has uses: link .* of 1 was paid 2 times/,
  },
  {
    name: 'a use is taken that nobody has',
    service: 'charges',
    sql: 'UPDATE payment_links SET uses = 4, taken = taken + 1',
    invariants: [5],
    finds: /^a payment link whose uses are not .* has 4 taken and 2 paid; 2 used, 1 held, 2 paid charges/,
  },
  {
    name: 'a payment of a link is not counted',
    service: 'charges',
    sql: 'UPDATE payment_links SET paid = paid - 1',
    invariants: [5],
    finds: /^a payment link whose uses are not .* has 3 taken and 1 paid; 2 used, 1 held, 2 paid charges/,
  },
  {
    name: 'a visit is paid twice',
    service: 'charges',
    sql: `UPDATE charges SET checkout_id = (SELECT min(checkout_id::text)::uuid FROM charges WHERE checkout_id IS NOT NULL)
      WHERE checkout_id IS NOT NULL`,
    invariants: [5],
    finds: /^a visit with several charges that are paid or wait: visit .* PAID, .* PAID/,
  },
  {
    name: 'a visit that is paid does not say so',
    service: 'charges',
    sql: "UPDATE checkouts SET use = 'HELD', is_living = true WHERE use = 'USED'",
    invariants: [5, 6, 9],
    finds: [
      /^a visit that does not say what became of its charge: visit .*, HELD and living, whose charge is PAID/,
      / is now “checkout EXPIRED”, and the last that was told of it is checkout\.completed$/,
      /^call .* was answered 200, and of visits .* is \[/,
    ],
  },
  {
    name: 'a form has closed and keeps its use',
    service: 'charges',
    sql: "UPDATE checkouts SET card_form_until = now() - interval '2 minutes' WHERE use = 'HELD'",
    invariants: [5],
    finds: /^a use that nothing holds any more: visit/,
  },
  {
    name: 'a merchant was not told of money that came late for a visit',
    service: 'charges',
    sql: `DELETE FROM outbox WHERE type = 'payment.unexpected' AND (body::jsonb ->> 'aggregateId')::uuid IN (
      SELECT u.id FROM unexpected_payments u JOIN charges c ON c.id = u.charge_id WHERE c.checkout_id IS NOT NULL)`,
    invariants: [5, 7, 8],
    finds: /^money that came late for a visit, and of which its merchant was not told: payment/,
  },
];
