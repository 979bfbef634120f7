import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@plataforma/events';
import { firstIdOf, newId } from '@plataforma/kernel';
import { startMetrics } from '@plataforma/service';
import { inboxByMonth, keepPartitions } from '@plataforma/tables';
import { eventually, monthOf, openMetricsScraper, type Scraped, startOfMonth } from '@plataforma/testing';
import { countBecomes, countOf, eventOf, log } from './fixture.ts';
import { asOwner, beginBefore, lastIdBefore, monthsOf } from './months.ts';
import { type Replaying, startReplaying } from './replaying.ts';

const LAST = startOfMonth(-1);
const THIS = startOfMonth(0);

let world: Replaying;
let refusals = 0;

beforeAll(async () => {
  const warn = ({ err }: { err?: unknown }) => {
    if (/no partition of relation "inbox"/.test(String(err))) refusals += 1;
  };
  world = await startReplaying({ log: Object.assign(Object.create(log), { warn }) });
  world.fallIll(null);
  await beginBefore(world.database, inboxByMonth, 1);
});
afterAll(() => world.stop());

const effectsOf = ({ id }: { id: string }) => countOf(world.database, `effects WHERE event_id = '${id}'`);
const applied = (event: { id: string }) => eventually(async () => expect(await effectsOf(event)).toBe(1));
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const eventAt = (at: Date): DomainEvent => ({
  ...eventOf(),
  id: firstIdOf(at).slice(0, 14) + newId().slice(14),
});
const countedOf = (shown: Scraped) =>
  ['old', 'ahead'].map((cause) => shown.valueOf('plataforma_events_unclaimable_total', { cause }));
const placeOf = async ({ id }: { id: string }) => {
  const sql = 'SELECT tableoid::regclass::text AS partition FROM inbox WHERE event_id = $1';
  return (await world.database.query<{ partition: string }>(sql, [id])).map(({ partition }) => partition);
};

describe('an event', () => {
  test('belongs to its id’s month and is applied once', async () => {
    const events = [lastIdBefore(THIS), firstIdOf(THIS).replace('0000-0000', '7000-8000')].map((id) => ({
      ...eventOf(),
      id,
    }));
    await world.publish(events);
    for (const event of events) await applied(event);

    const next = eventOf();
    await world.publish([...events, ...events, next]);
    await applied(next);

    expect(await Promise.all(events.map(effectsOf))).toEqual([1, 1]);
    expect(await Promise.all(events.map(placeOf))).toEqual([
      [monthOf('inbox', LAST)],
      [monthOf('inbox', THIS)],
    ]);
  });

  test('of a dropped or future month becomes a dead letter alone', async () => {
    const scraper = await openMetricsScraper();
    const config = { HOST: '127.0.0.1', METRICS_PORT: scraper.port };
    const pools = { database: world.database, reads: world.database };
    const metrics = await startMetrics({ service: 'ledger', config, log, pools, gauges: [] });
    const before = await scraper.scrape();
    const outside = [
      { ...eventOf(), id: lastIdBefore(LAST) },
      eventAt(inMinutes(61)),
      eventAt(startOfMonth(50)),
    ];
    const inside = [eventOf(), eventAt(inMinutes(59)), eventOf()];

    await world.publish(outside.flatMap((event, at) => [event, inside[at] ?? event]));
    for (const event of inside) await applied(event);
    const letters = await Promise.all(outside.map(({ id }) => world.letterOf(id)));
    const answers = await Promise.all(letters.map((id) => world.replay(id)));
    const shown = await scraper.scrape();
    await metrics.stop();

    expect(answers.map(({ status, error }) => [status, error.message])).toEqual(
      outside.map(() => [409, expect.stringMatching(/older than .* or more than an hour ahead/)]),
    );
    expect(await Promise.all(outside.map(effectsOf))).toEqual([0, 0, 0]);
    expect(await countOf(world.database, 'dead_letters')).toBe(outside.length);
    // The counters exist with the value 0 before the first event, because a rate cannot be computed without a
    // first value.
    expect([countedOf(before), countedOf(shown)]).toEqual([
      [0, 0],
      [1, 2],
    ]);
  });

  test('of a dropped month stays dropped despite a slow replica clock', async () => {
    const event = { ...eventOf(), id: lastIdBefore(LAST) };
    await keepPartitions(world.database, { ...inboxByMonth, keepDays: 30 }, startOfMonth(-2));

    await world.publish([event]);
    await world.letterOf(event.id);

    expect(await effectsOf(event)).toBe(0);
    expect(await monthsOf(world.database, inboxByMonth)).not.toContain(monthOf('inbox', startOfMonth(-2)));
  });

  test('waits for this month’s missing partition', async () => {
    const letters = await countOf(world.database, 'dead_letters');
    await asOwner(world.database, `DROP TABLE ${monthOf('inbox', THIS)}`);
    const event = eventOf();
    await world.publish(event);
    await eventually(async () => expect(refusals).toBeGreaterThan(3));

    await keepPartitions(world.database, { ...inboxByMonth, keepDays: 30 }, new Date());

    await applied(event);
    expect(await countOf(world.database, 'dead_letters')).toBe(letters);
  });

  test('of a month being detached becomes a dead letter, blocking nothing', async () => {
    const [late, next] = [{ ...eventOf(), id: lastIdBefore(THIS).replace(/.$/, 'e') }, eventOf()];
    let detached: Promise<void> | undefined;

    await world.database.transaction(async (reader) => {
      await reader.query('SELECT FROM inbox');
      detached = asOwner(
        world.database,
        `ALTER TABLE inbox DETACH PARTITION ${monthOf('inbox', LAST)} CONCURRENTLY`,
      );
      const waits = 'pg_inherits WHERE inhdetachpending';
      await countBecomes(world.database, waits, 1);
      await world.publish([late, next]);
      await applied(next);
      await world.letterOf(late.id);
    });
    await detached;

    expect(await effectsOf(late)).toBe(0);
  });

  test('before the inbox’s first partition becomes a dead letter, blocking nothing', async () => {
    for (const name of await monthsOf(world.database, inboxByMonth))
      await asOwner(world.database, `DROP TABLE ${name}`);
    const [from, to] = [new Date(), startOfMonth(1)].map(firstIdOf);
    await asOwner(
      world.database,
      `CREATE TABLE inbox_rest PARTITION OF inbox FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    const [late, next] = [eventAt(THIS), eventOf()];

    await world.publish([late, next]);
    await applied(next);
    await world.letterOf(late.id);

    expect(await effectsOf(late)).toBe(0);
  });
});
