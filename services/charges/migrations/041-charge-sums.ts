import { listSums } from '@plataforma/tables';

/** Counts the charges of each UTC day of creation and sums their amounts, for lists of charges. */
export const chargeSums = listSums(['041_charge_sums', '041_older_charge_sums'], {
  ...{ name: 'charge_sums', table: 'charges' },
  ...{ by: ['payment_method', 'status'], cents: ['amount_cents', 'fee_cents', 'refunded_cents'] },
});
