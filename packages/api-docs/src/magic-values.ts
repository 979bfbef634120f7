/** Rows of a table in the guide: values that make the sandbox behave in a certain way. */
export const testKeys = [
  ['`fail@sandbox.test`', 'fails with `account_not_found`'],
  ['`fail-ac06@sandbox.test` and similar keys', 'fails with the reason of this SPI code'],
  ['`invalid@sandbox.test`', 'is not started, and fails with `invalid_key`'],
  ['`slow@sandbox.test`', 'is PROCESSING for 10 seconds, then paid'],
  ['`timeout@sandbox.test`', 'is PROCESSING for 30 seconds, then paid'],
  ['`hold@sandbox.test`', 'is PENDING until it is approved, rejected, completed or failed in the sandbox'],
  ['any other', 'is paid within a second or two'],
] as const;

export const testCards = [
  ['4000 0000 0000 0010', 'is approved'],
  ['4000 0000 0000 0028', '`CARD_DECLINED`, `insufficient_funds`'],
  ['4000 0000 0000 0036', '`CARD_DECLINED`, `expired_card`'],
  ['4000 0000 0000 0044', '`CARD_DECLINED`, `suspected_fraud`'],
  [
    '4000 0000 0000 0051',
    'is a 503 `PROVIDER_UNAVAILABLE` after 8 seconds and is approved later; retry the same request',
  ],
  [
    '4000 0000 0000 0069',
    'is a 503 `PROVIDER_UNAVAILABLE` after 8 seconds and is declined later; retry the same request',
  ],
] as const;

export const testRefunds = [
  ['6666', '`REFUND_REFUSED`: the payer’s bank refuses the refund, and you may request another one'],
  ['7777', 'is a 202, and REFUNDED after 10 seconds'],
  ['8888', 'is a 202, and refused after 10 seconds: `charge.refund_failed`'],
] as const;
