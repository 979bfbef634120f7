/**
 * The default of `leaves`. If all sandboxes together have 24 slots, at least 20 accounts are needed to take
 * all of them.
 */
export const LEAVES = 8;

export interface Pool {
  /**
   * The number of slots. It is at least 48, so that the sandboxes, which get half of the slots, have at least
   * 24.
   */
  total: number;
  /** The maximum number of slots of one holder: an account in one environment, an operator, or a network. */
  perHolder: number;
  /**
   * A sandbox or network gets a second or later slot only if this many free slots then remain for each slot
   * that it has. The default is `LEAVES`.
   */
  leaves?: number;
  /** The longest wait for a slot. Set it only for a pool whose waiting work holds no memory. */
  waitMs?: number;
  /**
   * The maximum amount of waiting work. All sandboxes together get half of `total`. The default is eight for
   * each holder, without a total limit.
   */
  waiting?: { total: number; perHolder: number };
  /** The message of the refusal when the caller gets no slot. */
  full: string;
}

const forwarded = 512;
const ofBuyers = { total: 768, perHolder: 64, waiting: { total: 2_048, perHolder: 256 } };
const yourNetwork = 'too many requests of your network are under way; try again shortly';

/**
 * The pools of slots, by their names in the metric, with sizes for one process. All sandboxes together get
 * half of each pool. Lists and webhook deliveries share database connections by other rules.
 */
