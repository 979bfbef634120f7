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
      ['answers with another id', answers(201, { idEnvio: 'a'.repeat(32), status: 'REALIZADO' })],
      ['answers with a number as its id', answers(201, { idEnvio: 17 })],
      ['answers 400 with an unknown name', problem(400, 'requisicao_invalida')],
      ['answers 400 with the name of an inherited property', problem(400, 'constructor')],
      ['answers 400 without a name', problem(400)],
      ['answers 400 without a body', () => ({ status: 400, text: '' })],
      ['answers 422 with an unknown name', problem(422, 'saldo_insuficiente')],
      ['reports a duplicate and does not find it', problem(409, 'id_envio_duplicado')],
      ['answers 409 without a name', problem(409)],
      ['accepts it and answers 400 with an unknown name', doneThen({ status: 400, body: { nome: 'erro' } })],
      ['accepts it and answers 401', doneThen({ status: 401, body: {} })],
      ['accepts it without an end-to-end id', answeringWith({ e2eId: undefined })],
      ['accepts it with a number as its end-to-end id', answeringWith({ e2eId: 17 })],
      ['accepts it with an invalid end-to-end id', answeringWith({ e2eId: 'E\u0000' })],
      ['accepts it with unknown fields', answeringWith({ novo: [{}], status: 'NOVO', valor: 17 })],
    ],
    find: [
      ['answers a truncated object', () => ({ status: 200, text: '{"idEnvio":' })],
      ['answers 404 without a name', nothingHere],
      ['answers 410', answers(410, { nome: 'envio_removido' })],
      ['answers with another payout', answeringWith({ idEnvio: 'a'.repeat(32) })],
      ['answers with a payout without an id', answeringWith({ idEnvio: undefined })],
      ['reports it as paid with another amount', answeringWith({ valor: '0.01' })],
      ['reports it as paid without an amount', answeringWith({ valor: null })],
      ['reports it as paid with an amount in cents', answeringWith({ valor: 15_000 })],
      ['reports it as paid with a comma in the amount', answeringWith({ valor: '150,00' })],
      ['reports it as paid with a list as its amount', answeringWith({ valor: ['150.00', ''] })],
      ['reports it as paid without its end-to-end id', answeringWith({ endToEndId: undefined })],
      ['reports it as paid with an empty end-to-end id', answeringWith({ endToEndId: '' })],
      ['reports it as paid with an invalid end-to-end id', answeringWith({ endToEndId: 'E\u0000' })],
      ['reports it as paid with an overlong end-to-end id', answeringWith({ endToEndId: 'E'.repeat(65) })],
      ['reports an unknown status', answeringWith({ status: 'EM_ANALISE' })],
      ['reports it as returned', answeringWith({ status: 'DEVOLVIDO' })],
      ['reports the name of an inherited property as its status', answeringWith({ status: 'constructor' })],
      ['reports a number as its status', answeringWith({ status: 1 })],
      ['reports no status', answeringWith({ status: undefined })],
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
