import { ApiError, ConnectionError, Plataforma } from '@plataforma/sdk';

const plataforma = new Plataforma({
  apiKey: process.env.PLATAFORMA_KEY ?? '',
  baseUrl: process.env.PLATAFORMA_URL ?? 'http://localhost:8080',
});

const charge = await plataforma.charges.create({
  amount: 2500,
  externalId: `sdk-${Date.now()}`,
  payerName: 'Maria da Silva',
  payerDocument: '123.456.789-09',
});
console.log(charge.status, charge.qrCode);

// The sandbox pays the charge; in production the buyer does.
await plataforma.charges.simulatePayment(charge.id);
const { status } = await plataforma.charges.get(charge.id);
console.log(status);

for await (const { externalId, amount } of plataforma.charges.list({ status: 'PAID', limit: 100 })) {
  console.log(externalId, amount);
}

try {
  const payout = { amount: 1000, pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' };
  const { id } = await plataforma.withdrawals.create({ ...payout, externalId: `payout-${charge.id}` });
  console.log(id);
} catch (error) {
  if (error instanceof ApiError) console.error(error.code, error.message, error.requestId);
  else if (error instanceof ConnectionError) console.error('no answer; again with', error.idempotencyKey);
  else throw error;
}
