import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Order {
  /** The externalId of its charges. */
  id: string;
  items: { id: string; name: string; price: number; count: number }[];
  total: number;
  /** Where a card is paid, or what is shown of Pix. */
  payAt: { url: string } | { code: string; image: string } | null;
  /** By charge, its latest event: a payment link makes another charge after a card that was declined. */
  payments: Record<string, { sequence: number; data: Readonly<Record<string, unknown>> }>;
  /** Set once, whatever comes twice. */
  shippedAt: string | null;
}

export type Store = ReturnType<typeof openStore>;

/** Orders, the ids of the events that were applied to them, and the webhook's secret, made with the file. */
export function openStore(file: string) {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY) STRICT;
    CREATE TABLE IF NOT EXISTS webhook (id INTEGER PRIMARY KEY, secret TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS registered (webhook TEXT PRIMARY KEY) STRICT`);
  // The form of the secret tells the SDK that each delivery signs its time, so that it refuses old ones.
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  database.prepare('INSERT OR IGNORE INTO webhook VALUES (1, ?)').run(secret);
  const find = database.prepare('SELECT content FROM orders WHERE id = ?');
  const all = database.prepare('SELECT content FROM orders');
  const add = database.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?)');
  const put = database.prepare('UPDATE orders SET content = ? WHERE id = ?');
  const isRegistered = database.prepare('SELECT webhook FROM registered WHERE webhook = ?');
  const register = database.prepare('INSERT OR IGNORE INTO registered VALUES (?)');
  const see = database.prepare('INSERT OR IGNORE INTO events VALUES (?)');

  const order = (id: string): Order | null => JSON.parse(String(find.get(id)?.content ?? 'null'));
  return {
    secret: String(database.prepare('SELECT secret FROM webhook').get()?.secret),
    isRegistered: (id: string) => isRegistered.get(id) !== undefined,
    register: (id: string) => void register.run(id),
    order,
    orders: (): Order[] => all.all().map(({ content }) => JSON.parse(String(content))),
    add: (placed: Order) => void add.run(placed.id, JSON.stringify(placed)),
    /** In one transaction: of an event the mark that it was seen, and what it changes, or neither. */
    change(id: string, how: (order: Order) => Order | null, eventId?: string): void {
      database.exec('BEGIN IMMEDIATE');
      try {
        const found = eventId === undefined || see.run(eventId).changes > 0 ? order(id) : null;
        const changed = found && how(found);
        if (changed) put.run(JSON.stringify(changed), id);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
