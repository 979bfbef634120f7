import { cob, PIX_KEY, TXID } from './qr-bank.ts';

/** The time of the service's clock when it decodes the QR codes. */
export const NOW = new Date('2026-11-20T15:00:00Z');
export const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();

const calendario = { criacao: minutesAgo(10), apresentacao: minutesAgo(0), expiracao: 3600 };
export const charge = (changes: object = {}) => ({ ...cob(), calendario, ...changes });

export const asksFor = (amount: number) => ({ status: 200, data: { amount, pixKey: PIX_KEY, txid: TXID } });
