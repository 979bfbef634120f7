/**
 * The limits of files and lines for each journey: the code that a reader follows from an entry file.
 * The program `pnpm house` checks the limits. A limit may decrease but never increase.
 */

/**
 * A limit of lines counts as too large only if it exceeds the measured lines, rounded up to a multiple of
 * this step. A small change of the code therefore needs no new limit.
 */
export const LINE_STEP = 50;
export const journeyAim = { files: 15, lines: 800 };

export interface Journey {
  name: string;
  service: string;
  /** The name of the file in which the journey begins. The file may be in any folder of the service. */
  entry: string;
  /** The largest allowed number of files in the journey. Only files of the journey's service count. */
  files: number;
  lines: number;
}

export const journeys: readonly Journey[] = [
  {
    name: 'confirm a payment',
    service: 'charges',
    entry: 'confirm-payment.ts',
    files: 14,
    lines: 1_056,
  },
  {
    name: 'create a Pix charge',
    service: 'charges',
    entry: 'create-pix-charge.ts',
    files: 20,
    lines: 1_495,
  },
  {
    name: 'create a card charge',
    service: 'charges',
    entry: 'create-card-charge.ts',
    files: 29,
    lines: 2_306,
  },
  {
    name: 'advance a refund',
    service: 'charges',
    entry: 'advance-refund.ts',
    files: 14,
    lines: 1_310,
  },
  {
    name: 'return an unexpected payment',
    service: 'charges',
    entry: 'return-payment.ts',
    files: 14,
    lines: 1_104,
  },
  {
    name: 'create a withdrawal',
    service: 'withdrawals',
    entry: 'create-withdrawal.ts',
    files: 15,
    lines: 1_594,
  },
  {
    name: 'advance a payout',
    service: 'withdrawals',
    entry: 'advance-payout.ts',
    files: 13,
    lines: 1_230,
  },
  {
    name: 'post facts in the ledger',
    service: 'ledger',
    entry: 'post-facts.ts',
    files: 30,
    lines: 2_420,
  },
  { name: 'deliver a webhook', service: 'webhooks', entry: 'sender.ts', files: 21, lines: 1_825 },
  { name: 'log in', service: 'gateway', entry: 'log-in.ts', files: 10, lines: 985 },
];
