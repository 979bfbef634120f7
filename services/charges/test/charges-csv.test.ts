import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chargeColumns, csvHeads } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function fileOf(tenant: Tenant, query = '', method = 'GET') {
  const headers = { accept: 'text/csv', ...merchantHeader(tenant) };
  const answer = await fetch(`${world.first.url}/v1/charges${query}`, { method, headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const linesOf = (text: string) => text.split('\r\n').slice(0, -1);
const HEADS = csvHeads(chargeColumns);
const HEAD = HEADS.join(',');

describe('charges as a file', () => {
  test('are all that the filters leave, with a header, under a name that says the period', async () => {
    const tenant = newTenant();
    const first = await world.client.newCharge(tenant, { amount: 1_050, externalId: 'um' });
    const second = await world.client.newCharge(tenant, { amount: 990, externalId: 'dois' });

    const all = await fileOf(tenant);
    const some = await fileOf(tenant, '?minAmount=1000&startDate=2026-01-01&endDate=2100-01-31');

    expect([all.status, all.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(all.headers.get('content-disposition')).toBe('attachment; filename=charges.csv');
    expect(some.headers.get('content-disposition')).toContain('charges-from-2026-01-01-to-2100-01-31.csv');
    const [head, ...lines] = linesOf(all.text);
    expect(head).toBe(HEAD);
    expect(lines.map((line) => line.split(',')[0])).toEqual([second.id, first.id]);
    expect(lines[1]).toContain(`,PENDING,PIX,1050,10.50,${first.feeAmount},`);
    expect(linesOf(some.text).map((line) => line.split(',')[0])).toEqual(['id', first.id]);
  });

  test('have the times of the zone of the query or the account, and say which it is', async () => {
    const tenant = newTenant();
    const account = { ...tenant, timeZone: 'America/Sao_Paulo' };
    const { createdAt } = await world.client.newCharge(tenant);

    const { text } = await fileOf(tenant, '?timeZone=America/Sao_Paulo');

    const [head, line = ''] = linesOf(text);
    expect(head).toBe(HEAD.replaceAll(/(\w+At)\b/g, '$1 (America/Sao_Paulo)'));
    const shown = line.split(',')[HEADS.indexOf('createdAt')] ?? '';
    expect(shown).toMatch(/-03:00$/);
    expect(new Date(shown)).toEqual(new Date(createdAt));
    expect((await fileOf(account)).text).toBe(text);
  });

  test('are Brazilian with locale=pt-BR', async () => {
    const tenant = newTenant();
    const { id } = await world.client.newCharge(tenant, { amount: 1_050, externalId: 'um; dois' });

    const [head = '', line] = linesOf(
      (await fileOf(tenant, '?locale=pt-BR&timeZone=America/Sao_Paulo')).text,
    );

    expect(head).toMatch(
      /^Criada em \(America\/Sao_Paulo\);Situação;Meio de pagamento;Valor \(R\$\);.+;Cobrança$/,
    );
    expect(line).toMatch(new RegExp(`^../../.... ..:..:..;Pendente;Pix;10,50;;;"um; dois";.+;${id}$`));
  });

  test('run no formula, and show no whole document', async () => {
    const tenant = newTenant();
    await world.client.newCharge(tenant, { externalId: '=HYPERLINK(1)', description: 'um, "dois"' });

    const { text } = await fileOf(tenant);

    expect(text).toContain(`,"'=HYPERLINK(1)",`);
    expect(text).toContain(',"um, ""dois""",');
    expect(text).toMatch(/,"\*\*\*\.\d{3}\.\d{3}-\*\*",/);
  });

  test('are whole beyond a batch, each once', async () => {
    const tenant = newTenant();
    await world.client.newCharge(tenant);
    await world.database.query(
      `INSERT INTO charges SELECT (jsonb_populate_record(c, jsonb_build_object('id', made.id, 'external_id', n,
          'txid', replace(made.id::text, '-', '')))).*
        FROM charges c, generate_series(1, 2500) AS n, LATERAL (SELECT gen_random_uuid() AS id, n AS number) AS made
        WHERE c.merchant_id = $1`,
      [tenant.merchantId],
    );

    const [head, ...lines] = linesOf((await fileOf(tenant)).text);

    expect(head).toBe(HEAD);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(2_501);
    expect(lines).toHaveLength(2_501);
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
