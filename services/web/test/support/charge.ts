export const ID = '01a20f4e-0de5-7de0-a438-00a9d18135c6';

const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  Buffer.from([0, 0, 0x02, 0x08, 0, 0, 0x02, 0x08]),
  Buffer.alloc(1_200, 5),
]);

export const charge = {
  id: ID,
  amount: 123_456,
  status: 'PENDING',
  description: 'Camiseta',
  expiresAt: '2026-01-01T13:00:00.000Z',
  paymentMethod: 'PIX',
  qrCode: `00020101021226${'7'.repeat(80)}6304ABCD`,
  qrCodeBase64: `data:image/png;base64,${PNG.toString('base64')}`,
  merchantName: 'Loja da Ana',
  merchantCnpj: '34665388000161',
  merchantPhone: '11987654321',
  checkoutColor: '#0F766E',
  logo: null,
  environment: 'production',
  paidAt: null,
  endToEndId: null,
  refundedAmount: null,
  refundedAt: null,
  disputedAmount: null,
  disputedAt: null,
  ...{ installments: null, cardBrand: null, cardLastDigits: null },
  unexpectedPayments: [],
  serverTime: '2026-01-01T12:00:00.000Z',
};

/** Returns the charge without a Pix code, because a charge that can't be paid has none. */
export function withoutCode(changes: Record<string, unknown>) {
  const { qrCode: _code, qrCodeBase64: _image, ...rest } = charge;
  return { ...rest, ...changes };
}
