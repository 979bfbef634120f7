import { type AcquirerClient, createAcquirerClient } from '../../../src/cards/acquirer-client.ts';
import { type Peer, startPeer } from './peer.ts';

export interface AcquirerPeer extends Peer {
  client: AcquirerClient;
  /** A client with a short timeout, for answers that never arrive. */
  shortTimeout: AcquirerClient;
}

const TIMEOUT_MS = 5_000;
/**
 * The timeout is long enough for a request to arrive even on a busy machine. A request that arrives too late
 * would take the reply for the next request.
 */
const SHORT_TIMEOUT_MS = 1_500;

/** Starts an acquirer that sends scripted answers, and clients with an account at this acquirer. */
export async function startAcquirerPeer(): Promise<AcquirerPeer> {
  const peer = await startPeer();
  const account = {
    baseUrl: `${peer.url}/core/v5`,
    secretKey: 'sk_test_segredo',
    publicKey: 'pk_test_publica',
    tokenizeUrl: 'https://api.pagar.me/core/v5/tokens',
  };
  return {
    ...peer,
    client: createAcquirerClient({ ...account, timeoutMs: TIMEOUT_MS }),
    shortTimeout: createAcquirerClient({ ...account, timeoutMs: SHORT_TIMEOUT_MS }),
  };
}

export const CHARGE_ID = '01939f3e-0000-7000-8000-000000000001';

export const cardOrder = {
  id: CHARGE_ID,
  amount: 2500,
  installments: 3,
  cardToken: 'token_1',
  payerName: 'Maria da Silva',
  payerDocument: '12345678909',
  payerEmail: null,
  payerPhone: null,
  statementDescriptor: null,
  description: null,
};

type Fields = Record<string, unknown>;

export const transaction = (fields: Fields = {}) => ({
  id: 'tran_1',
  status: 'captured',
  success: true,
  amount: 2500,
  acquirer_return_code: '00',
  acquirer_nsu: '000123456',
  acquirer_auth_code: 'A1B2C3',
  card: { id: 'card_1', brand: 'Visa', first_six_digits: '400000', last_four_digits: '0010' },
  gateway_response: { code: '200', errors: [] },
  ...fields,
});

export const charge = (fields: Fields = {}) => ({
  id: 'ch_1',
  code: CHARGE_ID,
  amount: 2500,
  paid_amount: 2500,
  canceled_amount: 0,
  status: 'paid',
  payment_method: 'credit_card',
  created_at: '2026-11-20T12:00:00Z',
  last_transaction: transaction(),
  ...fields,
});

export const order = (fields: Fields = {}) => ({
  id: 'or_1',
  code: CHARGE_ID,
  amount: 2500,
  currency: 'BRL',
  status: 'paid',
  charges: [charge()],
  ...fields,
});
