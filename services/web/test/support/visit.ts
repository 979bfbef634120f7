export const SLUG = 'q7Xk2mVnQ2pLw7Yt';
export const VISIT = '0b7f2a34-6f0e-4a52-9b7d-3f6f5a1c2d3e';
const shop = {
  ...{
    merchantName: 'Loja da Ana',
    merchantCnpj: '34665388000161',
    merchantPhone: '11987654321',
    checkoutColor: '#0f766e',
    color: '#0f766e',
    logo: null,
    description: 'Aula',
    environment: 'production',
  },
  ...{ methods: ['PIX', 'CARD'], installments: [{ count: 1, amount: 2_500, firstAmount: 2_500 }] },
  card: { publicKey: 'pk_1', tokenizeUrl: 'https://cards.example/core/v5/tokens', maxInstallments: 1 },
  serverTime: '2026-01-01T12:00:00.000Z',
};

export const link = {
  ...shop,
  ...{ slug: SLUG, status: 'OPEN', state: 'OPEN', amount: 2_500, minAmount: null, maxAmount: null },
  ...{ isPayerKnown: false, isJoinable: false, checkoutId: null, expiresAt: null },
};

export const visit = {
  ...shop,
  ...{ id: VISIT, slug: SLUG, status: 'OPEN', state: 'OPEN', amount: 2_500, payerDocument: '***.456.789-**' },
  ...{ cardFormUntil: null, cardTriesLeft: 5, returnUrl: null, charge: null },
  declineReason: null,
  unexpectedPayments: [],
  linkStatus: 'OPEN',
};

/** The fields of a visit's charge that are null before a code, a card or a payment exists. */
export const unpaid = {
  ...{ qrCode: null, qrCodeBase64: null, expiresAt: null, paidAt: null, endToEndId: null },
  ...{ installments: null, cardBrand: null, cardLastDigits: null },
  ...{ refundedAmount: null, refundedAt: null, disputedAmount: null, disputedAt: null },
};
