/**
 * A sandbox with more than one slot leaves eight times its own slots free for other sandboxes. With 24 slots
 * for all sandboxes, it takes 20 accounts to use them all.
 */
export const LEAVES = 8;

export interface Pool {
  /** At least 48, so that half of it is at least 24. */
  total: number;
  /** The most slots of one holder: an account in one environment, an operator, or a network. */
  perHolder: number;
  /** Replaces `LEAVES` in this pool. */
  leaves?: number;
  /** How long work waits for a slot; only for work that holds no memory while it waits. */
  waitMs?: number;
  /**
   * The most work that may wait; all sandboxes together get half of it. When left out, eight for each holder.
   */
  waiting?: { total: number; perHolder: number };
  /** The message of a refusal. */
  full: string;
}

const forwarded = 512;
const ofBuyers = { total: 768, perHolder: 64, waiting: { total: 2_048, perHolder: 256 } };
const yourNetwork = 'too many requests of your network are under way; try again shortly';

/**
 * The pools of slots for work of callers, by their names in the metric, with sizes for one process. All
 * sandboxes together get half of each. Lists and deliveries share connections by their own rules.
 */
export const pools = {
  /** Files that are written while their callers read them. Their SQL takes turns with that of lists. */
  files: {
    ...{ total: 48, perHolder: 2 },
    full: 'too many files are being written; try again when yours is done',
  },
  /**
   * Forms with a file. Each is in memory from its first byte to its answer, twice where it is forwarded. A
   * page sends five files at once; those beyond its share wait before they are read.
   */
  forms: {
    ...{ total: 48, perHolder: 4, waitMs: 8_000 },
    full: 'too many files are being sent: send fewer at a time, and try again shortly',
  },
  /** Files of evidence that merchants read. */
  evidence: {
    ...{ total: 48, perHolder: 4 },
    full: 'too many files are being read: read fewer at a time, and try again shortly',
  },
  /** Files of evidence that operators read for their decisions. */
  inspectedEvidence: {
    ...{ total: 16, perHolder: 4 },
    full: 'too many files are being read: read fewer at a time, and try again shortly',
  },
  /**
   * Requests that the gateway forwards to one service. They take milliseconds, and one account may send many.
   */
  requests: {
    ...{ total: forwarded, perHolder: forwarded / 2, leaves: 1 },
    full: 'too many requests are under way: send fewer at a time, and try again shortly',
  },
  /**
   * Requests of buyers that the gateway forwards to one service, by network. Sandboxes take less than half of
   * them, because `buyerPayments` bounds their slow requests.
   */
  buyers: { ...ofBuyers, waitMs: 10_000, full: yourNetwork },
  /**
   * Reads of buyers, by network. Each takes 2 ms of a service's processor and delays payments and merchants
   * there, so further reads wait here.
   */
  buyerReads: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /**
   * Pages of buyers that web reads at the gateway, by network. Each takes web milliseconds of processor time.
   */
  buyerPages: { ...ofBuyers, total: 192, perHolder: 8, waitMs: 20_000, full: yourNetwork },
  /** Payments of buyers that web sends to the gateway, by network. A card may wait there for its turn. */
  buyerForms: { ...ofBuyers, waitMs: 20_000, full: yourNetwork },
  /** Reads of Pix codes by payers' banks at the sandbox bank, by network, with three connections for each. */
  payerReads: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /** Cards that buyers' browsers exchange for tokens at the sandbox bank, by network. */
  cardTokens: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /**
   * Log-ins and registrations that web sends to the gateway, by network. The gateway compares a few passwords
   * at a time, so that each request under way delays those of others.
   */
  logIns: { ...ofBuyers, total: 128, perHolder: 8, waitMs: 20_000, full: yourNetwork },
  /** Requests of web to the gateway for the owner of a session, before web serves a page, by network. */
  sessions: { ...ofBuyers, total: 384, perHolder: 16, waitMs: 20_000, full: yourNetwork },
  /** Callbacks of providers that the gateway forwards, by network: a provider has few addresses. */
  callbacks: {
    ...{ total: 512, perHolder: 256, leaves: 1 },
    full: 'too many callbacks are under way; send this one again shortly',
  },
  /**
   * Payments of buyers at a bank, by the account of the link. All sandboxes hold at most 280 requests, and
   * one link serves 200 buyers at once. The wait and the slowest card fit into the timeout of the gateway.
   */
  buyerPayments: {
    ...{ total: 160, perHolder: 64, waitMs: 8_000, waiting: { total: 400, perHolder: 200 } },
    full: 'too many payments of this shop are under way; try again shortly',
  },
  /**
   * Reads at a provider for its callbacks, by the account of the charge. All sandboxes hold at most half of
   * the callbacks that `callbacks` allows to one network.
   */
  callbackReads: {
    ...{ total: 128, perHolder: 60, waitMs: 10_000, waiting: { total: 128, perHolder: 64 } },
    full: 'too many callbacks are under way; send this one again shortly',
  },
  /** Answers of the gateway, and files of `web`, that are longer than 64 KiB; a slot is 64 KiB. */
  longAnswers: {
    ...{ total: 3_072, perHolder: 512 },
    full: 'too many long answers are on their way: read them, ask for smaller pages, and try again shortly',
  },
  /** Requests that the gateway forwards and that wait for events. */
  forwardedWaits: {
    ...{ total: forwarded, perHolder: 4 },
    full: 'too many requests wait for events already: let one of them end first',
  },
  /** Requests that wait for events in webhooks. */
  eventWaits: {
    ...{ total: 1_024, perHolder: 4 },
    full: 'too many requests wait for events already: let one of them end first',
  },
  /** Moves of a sandbox's clock. Each of them calls three services and takes seconds. */
  clockMoves: {
    ...{ total: 48, perHolder: 2 },
    full: 'too many requests move or read the clocks of sandboxes; try again shortly',
  },
  clockReads: {
    ...{ total: 128, perHolder: 16 },
    full: 'too many requests move or read the clocks of sandboxes; try again shortly',
  },
  /** Searches of statements, each of which reads many rows. Their SQL takes turns with that of lists. */
  searches: { total: 48, perHolder: 2, full: 'too many lists are being searched; try again shortly' },
  /**
   * Requests of the dashboard that web forwards to the gateway, until their callers have read the answers.
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
  /** Pix codes whose payload is being read at their bank. */
  pixCodes: { total: 48, perHolder: 5, full: 'too many codes are being read; try again shortly' },
  /** Streams of live updates for pages of the dashboard. */
  streams: {
    ...{ total: 5_000, perHolder: 500 },
    full: 'too many streams are open: poll instead',
  },
} as const satisfies Record<string, Pool>;

export type PoolName = keyof typeof pools;
