import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from '../support/checkout-world.ts';
import { processOfFile } from '../support/service-process.ts';

const world = worldOfFile(startCheckoutWorld);
const service = processOfFile(world, 'warn');

test('the log names a failed visit’s link, never the visit', async () => {
  const { link } = await world.visited();
  const [form, end] = [await world.buyer(link.slug), await world.buyer(link.slug)];
  await form.openForm();
  await world.first.stop();
  await world.database.query(
    `CREATE FUNCTION refuse_work() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not today'; END $$`,
  );
  await world.database.query(
    `CREATE TRIGGER refuse_release BEFORE UPDATE ON checkouts FOR EACH ROW
       WHEN (OLD.use = 'HELD' AND NEW.use = 'NONE') EXECUTE FUNCTION refuse_work()`,
  );
  await world.database.query(
    `CREATE TRIGGER refuse_ends BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.type = 'checkout.expired')
       EXECUTE FUNCTION refuse_work()`,
  );

  await world.closeForm(form.id);
  await world.database.query(
    `UPDATE checkouts SET created_at = created_at - interval '1 day', ends_at = ends_at - interval '1 day'
     WHERE id = $1`,
    [end.id],
  );

  const linesOf = (work: string) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes(`"work":"${work} (`));
  await eventually(() => {
    for (const work of ['card forms', 'ends of checkouts']) expect(linesOf(work)[0]).toContain(link.id);
  });
  expect([form.id, end.id].filter((id) => service.output().includes(id))).toEqual([]);
});
