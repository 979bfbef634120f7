/**
 * An account's sandbox leaves eight times what it takes to other sandboxes, or takes one slot. With 24 slots for all
 * sandboxes, 20 accounts are needed to take all of them.
 */
export const LEAVES = 8;

export interface Pool {
  /** At least 48, so that half of it is at least 24. */
  total: number;
  /** The most that one account in one environment has, one operator, or one network without an account. */
  perHolder: number;
  /** A pool that takes accounts may replace `LEAVES` by a number of its own. */
  leaves?: number;
  /** How long work waits for a slot, where it holds no memory before it has one. */
  waitMs?: number;
  /** How many works may wait, of which all sandboxes together get half; eight of each holder when left out. */
  waiting?: { total: number; perHolder: number };
  /** The message of a refusal. */
  full: string;
}

const forwarded = 512;
const ofBuyers = { total: 768, perHolder: 64, waiting: { total: 2_048, perHolder: 256 } };
const yourNetwork = 'too many requests of your network are under way; try again shortly';

/**
 * Every pool of slots for work on behalf of callers, by its name in the metric; the sizes are those of one process. All
 * sandboxes together get half of each. Lists and deliveries share connections by rules of their own.
 */
export const pools = {
  /** Files that are written while their callers read. Their statements take turns with all lists. */
  files: {
    ...{ total: 48, perHolder: 2 },
    full: 'too many files are being written; try again when yours is done',
  },
  /**
   * Forms with a file, each in memory from its first byte to its answer, twice where it is forwarded. A page sends five
   * files at once: those beyond its share wait before they are read.
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
  /** The same of operators, who decide by them. */
  inspectedEvidence: {
    ...{ total: 16, perHolder: 4 },
    full: 'too many files are being read: read fewer at a time, and try again shortly',
  },
  /** Requests that the gateway forwards to one service. They take milliseconds, and one account may send many. */
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
   * Reads of buyers, by network. Each takes a service two milliseconds of its processor: as many as are under way delay
   * payments and merchants there, and the others wait here.
   */
  buyerReads: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /** Pages of buyers that web reads at the gateway, by network. Each takes web some milliseconds of its processor. */
  buyerPages: { ...ofBuyers, total: 192, perHolder: 8, waitMs: 20_000, full: yourNetwork },
  /** Payments of buyers that web sends to the gateway, by network: a card may wait for its turn there. */
  buyerForms: { ...ofBuyers, waitMs: 20_000, full: yourNetwork },
  /** Reads of Pix codes by payers' banks at the sandbox bank, by network; three of its connections serve one network. */
  payerReads: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /** Cards that buyers' browsers exchange for tokens at the sandbox bank, by network. */
  cardTokens: { ...ofBuyers, total: 128, perHolder: 3, waitMs: 10_000, full: yourNetwork },
  /**
   * Log-ins and registrations that web sends to the gateway, by network. The gateway compares a few passwords at a time, and
   * each request under way there delays those of others.
   */
  logIns: { ...ofBuyers, total: 128, perHolder: 8, waitMs: 20_000, full: yourNetwork },
  /** Questions of web to the gateway about the owner of a session, before web serves a request, by network. */
  sessions: { ...ofBuyers, total: 384, perHolder: 16, waitMs: 20_000, full: yourNetwork },
  /** Callbacks of providers that the gateway forwards, by network: a provider has few addresses. */
  callbacks: {
    ...{ total: 512, perHolder: 256, leaves: 1 },
    full: 'too many callbacks are under way; send this one again shortly',
  },
  /**
   * Payments of buyers at a bank, by the account of the link. All sandboxes hold at most 280 requests, and 200
   * buyers of one link are served. The wait and the slowest card fit into the timeout of the gateway.
   */
  buyerPayments: {
    ...{ total: 160, perHolder: 64, waitMs: 8_000, waiting: { total: 400, perHolder: 200 } },
    full: 'too many payments of this shop are under way; try again shortly',
  },
  /**
   * Reads at a provider for its callbacks, by the account of the charge. All sandboxes hold at most half of the
   * callbacks that one network has in `callbacks`.
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
  /** Moves of a sandbox's clock, each of which asks three services for seconds. */
  clockMoves: {
    ...{ total: 48, perHolder: 2 },
    full: 'too many requests move or read the clocks of sandboxes; try again shortly',
  },
  clockReads: {
    ...{ total: 128, perHolder: 16 },
    full: 'too many requests move or read the clocks of sandboxes; try again shortly',
  },
  /** Searches of statements, each of which reads many rows. Their statements take turns with all lists. */
  searches: { total: 48, perHolder: 2, full: 'too many lists are being searched; try again shortly' },
  /** Requests of the dashboard that web passes on to the gateway, until their callers have read the answers. */
  pages: {
    ...{ total: 512, perHolder: 128 },
    full: 'too many requests of the dashboard are under way; try again shortly',
  },
  /** The same that wait for events. */
  pageWaits: {
    ...{ total: 256, perHolder: 4 },
    full: 'too many requests wait for events already: let one of them end first',
  },
  /** Pix codes whose bank is being called. */
  pixCodes: { total: 48, perHolder: 5, full: 'too many codes are being read; try again shortly' },
  /** Streams that tell pages of the dashboard what has changed. */
  streams: {
    ...{ total: 5_000, perHolder: 500 },
    full: 'too many streams are open: ask now and then',
  },
} as const satisfies Record<string, Pool>;

export type PoolName = keyof typeof pools;
