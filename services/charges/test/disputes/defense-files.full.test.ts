import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import {
  doneThenReset,
  doneThenSilence,
  error500,
  eventually,
  PDF,
  PNG,
  silence,
  TICK_MS,
} from '@plataforma/testing';
import { disputeOf } from '../support/dispute.ts';
import { filesOf } from '../support/files.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld({ tuning: { leaseMs: 10_000 } });
});
afterAll(() => world.stop());

const FORWARD = 'SELECT forward_at FROM disputes WHERE id = $1';

type Open = (at: RefundWorld, chargeId: string, idInfracao: string) => Promise<string>;

const byProvider: Open = ({ database }, chargeId) =>
  eventually(async () => {
    const [row] = await database.query('SELECT id FROM disputes WHERE charge_id = $1', [chargeId]);
    expect(row).toBeDefined();
    return String(row?.id);
  });

/** As if the provider's list had been read. */
const byOperator: Open = async (at, chargeId, idInfracao) => {
  const { id } = disputeOf(await at.dispute(chargeId));
  const reference = `infraction:sandbox:${idInfracao}`;
  await at.database.query('UPDATE disputes SET provider_reference = $2 WHERE id = $1', [id, reference]);
  return id;
};

/** A dispute that came from the provider, with two files in its evidence. */
async function contested(at = world, open = byProvider) {
  const charge = await at.paidCharge();
  const { idInfracao } = at.provider.book.infractions.report(charge.pix, 1000);
  const id = await open(at, charge.id, idInfracao);
  const dispute = filesOf(at, { id, tenant: charge.tenant });
  const files = [await dispute.added(), await dispute.added({ bytes: PNG, name: 'conversa.png' })];
  const arquivos = files.map((file) => file.id);
  return {
    ...dispute,
    arquivos,
    defesa: { descricao: 'Foi entregue.', documentos: [], arquivos },
    known: () => at.provider.book.infractions.defenseOf(idInfracao),
    knownFiles: () => at.provider.book.infractions.filesOf(idInfracao),
    requests: (operation: 'defend' | 'defend-file') =>
      at.provider.requestsFor(idInfracao, operation).map(({ id: fileId }) => fileId),
    isForwarded: () =>
      eventually(async () => expect(await at.database.query(FORWARD, [id])).toEqual([{ forward_at: null }])),
  };
}

describe('the files of evidence against an infraction', () => {
  test('go to the provider one by one under their own ids, and the defense names them', async () => {
    const dispute = await contested();
    const [pdf, png] = dispute.arquivos;

    expect((await dispute.send()).status).toBe(200);

    await dispute.isForwarded();
    expect(dispute.known()).toEqual(dispute.defesa);
    expect(dispute.knownFiles()).toEqual([
      { id: pdf, nome: 'entrega.pdf', tipo: 'application/pdf', conteudo: PDF.toString('base64') },
      { id: png, nome: 'conversa.png', tipo: 'image/png', conteudo: PNG.toString('base64') },
    ]);
    expect([dispute.requests('defend-file'), dispute.requests('defend')]).toEqual([dispute.arquivos, ['']]);
  });

  test.each<[string, Behaviour]>([
    ['is away', error500],
    ['says nothing', silence],
    ['takes one and does not say so', doneThenReset],
  ])('are sent again from the first when the provider %s', async (_what, behaviour) => {
    const dispute = await contested();
    world.provider.next('defend-file', behaviour);

    await dispute.send();

    await dispute.isForwarded();
    const [first] = dispute.arquivos;
    expect(dispute.requests('defend-file')).toEqual([first, ...dispute.arquivos]);
    expect([dispute.known(), dispute.knownFiles()]).toMatchObject([dispute.defesa, [{}, {}]]);
  });

  test.each([404, 405])(
    'stay here where the provider takes none (%d), and what was written goes',
    async (status) => {
      const dispute = await contested();
      const takesNone: Behaviour = () => ({ status, text: '' });
      world.provider.next('defend-file', takesNone, takesNone);

      await dispute.send();

      await dispute.isForwarded();
      expect(dispute.requests('defend-file')).toEqual(dispute.arquivos);
      expect(dispute.known()).toEqual({ descricao: 'Foi entregue.', documentos: [] });
    },
  );
});

describe('a process that dies', () => {
  let idle: RefundWorld;
  let doomed: ServiceProcess | undefined;

  beforeAll(async () => {
    // Its own clock rests, so that all is done by the process that dies, and by the one after it.
    idle = await startRefundWorld({ tuning: { scheduleEveryMs: 3_600_000 } });
  });
  afterEach(() => doomed?.kill());
  afterAll(() => idle.stop());

  test.each(['defend-file', 'defend'] as const)(
    'after the provider had its %s leaves it to another, and each is known once',
    async (operation) => {
      const dispute = await contested(idle, byOperator);
      const met = Promise.withResolvers<void>();
      idle.provider.next(operation, async (perform) => {
        const reply = await doneThenSilence(perform);
        met.resolve();
        return reply;
      });
      doomed = await startServiceProcess(idle.env);
      await dispute.send();
      await met.promise;
      await doomed.kill();

      const successor = await idle.startReplica({ scheduleEveryMs: TICK_MS, leaseMs: 300 });

      await dispute.isForwarded();
      expect(dispute.known()).toEqual(dispute.defesa);
      expect(dispute.knownFiles().map(({ id }) => id)).toEqual(expect.arrayContaining(dispute.arquivos));
      expect(dispute.knownFiles()).toHaveLength(2);
      await successor.stop();
    },
  );
});
