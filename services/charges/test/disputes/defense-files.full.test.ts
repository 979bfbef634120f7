import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { doneThenReset, doneThenSilence, error500, eventually, PDF, PNG, silence } from '@plataforma/testing';
import { filesOf } from '../support/files.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: RefundWorld;
let doomed: ServiceProcess | undefined;

beforeAll(async () => {
  world = await startRefundWorld({ tuning: { leaseMs: 10_000 } });
});
afterEach(() => doomed?.kill());
afterAll(() => world.stop());

const FORWARD = 'SELECT forward_at FROM disputes WHERE id = $1';

/** A dispute that came from the provider, with two files in its evidence. */
async function contested() {
  const charge = await world.paidCharge();
  const { idInfracao } = world.provider.book.infractions.report(charge.pix, 1000);
  const id = await eventually(async () => {
    const [row] = await world.database.query('SELECT id FROM disputes WHERE charge_id = $1', [charge.id]);
    expect(row).toBeDefined();
    return String(row?.id);
  });
  const dispute = filesOf(world, { id, tenant: charge.tenant });
  const files = [await dispute.added(), await dispute.added({ bytes: PNG, name: 'conversa.png' })];
  const arquivos = files.map((file) => file.id);
  return {
    ...dispute,
    arquivos,
    defesa: { descricao: 'Foi entregue.', documentos: [], arquivos },
    known: () => world.provider.book.infractions.defenseOf(idInfracao),
    knownFiles: () => world.provider.book.infractions.filesOf(idInfracao),
    requests: (operation: 'defend' | 'defend-file') =>
      world.provider.requestsFor(idInfracao, operation).map(({ id: fileId }) => fileId),
    isForwarded: () =>
      eventually(async () =>
        expect(await world.database.query(FORWARD, [id])).toEqual([{ forward_at: null }]),
      ),
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
      for (const _file of dispute.arquivos) world.provider.next('defend-file', takesNone);

      await dispute.send();

      await dispute.isForwarded();
      expect(dispute.known()).toEqual({ descricao: 'Foi entregue.', documentos: [] });
    },
  );

  test.each(['defend-file', 'defend'] as const)(
    'are known once when a process dies after the provider had its %s',
    async (operation) => {
      const dispute = await contested();
      await world.first.stop();
      doomed = await startServiceProcess(world.env);
      const met = Promise.withResolvers<void>();
      world.provider.next(operation, async (perform) => {
        const reply = await doneThenSilence(perform);
        met.resolve();
        return reply;
      });
      await dispute.send(doomed.client);
      await met.promise;
      await doomed.kill();

      const successor = await world.startReplica({ leaseMs: 300 });

      await dispute.isForwarded();
      expect(dispute.known()).toEqual(dispute.defesa);
      expect(
        dispute
          .knownFiles()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(dispute.arquivos.toSorted());
      await successor.stop();
    },
  );
});
