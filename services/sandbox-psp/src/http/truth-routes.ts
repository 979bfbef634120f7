import type { Database } from '@plataforma/data';
import { toDecimal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import type { CardCharge } from '../domain/card-charge.ts';
import type { Charge } from '../domain/charge.ts';
import { type DefenseFile, type Infraction, infracaoOf } from '../domain/infraction.ts';
import { type Payment, pixOf } from '../domain/payment.ts';
import { type Payout, sentPixOf } from '../domain/payout.ts';
import { devolucaoOf } from '../domain/refund.ts';
import { listAllCardCharges } from '../store/card-charges.ts';
import { listAllCharges } from '../store/charges.ts';
import { listAllDefenseFiles, listAllInfractions } from '../store/infractions.ts';
import { listAllPayments } from '../store/payments.ts';
import { listAllPayouts } from '../store/payouts.ts';
import { inSnapshot } from '../store/snapshot.ts';

/**
 * Adds the route that returns all stored records, read in one database snapshot. Tests compare them with the
 * platform's records.
 */
export function truthRoutes(router: IRouter, database: Database): void {
  router.get('/control/truth', async (_req, res) => {
    const { charges, payments, cardCharges, infractions, files, payouts } = await inSnapshot(
      database,
      async (tx) => ({
        charges: await listAllCharges(tx),
        payments: await listAllPayments(tx),
        cardCharges: await listAllCardCharges(tx),
        infractions: await listAllInfractions(tx),
        files: await listAllDefenseFiles(tx),
        payouts: await listAllPayouts(tx),
      }),
    );
    res.json({
      charges: charges.map(truthOfCharge),
      payments: payments.map(({ payment, callback }) => ({
        clientId: payment.clientId,
        ...pixOf(payment),
        callback,
      })),
      refunds: payments.flatMap(({ payment }) => truthOfRefunds(payment)),
      cardCharges: cardCharges.map(truthOfCardCharge),
      infractions: infractions.map((one) => truthOfInfraction(one, files)),
      payouts: payouts.map(truthOfPayout),
    });
  });
}

function truthOfCharge({ clientId, txid, status, revision: revisao, createdAt, request }: Charge) {
  return {
    clientId,
    txid,
    status,
    revisao,
    calendario: { criacao: createdAt.toISOString(), expiracao: request.expiresInSeconds },
    valor: { original: toDecimal(request.amount) },
    chave: request.pixKey,
  };
}

/**
 * Returns only the refunds that the receiver ordered. The refunds of disputes are in the list of payments.
 */
function truthOfRefunds({ clientId, endToEndId, txid, refunds }: Payment) {
  const ordered = refunds.filter(({ nature }) => nature === 'ORIGINAL');
  return ordered.map((refund) => ({
    clientId,
    endToEndId,
    ...(txid !== null && { txid }),
    ...devolucaoOf(refund),
  }));
}

function truthOfCardCharge(charge: CardCharge) {
  const { clientId, id, orderId, code, amount, canceledAmount, status, installments, chargeback } = charge;
  return { clientId, id, orderId, code, amount, canceledAmount, status, installments, chargeback };
}

function truthOfInfraction(infraction: Infraction, files: readonly DefenseFile[]) {
  const { clientId, defense } = infraction;
  const arquivos = files
    .filter(({ id }) => defense?.fileIds.includes(id))
    .map(({ id, name: nome, type: tipo, size: tamanho, sha256 }) => ({ id, nome, tipo, tamanho, sha256 }));
  const defesa = defense && { descricao: defense.description, documentos: defense.documents, arquivos };
  return { clientId, ...infracaoOf(infraction, new Date()), defesa };
}

function truthOfPayout(payout: Payout) {
  return { clientId: payout.clientId, ...sentPixOf(payout), favorecido: { chave: payout.payeeKey } };
}
