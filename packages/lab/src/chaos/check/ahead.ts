/** By how much a row of a merchant's sandbox is dated ahead of the real time, in SQL. */
export const aheadOf = (table: string) =>
  `coalesce((SELECT moved.ahead_ms * interval '1 millisecond' FROM sandbox_clocks moved
    WHERE moved.merchant_id = ${table}.merchant_id AND ${table}.environment = 'sandbox'), interval '0')`;
