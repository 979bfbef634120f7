import { afterEach, describe, expect, test } from '@jest/globals';
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
import { worldOfFile } from '@plataforma/testing/world';
import { met } from '../support/crashes.ts';
import { disputeOf } from '../support/dispute.ts';
import { filesOf } from '../support/files.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const world = worldOfFile(() => startRefundWorld({ tuning: { leaseMs: 10_000 } }));

const FORWARD = 'SELECT forward_at FROM disputes WHERE id = $1';

const MAKE_DUE =
  'UPDATE disputes SET forward_at = now(), forward_until = NULL WHERE id = $1 RETURNING attempts';
const LAST_DAY = "UPDATE disputes SET deadline = now() + interval '23 hours' WHERE id = $1";
const LEASES = `
  SELECT extract(epoch FROM forward_until)::float8 AS until FROM disputes WHERE forward_until IS NOT NULL`;

type Open = (at: RefundWorld, chargeId: string, idInfracao: string) => Promise<string>;

const byProvider: Open = ({ database }, chargeId) =>
  eventually(async () => {
    const [row] = await database.query('SELECT id FROM disputes WHERE charge_id = $1', [chargeId]);
    expect(row).toBeDefined();
    return String(row?.id);
  });

/**
 * Opens a dispute as an operator. Then gives the dispute the reference of an infraction, as if the provider
 * had reported the dispute.
 */
const byOperator: Open = async (at, chargeId, idInfracao) => {
  const { id } = disputeOf(await at.dispute(chargeId));
  const reference = `infraction:sandbox:${idInfracao}`;
  await at.database.query('UPDATE disputes SET provider_reference = $2 WHERE id = $1', [id, reference]);
  return id;
};

/** Opens a dispute that the provider reported, and adds two evidence files to it. */
async function contested(at = world, open = byProvider) {
  const charge = await at.paidCharge();
  const infraction = at.provider.book.infractions.report(charge.pix, 1000);
  const { idInfracao } = infraction;
  const id = await open(at, charge.id, idInfracao);
  const dispute = filesOf(at, { id, tenant: charge.tenant });
  const files = [await dispute.added(), await dispute.added({ bytes: PNG, name: 'conversa.png' })];
  const arquivos = files.map((file) => file.id);
  return {
    ...dispute,
    infraction,
    arquivos,
    defesa: { descricao: 'Foi entregue.', documentos: [], arquivos },
    known: () => at.provider.book.infractions.defenseOf(idInfracao),
    knownFiles: () => at.provider.book.infractions.filesOf(idInfracao),
    async send(...at: Parameters<typeof dispute.send>) {
      const answer = await eventually(async () => {
        const sent = await dispute.send(...at);
        expect(sent.status).not.toBe(503);
        return sent;
      });
      expect([answer.status, answer.error]).toEqual([200, undefined]);
      return answer;
    },
    requests: (operation: 'defend' | 'defend-file') =>
      at.provider.requestsFor(idInfracao, operation).map(({ id: fileId }) => fileId),
    /** Waits until the dispute is claimed a second time, which shows that the first attempt has failed. */
    isTriedAgain: () =>
      eventually(async () => {
        const [row] = await at.database.query<{ attempts: number }>(MAKE_DUE, [id]);
        expect(row?.attempts).toBeGreaterThan(1);
      }),
    isForwarded: () =>
      eventually(async () => expect(await at.database.query(FORWARD, [id])).toEqual([{ forward_at: null }])),
  };
}

describe('evidence files against an infraction', () => {
  test('go to the provider one by one; the defense names them', async () => {
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
    ['is unavailable', error500],
    ['does not answer', silence],
    ['accepts one and loses its answer', doneThenReset],
  ])('are sent again from the first when the provider %s', async (_what, behaviour) => {
    const dispute = await contested();
    world.provider.next('defend-file', behaviour);

    await dispute.send();

    await dispute.isForwarded();
    const [first] = dispute.arquivos;
    expect(dispute.requests('defend-file')).toEqual([first, ...dispute.arquivos]);
    expect([dispute.known(), dispute.knownFiles()]).toMatchObject([dispute.defesa, [{}, {}]]);
  });

  test.each([404, 405])('stay here when the provider accepts none (%d); the text goes', async (status) => {
    const dispute = await contested();
    const takesNone: Behaviour = () => ({ status, text: '' });
    world.provider.next('defend-file', takesNone, takesNone);

    await dispute.send();

    await dispute.isForwarded();
    expect(dispute.requests('defend-file')).toEqual(dispute.arquivos);
    expect(dispute.known()).toEqual({ descricao: 'Foi entregue.', documentos: [] });
  });

  test.each([400, 413, 422])('go without one that is refused with %d', async (status) => {
    const dispute = await contested();
    world.provider.next('defend-file', () => ({ status, text: '' }));

    await dispute.send();

    await dispute.isForwarded();
    expect(dispute.requests('defend-file')).toEqual(dispute.arquivos);
    expect(dispute.known()).toEqual({ ...dispute.defesa, arquivos: dispute.arquivos.slice(1) });
  });

  test('that cannot be decrypted delay the defense until the last day', async () => {
    const dispute = await contested();
    const [pdf, png] = dispute.arquivos;
    await world.database.query("UPDATE dispute_files SET sealed = 'x' WHERE id = $1", [png]);
    await dispute.send();
    await eventually(() => expect(dispute.knownFiles().map(({ id }) => id)).toEqual([pdf]));
    await dispute.isTriedAgain();
    const early = dispute.requests('defend');

    // The service reads the deadline again, so the bank must report the same deadline as the database.
    dispute.infraction.prazo = new Date(Date.now() + 23 * 3_600_000).toISOString();
    await world.database.query(LAST_DAY, [dispute.id]);
    await world.database.query(MAKE_DUE, [dispute.id]);

    await dispute.isForwarded();
    expect([early, dispute.known()]).toEqual([[], { ...dispute.defesa, arquivos: [pdf] }]);
  });

  test('are sent one at a time, each with a full lease', async () => {
    const disputes = [await contested(), await contested(), await contested()];
    const leases: number[] = [];
    let open = 0;
    let most = 0;
    const watched: Behaviour = async (perform) => {
      open += 1;
      most = Math.max(most, open);
      leases.push(...(await world.database.query<{ until: number }>(LEASES)).map(({ until }) => until));
      open -= 1;
      return perform();
    };
    world.provider.next('defend-file', ...Array(6).fill(watched));

    await Promise.all(disputes.map(({ send }) => send()));

    for (const dispute of disputes) await dispute.isForwarded();
    expect([most, leases.length, new Set(leases).size]).toEqual([1, 6, 6]);
  });
});

describe('a killed process', () => {
  // The scheduler of this test environment is idle, so that only the killed process and its successor work.
  const idle = worldOfFile(() => startRefundWorld({ tuning: { scheduleEveryMs: 3_600_000 } }));
  let doomed: ServiceProcess | undefined;
  afterEach(() => doomed?.kill());

  test.each(['defend-file', 'defend'] as const)(
    'leaves the defense to another replica after the provider’s %s',
    async (operation) => {
      const dispute = await contested(idle, byOperator);
      const done = met((behaviour) => idle.provider.next(operation, behaviour), doneThenSilence);
      doomed = await startServiceProcess(idle.env);
      await dispute.send();
      await done;
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
