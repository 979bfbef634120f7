import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { csvHeads, withdrawalColumns } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { sharedWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

async function fileOf(tenant: Tenant, query = '', method = 'GET') {
  const headers = { accept: 'text/csv', ...merchantHeader(tenant) };
  const answer = await fetch(`${world.first.url}/v1/withdrawals${query}`, { method, headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const linesOf = (text: string) => text.split('\r\n').slice(0, -1);
const idsIn = (text: string) => linesOf(text).map((line) => line.split(',')[0]);
const HEADS = csvHeads(withdrawalColumns);
const HEAD = HEADS.join(',');

describe('withdrawals as a file', () => {
  test('are all that the filters leave, with a header, under a name that says the period', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 250 }, 'production');
    const pix = await world.client.newWithdrawal(merchant, {
      ...{ amount: 15_050, externalId: '=HYPERLINK(1)' },
      ...{ pixKey: '+5511987654321', pixKeyType: 'PHONE' },
    });
    const destination = await saved(world, merchant, { ...bankBody, holderDocument: '52998224725' });
    const ted = await world.client.newWithdrawal(merchant, { destinationId: destination.id });
    await world.call(merchant, `/v1/destinations/${destination.id}`, { method: 'DELETE' });

    const all = await fileOf(merchant);
    const some = await fileOf(merchant, '?method=PIX&startDate=2026-01-01&endDate=2100-01-31');

    expect([all.status, all.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(all.headers.get('content-disposition')).toBe('attachment; filename=withdrawals.csv');
    expect(some.headers.get('content-disposition')).toContain(
      'withdrawals-from-2026-01-01-to-2100-01-31.csv',
    );
    expect(linesOf(all.text)[0]).toBe(HEAD);
    expect(idsIn(all.text)).toEqual(['id', ted.id, pix.id]);
    expect(idsIn(some.text)).toEqual(['id', pix.id]);
    expect(linesOf(all.text)[2]).toContain(
      `,PENDING,PIX,15050,150.50,250,2.50,14800,148.00,"'=HYPERLINK(1)",PHONE,"+5511987654321",,,`,
    );
    expect(linesOf(all.text)[1]).toContain(`,TED,`);
    expect(linesOf(all.text)[1]).toContain(
      `,"${bankBody.bankCode}","${bankBody.branch}","${bankBody.account}",${bankBody.accountType},`,
    );
  });

  test('are Brazilian with locale=pt-BR, in the zone of the request', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 250 }, 'production');
    const { id } = await world.client.newWithdrawal(merchant, { amount: 15_050 });
    const cancelled = await world.client.newWithdrawal(merchant, { amount: 300 });
    await world.call(merchant, `/v1/withdrawals/${cancelled.id}`, { method: 'DELETE' });

    const query = '?locale=pt-BR&timeZone=America/Sao_Paulo';
    const [head = '', free, line] = linesOf((await fileOf(merchant, query)).text);

    expect(head).toMatch(/^Criado em \(America\/Sao_Paulo\);Situação;Meio;Valor \(R\$\);.+;Destino;Saque$/);
    expect(line).toMatch(new RegExp(`^../../.... ..:..:..;Pendente;Pix;150,50;2,50;148,00;.+;${id}$`));
    expect(free).toMatch(
      new RegExp(
        `^../../.... ..:..:..;Recusado;Pix;3,00;;;.+;"cancelado pela loja"(?:;[^;]*)+;${cancelled.id}$`,
      ),
    );
  });

  test('are whole beyond a batch, each once, without what nobody sees', async () => {
    const merchant = world.newMerchant({}, 'production');
    await world.client.newWithdrawal(merchant);
    await world.database.query(
      `INSERT INTO withdrawals SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid(),
          'status', CASE n % 10 WHEN 0 THEN 'DEBITING' ELSE 'PENDING' END))).*
        FROM withdrawals w, generate_series(1, 2500) AS n WHERE w.merchant_id = $1`,
      [merchant.merchantId],
    );

    const [head, ...lines] = linesOf((await fileOf(merchant)).text);

    expect(head).toBe(HEAD);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(2_251);
    expect(lines).toHaveLength(2_251);
  });

  test('are one merchant’s, and only a header where there are none', async () => {
    const { status, text } = await fileOf(newTenant());

    expect([status, linesOf(text)]).toEqual([200, [HEAD]]);
    expect((await fileOf(newTenant(), '', 'HEAD')).text).toBe('');
  });

  test.each(['page=1', 'limit=20', 'after=x', 'status=NEW'])('refuse %s', async (query) => {
    const { status, text } = await fileOf(newTenant(), `?${query}`);

    expect([status, JSON.parse(text).error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
