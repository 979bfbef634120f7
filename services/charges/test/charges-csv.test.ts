import { describe, expect, test } from '@jest/globals';
import { chargeColumns, csvHeads } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { describeFile, fileReaderOf } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const HEADS = csvHeads(chargeColumns);
const file = {
  path: '/v1/charges',
  url: () => world.first.url,
  merchantHeader,
};
const read = fileReaderOf(file);

/** Copies one charge many times. Each copy is older than the next copy. */
const COPIES = `
  INSERT INTO charges SELECT (jsonb_populate_record(c, jsonb_build_object('id', made.id, 'external_id',
  made.n,
    'txid', replace(made.id::text, '-', ''),
    'created_at', c.created_at - (cardinality($2::uuid[]) + 1 - made.n) * interval '1 ms'))).*
  FROM charges c, unnest($2::uuid[]) WITH ORDINALITY AS made (id, n) WHERE c.id = $1`;

describeFile({
  ...file,
  name: 'charges',
  heads: HEADS,
  async addRows(tenant, count) {
    const older = Array.from({ length: count - 1 }, () => newId());
    const { id } = await world.client.newCharge(tenant);
    await world.database.query(COPIES, [id, older]);
    return [...older, id];
  },
});

describe('charges as a file', () => {
  test('follow the list’s filters and have their amounts', async () => {
    const tenant = newTenant();
    const { id, feeAmount } = await world.client.newCharge(tenant, { amount: 1_050 });
    await world.client.newCharge(tenant, { amount: 990 });

    const { lines } = await read(tenant, '?minAmount=1000');

    expect(lines.slice(1)).toEqual([expect.stringContaining(`,PENDING,PIX,1050,10.50,${feeAmount},`)]);
    expect(lines[1]).toContain(id);
  });

  test('have times in the named zone of query or account', async () => {
    const tenant = newTenant();
    const account = { ...tenant, timeZone: 'America/Sao_Paulo' } as const;
    const { createdAt } = await world.client.newCharge(tenant);

    const { text, lines } = await read(tenant, '?timeZone=America/Sao_Paulo');

    const [head, line = ''] = lines;
    expect(head).toBe(HEADS.join(',').replaceAll(/(\w+At)\b/g, '$1 (America/Sao_Paulo)'));
    const shown = line.split(',')[HEADS.indexOf('createdAt')] ?? '';
    expect(shown).toMatch(/-03:00$/);
    expect(new Date(shown)).toEqual(new Date(createdAt));
    expect((await read(account)).text).toBe(text);
  });

  test('use Brazilian formats with locale=pt-BR', async () => {
    const tenant = newTenant();
    const { id } = await world.client.newCharge(tenant, { amount: 1_050, externalId: 'um; dois' });

    const { lines } = await read(tenant, '?locale=pt-BR&timeZone=America/Sao_Paulo');

    const [head = '', line] = lines;
    expect(head).toMatch(
      /^Criada em \(America\/Sao_Paulo\);Situação;Meio de pagamento;Valor \(R\$\);.+;Cobrança$/,
    );
    expect(line).toMatch(new RegExp(`^../../.... ..:..:..;Pendente;Pix;10,50;;;"um; dois";.+;${id}$`));
  });

  test('show for people what refunds have left', async () => {
    const tenant = newTenant();
    const { id, feeAmount } = await world.client.newCharge(tenant, { amount: 10_000 });
    await world.database.query(
      `UPDATE charges SET status = 'REFUNDED', paid_at = now(), settles_at = now(), refunded_cents = 2500,
         end_to_end_id = 'E' || id,
         refunded_at = now() WHERE id = $1`,
      [id],
    );

    const [forPeople, forPrograms] = [await read(tenant, '?locale=pt-BR'), await read(tenant)];

    const decimal = (cents: number) => (cents / 100).toFixed(2);
    const [fee, left] = [feeAmount, 10_000 - feeAmount - 2_500].map((cents) =>
      decimal(cents).replace('.', ','),
    );
    expect(forPeople.lines[1]).toContain(`;Devolvida em parte;Pix;100,00;${fee};${left};`);
    expect(forPrograms.lines[1]).toContain(
      `,REFUNDED,PIX,10000,100.00,${feeAmount},${decimal(feeAmount)},${10_000 - feeAmount},`,
    );
  });

  test('run no formula, and show no whole document', async () => {
    const tenant = newTenant();
    await world.client.newCharge(tenant, { externalId: '=HYPERLINK(1)', description: 'um, "dois"' });

    const { text } = await read(tenant);

    expect(text).toContain(`,"'=HYPERLINK(1)",`);
    expect(text).toContain(',"um, ""dois""",');
    expect(text).toMatch(/,"\*\*\*\.\d{3}\.\d{3}-\*\*",/);
  });
});
