/** Returns SQL for the time by which a merchant's sandbox clock is ahead of the real time. */
export const aheadOf = (table: string) =>
  `coalesce((SELECT moved.ahead_ms * interval '1 millisecond' FROM sandbox_clocks moved
    WHERE moved.merchant_id = ${table}.merchant_id AND ${table}.environment = 'sandbox'), interval '0')`;
