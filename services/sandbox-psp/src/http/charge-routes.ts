import { readBody } from '@plataforma/http';
import type { IRouter, Request } from 'express';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { isTxid } from '../domain/charge.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { patchCharge } from '../operations/patch-charge.ts';
import { putCharge } from '../operations/put-charge.ts';
import { findChargeWithPayments } from '../store/charges.ts';
import { clientOf } from './authenticate.ts';
import { readChargeRequest, readPatch } from './charge-requests.ts';
import { underFaults } from './under-faults.ts';
import { chargeView, paidChargeView } from './views.ts';

const PATH = '/v2/cob/:txid';
type Named = { txid: string };

/** Adds the routes for charges: API Pix 2.9.0, tag Cob. */
export function chargeRoutes(
  router: IRouter,
  dependencies: SandboxPspDependencies,
  publicUrl: () => string,
): void {
  const { database, clients } = dependencies;
  const serve = underFaults({ database, clients }, clientOf);
  router.use('/v2/cob', readBody());

  router.put(
    PATH,
    serve('pix.create', async (req: Request<Named>, client) => {
      const { txid } = req.params;
      if (!isTxid(txid)) throw wrongTxid();
      const charge = await putCharge(database, {
        client,
        txid,
        request: readChargeRequest(req.body),
        now: new Date(),
      });
      return { status: 201, body: chargeView(charge, publicUrl()) };
    }),
  );

  router.patch(PATH, async (req, res) => {
    const client = clientOf(req, clients);
    const txid = requireTxid(req.params.txid);
    const charge = await patchCharge(database, { client, txid, patch: readPatch(req.body) });
    res.json(chargeView(charge, publicUrl()));
  });

  router.get(
    PATH,
    serve('pix.read', async (req: Request<Named>, client) => {
      const found = await findChargeWithPayments(database, client.id, requireTxid(req.params.txid));
      if (!found) throw new PixProblem('CobNaoEncontrado');
      const { revisao } = req.query;
      if (revisao !== undefined && revisao !== String(found.charge.revision)) throw pastRevision();
      return { status: 200, body: paidChargeView(found.charge, found.payments, publicUrl()) };
    }),
  );
}

/** Throws CobNaoEncontrado if the text is not a valid txid, because no charge can have an invalid txid. */
function requireTxid(txid: string): string {
  if (isTxid(txid)) return txid;
  throw new PixProblem('CobNaoEncontrado');
}

function wrongTxid(): PixProblem {
  const razao = 'O campo cob.txid não respeita o schema.';
  return new PixProblem('CobOperacaoInvalida', { violations: [{ razao, propriedade: 'cob.txid' }] });
}

function pastRevision(): PixProblem {
  const razao = 'Este provedor conhece somente a revisão atual da cobrança.';
  return new PixProblem('CobConsultaInvalida', { violations: [{ razao, propriedade: 'revisao' }] });
}
