import { describe, expect, test } from '@jest/globals';
import { csvHeads, withdrawalColumns } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { describeFile, fileReaderOf } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { merchantHeader } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const file = {
  path: '/v1/withdrawals',
  url: () => world.first.url,
  merchantHeader,
};
const read = fileReaderOf(file);

/** Inserts older copies of a withdrawal. Their creation times are one millisecond apart. */
const COPIES = `
  INSERT INTO withdrawals SELECT (jsonb_populate_record(w, jsonb_build_object('id', made.id,
    'created_at', w.created_at - (cardinality($2::uuid[]) + 1 - made.n) * interval '1 ms'))).*
  FROM withdrawals w, unnest($2::uuid[]) WITH ORDINALITY AS made (id, n) WHERE w.id = $1`;

describeFile({
  ...file,
  name: 'withdrawals',
  heads: csvHeads(withdrawalColumns),
  async addRows(tenant, count) {
    const older = Array.from({ length: count - 1 }, () => newId());
    const { id } = await world.client.newWithdrawal(tenant);
    await world.database.query(COPIES, [id, older]);
    return [...older, id];
  },
});

describe('withdrawals as a file', () => {
  test('list amounts and destinations of the filtered withdrawals', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 250 }, 'production');
    const pix = await world.client.newWithdrawal(merchant, {
      ...{ amount: 15_050, externalId: '=HYPERLINK(1)' },
      ...{ pixKey: '+5511987654321', pixKeyType: 'PHONE' },
    });
    const destination = await saved(world, merchant, bankBody);
    const ted = await world.client.newWithdrawal(merchant, { destinationId: destination.id });
    await world.call(merchant, `/v1/destinations/${destination.id}`, { method: 'DELETE' });

    const { lines } = await read(merchant);
    const some = await read(merchant, '?method=PIX');

    expect(some.lines[1]).toContain(pix.id);
    expect([lines.length, some.lines.length]).toEqual([3, 2]);
    expect(lines[1]).toContain(ted.id);
    expect(lines[2]).toContain(
      `,PENDING,PIX,15050,150.50,250,2.50,14800,148.00,"'=HYPERLINK(1)",PHONE,"+5511987654321",,,`,
    );
    expect(lines[1]).toContain(`,TED,`);
    expect(lines[1]).toContain(
      `,"${bankBody.bankCode}","${bankBody.branch}","${bankBody.account}",${bankBody.accountType},`,
    );
  });

  test('with locale=pt-BR have Brazilian format in the requested zone', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 250 }, 'production');
    const { id } = await world.client.newWithdrawal(merchant, { amount: 15_050 });
    const cancelled = await world.client.newWithdrawal(merchant, { amount: 300 });
    await world.call(merchant, `/v1/withdrawals/${cancelled.id}`, { method: 'DELETE' });

    const query = '?locale=pt-BR&timeZone=America/Sao_Paulo';
    const [head = '', free, line] = (await read(merchant, query)).lines;

    expect(head).toMatch(/^Criado em \(America\/Sao_Paulo\);Situação;Meio;Valor \(R\$\);.+;Destino;Saque$/);
    expect(line).toMatch(new RegExp(`^../../.... ..:..:..;Pendente;Pix;150,50;2,50;148,00;.+;${id}$`));
    expect(free).toMatch(
      new RegExp(
        `^../../.... ..:..:..;Recusado;Pix;3,00;;;.+;"cancelado pela loja"(?:;[^;]*)+;${cancelled.id}$`,
      ),
    );
  });

  test('omit a withdrawal whose money is not taken yet', async () => {
    const merchant = world.newMerchant({}, 'production');
    const { id } = await world.client.newWithdrawal(merchant);
    await world.database.query(`UPDATE withdrawals SET status = 'DEBITING' WHERE id = $1`, [id]);

    const { lines } = await read(merchant);
    await world.database.query(`UPDATE withdrawals SET status = 'PENDING' WHERE id = $1`, [id]);

    expect(lines).toHaveLength(1);
  });
});
