import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Database, Queryable } from '@plataforma/data';
import { createMerchantDirectory } from '@plataforma/service';
import { worldOfFile } from '@plataforma/testing/world';
import { openCheckout } from '../../src/checkouts/operations/open-checkout.ts';
import { type CheckoutWorld, startCheckoutWorld } from '../support/checkout-world.ts';
import { ledger } from '../support/identity.ts';

const world = worldOfFile(() => startCheckoutWorld({ tuning: { scheduleEveryMs: 20, leaseMs: 300 } }));

const BUYER = '52998224725';

function recording(database: Database, statements: string[]): Database {
  const recorded = <Own extends Queryable>(own: Own): Own => ({
    ...own,
    query(sql: string, values?: unknown[]) {
      statements.push(sql);
      return own.query(sql, values);
    },
  });
  return { ...recorded(database), transaction: (work) => database.transaction((tx) => work(recorded(tx))) };
}

describe('a visitor with an order’s link', () => {
  const comparable = ({ status, data, error }: Awaited<ReturnType<CheckoutWorld['visit']>>) => {
    const text = JSON.stringify({ data: { ...Object(data), serverTime: '' }, error });
    return { status, text: text.replaceAll(/[0-9a-f-]{36}/g, 'id').replaceAll(/"requestId":"[^"]*"/g, '') };
  };

  test('gets the same answer for the buyer’s document and others', async () => {
    const link = await world.newLink(world.shop(), { uses: 1, externalId: `pedido-${randomUUID()}` });
    const buyer = await world.buyer(link.slug, { payerDocument: BUYER });
    await buyer.byPix();
    const guess = async () => {
      const [right, wrong] = [BUYER, '11144477735'].map((payerDocument) =>
        world.visit(link.slug, { payerDocument }),
      );
      const mask = (answer: ReturnType<typeof comparable>) => ({
        ...answer,
        text: answer.text.replace(/\*{3}\.\d{3}\.\d{3}-\*{2}/, 'masked'),
      });
      return [await right, await wrong].map((answer) => answer && mask(comparable(answer)));
    };

    const [right, wrong] = await guess();
    await buyer.payCode();
    const [paidRight, paidWrong] = await guess();

    expect(right).toEqual(wrong);
    expect([right?.status, right?.text]).toEqual([201, expect.stringContaining('"charge":null')]);
    expect(paidRight).toEqual(paidWrong);
    expect(paidRight).toMatchObject({ status: 409, text: expect.stringContaining('NO_USES_LEFT') });
  });

  test('reaches the buyer’s code only with the merchant’s token', async () => {
    const shop = world.shop();
    const link = await world.newLink(shop, { uses: 1, externalId: `pedido-${randomUUID()}` });
    const token = new URL(link.buyerUrl ?? '').searchParams.get('t') ?? '';
    const buyer = await world.buyer(link.slug, { payerDocument: BUYER, buyerToken: token });
    const others = [{}, { buyerToken: randomUUID() }];
    for (const other of others) await world.buyer(link.slug, { payerDocument: BUYER, ...other });
    await buyer.byPix();

    const pages = [token, randomUUID()].map((each) =>
      world.page(link.slug, `?again=true&buyerToken=${each}`),
    );
    const [own, wrong, none] = await Promise.all([...pages, world.page(link.slug, '?again=true')]);

    expect(link.buyerUrl).toBe(`${link.url}?t=${token}`);
    expect(own?.data).toMatchObject({ checkoutId: buyer.id });
    expect(await buyer.now()).toMatchObject({ charge: { status: 'PENDING', qrCode: expect.any(String) } });
    expect(wrong?.data).toEqual({ ...Object(none?.data), serverTime: expect.any(String) });
    expect(none?.data).toMatchObject({ checkoutId: null });
  });

  test('has no token for a shared link or an old release', async () => {
    const shop = world.shop();
    const [shared, old] = [await world.newLink(shop), await world.newLink(shop, { uses: 1 })];
    await world.database.query('UPDATE payment_links SET buyer_token = NULL WHERE id = $1', [old.id]);

    expect([shared.buyerUrl, (await world.link(shop, old.id)).buyerUrl]).toEqual([null, null]);
    expect((await world.page(old.slug, `?buyerToken=${randomUUID()}`)).data).toMatchObject({
      checkoutId: null,
    });
  });

  test('causes the same SQL statements for any document', async () => {
    const link = await world.newLink(world.shop(), { uses: 1, externalId: `pedido-${randomUUID()}` });
    const buyer = await world.buyer(link.slug, { payerDocument: BUYER });
    await buyer.byPix();
    const statementsFor = async (payerDocument: string) => {
      const statements: string[] = [];
      const database = recording(world.database, statements);
      const merchants = createMerchantDirectory({
        database,
        gatewayUrl: 'http://127.0.0.1:9',
        signer: ledger,
      });
      const visitor = { payerName: 'Ana Lima', payerDocument, callerGroup: null };
      await openCheckout({ database, merchants, clock: () => new Date() }, link.slug, visitor);
      return statements;
    };

    const right = await statementsFor(BUYER);

    expect(right).toHaveLength(5);
    expect(await statementsFor('11144477735')).toEqual(right);
  });

  test('gets a code at whose bank no payer is named', async () => {
    const fields = { uses: 1, payerName: 'Ana Lima', payerDocument: BUYER };
    const link = await world.newLink(world.shop(), fields);
    const stranger = await world.buyer(link.slug, { payerName: undefined, payerDocument: undefined });

    await stranger.byPix();

    const { charge } = await stranger.now();
    const registered = world.provider.book.find(String(charge?.id).replaceAll('-', ''));
    expect(registered?.fields).toMatchObject({ valor: { original: expect.any(String) } });
    expect(JSON.stringify(registered?.fields)).not.toMatch(/Ana Lima|52998224725/);
  });

  test('sees no digit of the link’s document', async () => {
    const fields = { uses: 1, payerName: 'Ana Lima', payerDocument: BUYER };
    const link = await world.newLink(world.shop(), fields);

    const { data } = await world.visit(link.slug, { payerName: undefined, payerDocument: undefined });

    expect(data).toMatchObject({ payerDocument: '***.***.***-**' });
  });
});
