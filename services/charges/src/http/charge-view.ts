import { qrImageDataUri } from '@plataforma/brcode';
import type { ChargeInListView, ChargeView, CheckoutView } from '@plataforma/contracts';
import type { MerchantSnapshot } from '@plataforma/events';
import type { Charge } from '../domain/charge.ts';

export function chargeInListView(charge: Charge): ChargeInListView {
  return {
    id: charge.id,
    txid: charge.txid,
    paymentMethod: charge.paymentMethod,
    amount: charge.amount,
    feeAmount: charge.feeAmount,
    netAmount: charge.netAmount,
    status: charge.status,
    expiresAt: charge.expiresAt.toISOString(),
    createdAt: charge.createdAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    externalId: charge.externalId,
    description: charge.description,
    endToEndId: charge.endToEndId,
  };
}

export function chargeView(charge: Charge): ChargeView {
  const { qrCode } = charge;
  return {
    ...chargeInListView(charge),
    qrCode,
    qrCodeBase64: qrCode === null ? null : qrImageDataUri(qrCode),
  };
}

export function checkoutView(charge: Charge, merchant: MerchantSnapshot): CheckoutView {
  const { qrCode } = charge;
  const isPayable = charge.status === 'PENDING' && qrCode !== null;
  return {
    id: charge.id,
    amount: charge.amount,
    status: charge.status,
    description: charge.description,
    expiresAt: charge.expiresAt.toISOString(),
    paymentMethod: charge.paymentMethod,
    merchantName: merchant.name,
    checkoutColor: merchant.checkoutColor,
    ...(isPayable ? { qrCode, qrCodeBase64: qrImageDataUri(qrCode) } : {}),
  };
}
