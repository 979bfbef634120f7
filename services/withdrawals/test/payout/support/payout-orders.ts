import { expect } from '@jest/globals';
import { alarmPart } from '@plataforma/contracts';
import { answeringWith, type Behaviour, doneThen, nothingHere, TICK_MS } from '@plataforma/testing';
import type { OrderAdapter, OrderUnderTest, Recorded } from '@plataforma/testing/orders';
import type { FakeBank } from '../../support/fake-bank.ts';
import { serviceHeader } from '../../support/identity.ts';
import { startWorld, type World } from '../../support/world.ts';
import { disagreements, type Followed, followed } from './payouts.ts';

type Replica = World['first'];

const ends: Record<string, Recorded> = { COMPLETED: 'DONE', FAILED: 'FAILED' };
const idle = { unconfirmedMs: 600_000 };
const tunings = {
  idle,
  faulty: { ...idle, providerTimeoutMs: 2_000 },
  hasty: { scheduleEveryMs: 3_600_000, providerTimeoutMs: 150_000, unconfirmedMs: 1_200 },
};
const paces = {
  late: { scheduleEveryMs: TICK_MS, leaseMs: 1_500 },
  prompt: { scheduleEveryMs: TICK_MS },
};

const answers =
  (status: number, body: unknown): Behaviour =>
  () => ({ status, body });
const problem = (status: number, nome?: string) => answers(status, { nome, mensagem: 'não' });

export const payoutOrders: OrderAdapter<Replica> = {
  async start(pace) {
    const world = await startWorld({ tuning: tunings[pace] });
    return {
      database: world.database,
      script: world.bank,
      startReplica: (of) => world.startReplica(paces[of]),
      async begin({ isSlow = false, at = world.first } = {}) {
        world.bank.paysAtOnce(!isSlow);
        const tenant = world.newMerchant();
        const created = await at.client.newWithdrawal(tenant);
        return orderOf(world, followed(world, tenant, created));
      },
      async stop() {
        expect(await disagreements(world)).toEqual([]);
        await world.stop();
      },
    };
  },
  row: { table: 'withdrawals', key: 'id', isWatched: 'next_check_at IS NOT NULL' },
  refusing: problem(400, 'chave_invalida'),
  knowsNone: problem(404, 'envio_nao_encontrado'),
  anotherAmount: {
    operation: 'find',
    behaviour: answeringWith({ status: 'REALIZADO', valor: '149.99', endToEndId: 'E-outra' }),
    amount: 14_999,
    recorded: 'OPEN',
  },
  announces: {
    DONE: ['withdrawal.completed'],
    FAILED: ['withdrawal.failed'],
    REFUSED: ['withdrawal.failed'],
  },
  faults: {
    order: [
      ['answers 500 with the name of a refusal', problem(500, 'chave_invalida')],
      ['names another id', answers(201, { idEnvio: 'a'.repeat(32), status: 'REALIZADO' })],
      ['names a number for an id', answers(201, { idEnvio: 17 })],
      ['answers 400 with an unknown name', problem(400, 'requisicao_invalida')],
      ['answers 400 with the name of an inherited property', problem(400, 'constructor')],
      ['answers 400 without a name', problem(400)],
      ['answers 400 without a word', () => ({ status: 400, text: '' })],
      ['answers 422 with an unknown name', problem(422, 'saldo_insuficiente')],
      ['says it has it already, and does not know it', problem(409, 'id_envio_duplicado')],
      ['answers 409 without a name', problem(409)],
      ['takes it and answers 400 with an unknown name', doneThen({ status: 400, body: { nome: 'erro' } })],
      ['takes it and answers 401', doneThen({ status: 401, body: {} })],
      ['takes it and gives no number', answeringWith({ e2eId: undefined })],
      ['takes it and gives a number that is none', answeringWith({ e2eId: 17 })],
      ['takes it and gives a number no database takes', answeringWith({ e2eId: 'E\u0000' })],
      [
        'takes it and gives fields that are unknown',
        answeringWith({ novo: [{}], status: 'NOVO', valor: 17 }),
      ],
    ],
    find: [
      ['answers half an object', () => ({ status: 200, text: '{"idEnvio":' })],
      ['answers 404 without a name', nothingHere],
      ['answers 410', answers(410, { nome: 'envio_removido' })],
      ['shows another payout', answeringWith({ idEnvio: 'a'.repeat(32) })],
      ['shows a payout without an id', answeringWith({ idEnvio: undefined })],
      ['says it is paid, with another amount', answeringWith({ valor: '0.01' })],
      ['says it is paid, with no amount', answeringWith({ valor: null })],
      ['says it is paid, with an amount in cents', answeringWith({ valor: 15_000 })],
      ['says it is paid, with a comma', answeringWith({ valor: '150,00' })],
      ['says it is paid, with an amount that is a list', answeringWith({ valor: ['150.00', ''] })],
      ['says it is paid, without its number', answeringWith({ endToEndId: undefined })],
      ['says it is paid, with an empty number', answeringWith({ endToEndId: '' })],
      ['says it is paid, with a number no database takes', answeringWith({ endToEndId: 'E\u0000' })],
      ['says it is paid, with a number without end', answeringWith({ endToEndId: 'E'.repeat(65) })],
      ['shows an unknown status', answeringWith({ status: 'EM_ANALISE' })],
      ['says that it came back', answeringWith({ status: 'DEVOLVIDO' })],
      ['shows the name of an inherited property', answeringWith({ status: 'constructor' })],
      ['shows a number for a status', answeringWith({ status: 1 })],
      ['shows no status', answeringWith({ status: undefined })],
    ],
  },
};

function orderOf({ bank, client }: World, { id, tenant, now, announcedEnds }: Followed): OrderUnderTest {
  return {
    key: id,
    about: { subject: 'payout', subjectId: id, ...tenant },
    amount: 15_000,
    recorded: async () => ends[(await now()).status] ?? 'OPEN',
    shown: now,
    announced: announcedEnds,
    async alarms() {
      const headers = serviceHeader();
      const { data } = await client.send('/internal/alarms?newest=100', { method: 'GET', headers });
      const { alarms } = alarmPart.parse(data);
      return alarms.filter(({ subjectId }) => subjectId === id);
    },
    requests: (operation) => bank.requestsFor(id, operation).map(({ body }) => body),
    paid: () => paymentsOf(bank, id),
    end: (how) => bank.end(id, how === 'DONE' ? 'REALIZADO' : 'NAO_REALIZADO'),
    notify: () => client.notify(id),
    answer: Promise.resolve(null),
  };
}

function paymentsOf({ payouts }: FakeBank, withdrawalId: string): number {
  const id = withdrawalId.replaceAll('-', '');
  return payouts.filter((payout) => payout.id === id && payout.status === 'REALIZADO').length;
}