export const pools = {
  /** Files that the service writes while callers read them. Their queries take turns with those of lists. */
  files: {
    ...{ total: 48, perHolder: 2 },
    full: 'too many files are being written; try again when yours is done',
  },
  /**
   * Forms with a file. A form stays in memory until it is answered, both in the gateway and in the service. A
   * page sends five files at the same time; the fifth file waits and is not read yet.
   */
  forms: {
    ...{ total: 48, perHolder: 4, waitMs: 8_000 },
    full: 'too many files are being sent: send fewer at a time, and try again shortly',
  },
  /** Files of evidence that merchants download. */
  evidence: {
    ...{ total: 48, perHolder: 4 },
    full: 'too many files are being read: read fewer at a time, and try again shortly',
  },
  /** Files of evidence that operators download for their decisions. */
  inspectedEvidence: {
    ...{ total: 16, perHolder: 4 },
    full: 'too many files are being read: read fewer at a time, and try again shortly',
  },
  /**
   * Requests that the gateway forwards to one service. Each takes milliseconds, and one account may send many
   * at the same time.
   */
  requests: {
    ...{ total: forwarded, perHolder: forwarded / 2, leaves: 1 },
    full: 'too many requests are under way: send fewer at a time, and try again shortly',
  },
  /**
   * Requests of buyers that the gateway forwards to one service. Each network of buyers is a holder. Slow
   * payments in sandboxes take under half of the slots, because the pool `buyerPayments` limits them.
   */
  buyers: { ...ofBuyers, waitMs: 10_000, full: yourNetwork },
  /**
   * Reads of buyers; each network is a holder. A read takes 2 ms of a service's processor, which delays
   * payments and merchants. So further reads wait in the gateway.
   */
  buyerReads: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /**
   * Requests of `web` to the gateway for pages of buyers; each network is a holder. Each page takes
   * milliseconds of the processor of `web`.
   */
  buyerPages: { ...ofBuyers, total: 192, perHolder: 8, waitMs: 20_000, full: yourNetwork },
  /**
   * Payments of buyers, which `web` sends to the gateway. Each network is a holder. A card payment may wait
   * in the gateway for a slot.
   */
  buyerForms: { ...ofBuyers, waitMs: 20_000, full: yourNetwork },
  /**
   * Reads of Pix codes by payers' banks at the sandbox bank. Each network is a holder and gets three slots.
   */
  payerReads: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /** Cards that buyers' browsers exchange for tokens at the sandbox bank. Each network is a holder. */
  cardTokens: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /**
   * Log-ins and registrations that `web` sends to the gateway; each network is a holder. The gateway compares
   * only a few passwords at the same time, so each request delays the others.
   */
  logIns: { ...ofBuyers, total: 128, perHolder: 8, waitMs: 20_000, full: yourNetwork },
  /**
   * Requests to the gateway that `web` itself sends with a browser's session, for example to read the account
   * or to log out. Each network is a holder.
   */
  sessions: { ...ofBuyers, total: 384, perHolder: 16, waitMs: 20_000, full: yourNetwork },
  /**
   * Callbacks of providers that the gateway forwards. Each network is a holder; the limit is high because a
   * provider has few addresses.
   */
  callbacks: {
    ...{ total: 512, perHolder: 256, leaves: 1 },
    full: 'too many callbacks are under way; send this one again shortly',
  },
  /**
   * Payments of buyers at a bank; the link's account is the holder. Slots and queue suffice for 200 buyers of
   * one account, or 280 of all sandboxes. Wait and payment together fit into the gateway's timeout.
   */
  buyerPayments: {
    ...{ total: 160, perHolder: 64, waitMs: 8_000, waiting: { total: 400, perHolder: 200 } },
    full: 'too many payments of this shop are under way; try again shortly',
  },
  /**
   * Reads at a provider, caused by callbacks; the account of the charge is the holder. All sandboxes together
   * get 64 slots and 64 waiting places, half of one network's slots in the pool `callbacks`.
   */
  callbackReads: {
    ...{ total: 128, perHolder: 60, waitMs: 10_000, waiting: { total: 128, perHolder: 64 } },
    full: 'too many callbacks are under way; send this one again shortly',
  },
  /** Answers of the gateway and files of `web` that are longer than 64 KiB. One slot covers 64 KiB. */
  longAnswers: {
    ...{ total: 3_072, perHolder: 512 },
    full: 'too many long answers are on their way: read them, ask for smaller pages, and try again shortly',
  },
  /** Forwarded requests that wait for events. */
  forwardedWaits: {
    ...{ total: forwarded, perHolder: 4 },
    full: 'too many requests wait for events already: let one of them end first',
  },
  /** Requests that wait for events in the service webhooks. */
  eventWaits: {
    ...{ total: 1_024, perHolder: 4 },
    full: 'too many requests wait for events already: let one of them end first',
  },
  /** Requests that move a sandbox's clock. Each calls three services and takes seconds. */
  clockMoves: {
    ...{ total: 48, perHolder: 2 },
    full: 'too many requests move or read the clocks of sandboxes; try again shortly',
  },
  clockReads: {
    ...{ total: 128, perHolder: 16 },
    full: 'too many requests move or read the clocks of sandboxes; try again shortly',
  },
  /** Searches of statements. Each reads many rows, and its queries take turns with the queries of lists. */
  searches: { total: 48, perHolder: 2, full: 'too many lists are being searched; try again shortly' },
  /**
   * Requests of the dashboard that `web` forwards to the gateway. Each occupies its slot until its caller has
   * read the answer.
   */
  pages: {
    ...{ total: 512, perHolder: 128 },
    full: 'too many requests of the dashboard are under way; try again shortly',
  },
  /** Requests of the dashboard that wait for events. */
  pageWaits: {
    ...{ total: 256, perHolder: 4 },
    full: 'too many requests wait for events already: let one of them end first',
  },
  /**
   * Pix codes that the withdrawals service is decoding. The service reads the payload of each code at the
   * bank that issued the code.
   */
  pixCodes: { total: 48, perHolder: 5, full: 'too many codes are being read; try again shortly' },
  /** Lookups of Pix keys' owners at the payout provider. */
  recipients: { total: 48, perHolder: 5, full: 'too many Pix keys are being looked up; try again shortly' },
  /** Open streams of live updates for pages of the dashboard. */
  streams: {
    ...{ total: 5_000, perHolder: 500 },
    full: 'too many streams are open: poll instead',
  },
} as const satisfies Record<string, Pool>;

export type PoolName = keyof typeof pools;
