import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { answeringWith, doneThen500, error500, eventually, reset } from '@plataforma/testing';
import { CALLBACK_SECRET } from '../support/client.ts';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { CLIENT } from '../support/fake-bank.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let service: ServiceProcess;

beforeAll(async () => {
  world = await startWorld();
  await world.first.stop();
  service = await startServiceProcess({ ...world.env, LOG_LEVEL: 'debug' });
});
afterAll(async () => {
  await service.kill();
  await world.stop();
});

const random = newId();
const keys = [
  ['EMAIL', 'zuleica.canarinho@example.com'],
  ['PHONE', '+5511987651234'],
  ['CPF', '529.982.247-25'],
  ['CNPJ', '12.ABC.345/01DE-35'],
  ['EVP', random],
] as const;
const account = {
  ...bankBody,
  account: '7654321-0',
  holderName: 'Zuleica Canarinho',
  holderDocument: '52998224725',
};

/** Names, documents and other secret values, in all their forms. No log line may contain them. */
const canaries = [
  ...[
    'zuleica',
    'Canarinho',
    '98765',
    '529.982',
    '52998224725',
    '12ABC34501DE35',
    '12.ABC',
    random,
    '7654321',
  ],
  ...[CALLBACK_SECRET, CLIENT.secret, CLIENT.key, 'um-token', 'Bearer', 'eyJ'],
  Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64'),
];

async function causeTrouble(): Promise<string[]> {
  const { client } = service;
  const merchant = world.newMerchant();
  const order = (body: Record<string, unknown>) => client.create(merchant, { amount: 15_000, ...body });
  const said = (status: string) => answeringWith({ status, endToEndId: 'E\u0000zuleica', idEnvio: random });
  world.ledger.next(error500, reset);
  world.bank.next('token', error500);
  world.bank.next('order', error500, doneThen500, reset, () => ({
    status: 400,
    body: { nome: 'chave_invalida', mensagem: `A chave ${keys[0][1]} é inválida.` },
  }));
  world.bank.next('find', error500, said('REALIZADO'), answeringWith({ valor: 'Zuleica Canarinho' }));
  for (const [pixKeyType, pixKey] of [...keys, ...keys]) await order({ pixKeyType, pixKey });
  const owner = { nome: 'Zuleica Canarinho', cpf: '52998224725' };
  world.bank.next(
    'recipient',
    error500,
    answeringWith({ titular: owner }),
    answeringWith({ chave: owner.nome }),
  );
  for (const [pixKeyType, pixKey] of keys)
    await client.call(merchant, `/v1/withdrawals/recipient?${new URLSearchParams({ pixKeyType, pixKey })}`);
  await order({ pixKeyType: 'CPF', pixKey: 'zuleica.canarinho' });
  await order({ pixKeyType: 'EMAIL', pixKey: { name: 'Zuleica Canarinho' } });
  await order({ destinationId: account.holderDocument });
  const { id: destinationId } = await saved(client, merchant, account);
  const ted = await client.newWithdrawal(merchant, { destinationId });
  await client.approve(ted.id, newId());
  await client.approve(ted.id, newId());
  await client.asOperator(`/withdrawals/${ted.id}`);
  await client.list(merchant, `?pixKey=${keys[0][1]}`);
  await client.send(`/callbacks/payouts/${CALLBACK_SECRET}/x`, { method: 'GET', headers: {} });
  await client.notify(ted.id, newId());
  const rows = await world.database.query(`SELECT id FROM withdrawals WHERE method = 'PIX'`);
  return rows.map(({ id }) => String(id));
}

test('a service’s log contains no name, key, account or secret', async () => {
  const ids = await causeTrouble();
  const open = `SELECT id FROM withdrawals WHERE id = ANY ($1::uuid[])
    AND (status IN ('DEBITING', 'PENDING', 'APPROVED') OR status = 'PROCESSING' AND doubt_reason IS NULL)`;
  await eventually(
    async () => {
      const left = (await world.database.query(open, [ids])).map(({ id }) => String(id));
      await service.client.notify(...left);
      expect(left).toEqual([]);
    },
    { intervalMs: 100 },
  );

  await service.terminate();

  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(20);
  expect(canaries.filter((canary) => service.output().includes(canary))).toEqual([]);
});
