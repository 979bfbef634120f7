import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export interface Order {
  id: string;
  items: { id: string; name: string; price: number; count: number }[];
  total: number;
  /**
   * The URL of the page for a card payment, or the code and image of a Pix payment. Null until the buyer has
   * chosen.
   */
  payAt: { url: string } | { code: string; image: string } | null;
  /**
   * The latest event of each charge, by the charge's id. An order can have several charges, because a payment
   * link creates a new charge after a declined card.
   */
  payments: Record<string, { sequence: number; data: Readonly<Record<string, unknown>> }>;
  /** The time of shipping. It is set only once, so that a repeated event does not ship the order again. */
  shippedAt: string | null;
}

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the file with the shop's orders, the ids of applied events, and the secret of the webhook. A new file
 * gets a new secret.
 */
export function openStore(file: string) {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY) STRICT;
    CREATE TABLE IF NOT EXISTS webhook (id INTEGER PRIMARY KEY, secret TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS registered (webhook TEXT PRIMARY KEY) STRICT`);
  // With the prefix `whsec_` the platform's signatures include a timestamp, so the SDK can refuse old
  // deliveries.
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
    /**
     * Changes the order, and records the event's id in the same transaction. Changes nothing if the event was
     * recorded before.
     */
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
