/** The limits that `pnpm house` checks the journeys against; they only decrease. */

/** Line limits are multiples of this step, so that one more line is no fault. */
export const LINE_STEP = 50;
export const journeyAim = { files: 15, lines: 800 };

export interface Journey {
  name: string;
  service: string;
  /** The name of the journey's first file, in any folder of the service. */
  entry: string;
  /** The limit of files in the journey's own service. */
  files: number;
  lines: number;
}

export const journeys: readonly Journey[] = [
  {
    name: 'confirm a payment',
    service: 'charges',
    entry: 'confirm-payment.ts',
    files: 12,
    lines: 850,
  },
  {
    name: 'create a Pix charge',
    service: 'charges',
    entry: 'create-pix-charge.ts',
    files: 20,
    lines: 1_370,
  },
  {
    name: 'create a card charge',
    service: 'charges',
    entry: 'create-card-charge.ts',
    files: 29,
    lines: 2_130,
  },
  {
    name: 'advance a refund',
    service: 'charges',
    entry: 'advance-refund.ts',
    files: 14,
    lines: 1_150,
  },
  {
    name: 'return an unexpected payment',
    service: 'charges',
    entry: 'return-payment.ts',
    files: 13,
    lines: 950,
  },
  {
    name: 'create a withdrawal',
    service: 'withdrawals',
    entry: 'create-withdrawal.ts',
    files: 13,
    lines: 1_300,
  },
  {
    name: 'advance a payout',
    service: 'withdrawals',
    entry: 'advance-payout.ts',
    files: 13,
    lines: 1_100,
  },
  {
    name: 'post facts in the ledger',
    service: 'ledger',
    entry: 'post-facts.ts',
    files: 29,
    lines: 2_170,
  },
  { name: 'deliver a webhook', service: 'webhooks', entry: 'sender.ts', files: 19, lines: 1_590 },
  { name: 'log in', service: 'gateway', entry: 'log-in.ts', files: 11, lines: 1_010 },
];
