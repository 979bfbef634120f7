import { listSums } from '@plataforma/tables';

/** The counter of the sums that lists of charges show: the charges of a UTC day of creation. */
export const chargeSums = listSums(['041_charge_sums', '041_older_charge_sums'], {
  ...{ name: 'charge_sums', table: 'charges' },
  ...{ by: ['payment_method', 'status'], cents: ['amount_cents', 'fee_cents', 'refunded_cents'] },
});
