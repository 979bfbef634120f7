/**
 * Returns SQL for the time by which the sandbox clock of a row's merchant is ahead of the real time. For
 * production it is zero.
 */
export const aheadOf = (table: string) =>
  `coalesce((SELECT moved.ahead_ms * interval '1 millisecond' FROM sandbox_clocks moved
    WHERE moved.merchant_id = ${table}.merchant_id AND ${table}.environment = 'sandbox'), interval '0')`;
