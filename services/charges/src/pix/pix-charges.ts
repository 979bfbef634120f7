import { writeDynamicCode } from '@plataforma/brcode';
import type { Gate } from '@plataforma/http';
import { toDecimal } from '@plataforma/kernel';
import { z } from 'zod';
import type { Charge } from '../domain/charge.ts';
import type { ProviderCharge } from '../domain/payment.ts';
import { spelledAsOurs } from './pix-fields.ts';
import type { PixAccount, PixHttp } from './pix-http.ts';
import { pixOfCharge } from './pix-payments.ts';
import { shortened, unusable } from './pix-problem.ts';

export type ChargeFields = Pick<
  Charge,
  'txid' | 'amount' | 'payerName' | 'payerDocument' | 'description' | 'checkoutId'
>;

// A code or location of an unknown shape counts as missing, so that the payments in the same answer still
// count.
const optionalText = z.string().max(512).optional().catch(undefined);

const cob = z.object({
  txid: z.string().nullish(),
  status: z.string(),
  pixCopiaECola: optionalText,
  location: optionalText,
  loc: z.object({ location: optionalText }).optional().catch(undefined),
  pix: z.array(pixOfCharge).nullish(),
});

const REMOVED_BY_US = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

const statuses = new Map<string, ProviderCharge['status']>([
  ['ATIVA', 'active'],
  ['CONCLUIDA', 'concluded'],
  [REMOVED_BY_US, 'removed'],
  ['REMOVIDA_PELO_PSP', 'removed'],
]);

const MAX_NOTE_LENGTH = 140;
const pathOf = (txid: string) => `/v2/cob/${txid}`;

/** Registers, finds and removes immediate charges (`/cob`). */
export function createPixCharges(http: PixHttp, account: PixAccount) {
  async function find(txid: string): Promise<ProviderCharge | null> {
    const answer = await http.send({ method: 'GET', path: pathOf(txid) });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a charge`);
    return read(answer.body, { txid, account });
  }

  return {
    find,
    async register(charge: ChargeFields, expiresInSeconds: number, gate: Gate): Promise<string> {
      const body = requestOf(charge, account.pixKey, expiresInSeconds);
      const answer = await http.send({ method: 'PUT', path: pathOf(charge.txid), body, gate });
      const isTaken = answer.status === 201 || answer.status === 200;
      // Some providers refuse to register a charge a second time. An earlier request of the platform may have
      // registered it.
      const found = isTaken ? read(answer.body, { txid: charge.txid, account }) : await find(charge.txid);
      if (!found) throw unusable(`refused the charge with ${answer.status}`);
      if (!found.qrCode) throw unusable('gave the charge no code');
      return found.qrCode;
    },
    async remove(txid: string): Promise<boolean> {
      const body = { status: REMOVED_BY_US };
      const answer = await http.send({ method: 'PATCH', path: pathOf(txid), body });
      return answer.status === 200 && cob.safeParse(answer.body).data?.status === REMOVED_BY_US;
    },
  };
}

function requestOf(charge: ChargeFields, pixKey: string, expiresInSeconds: number) {
  const { payerDocument: document, payerName: nome, description, checkoutId } = charge;
  const payer = document.length === 11 ? { cpf: document, nome } : { cnpj: document, nome };
  return {
    calendario: { expiracao: expiresInSeconds },
    // Anyone with a code can read the payer at the bank, and strangers get codes at payment links.
    ...(checkoutId === null && { devedor: payer }),
    valor: { original: toDecimal(charge.amount) },
    chave: pixKey,
    ...(description ? { solicitacaoPagador: shortened(description, MAX_NOTE_LENGTH) } : {}),
  };
}

function read(body: unknown, { txid, account }: { txid: string; account: PixAccount }): ProviderCharge {
  const result = cob.safeParse(body);
  if (!result.success) throw unusable('answered a charge of an unknown shape');
  const { status, pixCopiaECola, location, loc, pix } = result.data;
  const answeredFor = spelledAsOurs(result.data.txid || txid);
  if (answeredFor !== txid) throw unusable('answered another charge than the one asked for');
  return {
    status: statuses.get(status) ?? 'other',
    qrCode: pixCopiaECola || codeAt(location || loc?.location, account),
    payments: pix ?? [],
  };
}

/** Returns the Pix code for a location, or null when a code cannot contain the location. */
function codeAt(location: string | undefined, { merchantName, merchantCity }: PixAccount): string | null {
  if (!location) return null;
  try {
    return writeDynamicCode({ location: location.replace(/^https:\/\//i, ''), merchantName, merchantCity });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
