import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { verify } from './verify.ts';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const { DATABASE = join(tmpdir(), 'plataforma-webhooks.db') } = process.env;
const secrets = WEBHOOK_SECRET.split(',').filter((secret) => secret !== '');

const database = new DatabaseSync(DATABASE);
database.exec(`
  CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS objects (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, status TEXT NOT NULL);
`);
const keepEvent = database.prepare('INSERT INTO events (id) VALUES (?) ON CONFLICT DO NOTHING');
const keepNewest = database.prepare(`
  INSERT INTO objects (id, sequence, status) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status
  WHERE objects.sequence < excluded.sequence
`);

interface Notification {
  event: string;
  eventId: string;
  sequence: number;
  data: { id: string; status: string; isTest?: true };
}

/**
 * Applies each event once and never an older one. Your own writes for the event belong into this transaction.
 */
function receive({ event, eventId, sequence, data }: Notification): string {
  if (data.isTest) return 'test';
  database.exec('BEGIN IMMEDIATE');
  try {
    const outcome =
      keepEvent.run(eventId).changes === 0
        ? 'duplicate'
        : keepNewest.run(data.id, sequence, data.status).changes === 0
          ? 'late'
          : 'new';
    if (outcome === 'new') console.log(`${data.id} is ${data.status}, says ${event}`);
    database.exec('COMMIT');
    return outcome;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Every notification is much smaller than this limit. */
const MOST_BYTES = 1 << 20;
const refusal = { status: 401, text: 'wrong signature' };

function handle(body: Buffer): { status: number; text: string } {
  try {
    return { status: 200, text: receive(JSON.parse(body.toString())) };
  } catch (error) {
    console.error(error);
    return { status: 500, text: 'try again' };
  }
}

createServer((request, answer) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
    else request.destroy();
  });
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const signature = String(request.headers['x-webhook-signature'] ?? '');
    const { status, text } = verify(body, signature, secrets) ? handle(body) : refusal;
    answer.writeHead(status).end(`${text}\n`);
  });
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`));
