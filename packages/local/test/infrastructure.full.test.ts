import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cutPower, processesOf, scratchFolders } from '@plataforma/testing/scratch';
import amqp from 'amqplib';
import pg from 'pg';
import { eventually, findInfrastructure } from '../src/index.ts';

const scratchDir = scratchFolders();
const QUEUE = 'kept';

const start = (dataDir: string, vhosts = 0) =>
  findInfrastructure({ dataDir, vhosts, docker: false, say: () => {} });

describe('the servers of a data folder', () => {
  test('preserve their data after a stop and a power cut', async () => {
    const dataDir = scratchDir();
    const [first, other] = await Promise.all([start(dataDir), start(scratchDir(), 2)]);
    const vhost = `${other.rabbitmq.url}/v1`;
    await writeDown(first.postgres.url, first.rabbitmq.url);
    await writeDown(other.postgres.url, vhost);
    expect(processesOf(dataDir)).toContain(first.postgres.pid);

    await expect(start(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    await eventually(() => expect(processesOf(dataDir)).toEqual([]));
    const beside = await readBack(other.postgres.url, vhost);
    await other.stop();
    const second = await start(dataDir);
    const afterStop = await readBack(second.postgres.url, second.rabbitmq.url);
    await cutPower(dataDir);
    const third = await start(dataDir);
    const afterPowerCut = await readBack(third.postgres.url, third.rabbitmq.url);

    expect(second.postgres.url).toBe(first.postgres.url);
    expect(second.rabbitmq.url).toBe(first.rabbitmq.url);
    const stored = ['a row', 'a message'];
    expect([beside, afterStop, afterPowerCut]).toEqual([stored, stored, stored]);
    await third.stop();
  });

  test('end soon after their parent process is killed', async () => {
    const dataDir = scratchDir();
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script(dataDir)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    expect(processesOf(dataDir)).not.toEqual([owner.pid]);

    owner.kill('SIGKILL');

    await eventually(() => expect(processesOf(dataDir)).toEqual([]));
  });
});

const script = (dataDir: string) => `
  const { findInfrastructure } = await import('${join(import.meta.dirname, '../src/infrastructure.ts')}');
  const options = { dataDir: '${dataDir}', docker: false, say: () => {} };
  await findInfrastructure(options);
  console.log('ready');
  setInterval(() => {}, 1000);
`;

async function writeDown(postgresUrl: string, amqpUrl: string) {
  await rows(postgresUrl, `CREATE TABLE kept AS SELECT 'a row' AS text`);
  const connection = await amqp.connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(QUEUE, { durable: true });
  channel.sendToQueue(QUEUE, Buffer.from('a message'), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}

async function readBack(postgresUrl: string, amqpUrl: string) {
  const [row] = await rows(postgresUrl, 'SELECT text FROM kept');
  const connection = await amqp.connect(amqpUrl);
  const channel = await connection.createChannel();
  // The message is not acknowledged, so it stays in the queue.
  const message = await channel.get(QUEUE);
  await connection.close();
  return [row, message ? message.content.toString() : null];
}

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const result = await client.query(sql);
  await client.end();
  return result.rows.map((row: { text: unknown }) => row.text);
}
