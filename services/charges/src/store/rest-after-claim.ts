/**
 * In SQL, until when a claimed row is left alone: for the lease ($3, in milliseconds, from $2 on) and longer with every
 * attempt, from a second to ten minutes. The exponent is bounded, or the thousandth attempt would leave the numbers.
 */
export const REST_AFTER_CLAIM = `
  $2::timestamptz + greatest($3, least(power(2, least(attempts, 10)), 600) * 1000) * interval '1 millisecond'`;
