import { toDecimal } from '@plataforma/kernel';
import type { Charge, ChargeRequest } from '../domain/charge.ts';
import { copyPasteCode, locationOf } from '../domain/location.ts';
import { type Payment, pixOf } from '../domain/payment.ts';

/**
 * Returns the charge in the format CobGerada of API Pix. `publicUrl` is this provider's current URL for
 * payers' banks.
 */
export function chargeView(charge: Charge, publicUrl: string) {
  const { txid, revision: revisao, status, request } = charge;
  const location = locationOf(publicUrl, charge.locationToken);
  const criacao = charge.createdAt.toISOString();
  return {
    calendario: { criacao, expiracao: request.expiresInSeconds },
    txid,
    revisao,
    loc: { id: charge.locationId, txid, location, tipoCob: 'cob', criacao },
    location,
    status,
    ...requestView(request),
    pixCopiaECola: copyPasteCode(location),
  };
}

/** Returns the charge with its payments, in the format CobCompleta of API Pix. */
export function paidChargeView(charge: Charge, payments: readonly Payment[], publicUrl: string) {
  const view = chargeView(charge, publicUrl);
  return payments.length === 0 ? view : { ...view, pix: payments.map(pixOf) };
}

/**
 * Returns the charge in the format CobPayload of API Pix, which the payer's bank reads at the URL in the QR
 * code.
 */
export function payloadView(charge: Charge, readAt: Date) {
  const { txid, revision: revisao, status, request } = charge;
  const calendario = {
    criacao: charge.createdAt.toISOString(),
    apresentacao: readAt.toISOString(),
    expiracao: request.expiresInSeconds,
  };
  return { calendario, txid, revisao, status, ...requestView(request) };
}

function requestView({ amount, pixKey, debtor, payerRequest }: ChargeRequest) {
  return {
    ...(debtor && { devedor: debtorView(debtor) }),
    valor: { original: toDecimal(amount) },
    chave: pixKey,
    ...(payerRequest !== null && { solicitacaoPagador: payerRequest }),
  };
}

function debtorView({ document, name: nome }: NonNullable<ChargeRequest['debtor']>) {
  return document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome };
}
