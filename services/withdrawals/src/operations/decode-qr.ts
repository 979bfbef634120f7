import {
  type DynamicCode,
  normalisePixKey,
  type PixKeyType,
  pixKeyTypeOf,
  readCode,
} from '@plataforma/brcode';
import type { Bulkhead } from '@plataforma/http';
import type { Cents, Clock, Tenant } from '@plataforma/kernel';
import { isSignedBy } from '../qr/algorithms.ts';
import { type BankSettings, bankAt } from '../qr/bank.ts';
import { keyNamedBy } from '../qr/bank-keys.ts';
import { parseJws } from '../qr/jws.ts';
import { handsOutCash, type PayableCharge, readPayload } from '../qr/payload.ts';
import { invalidCode } from '../qr/refusals.ts';

export interface DecodeQr {
  qrBanks: BankSettings;
  bulkhead: Bulkhead;
  clock: Clock;
}

export interface DecodedQr {
  pixKey: string;
  pixKeyType: PixKeyType;
  /** The amount of the code in cents. 0 if the payer chooses the amount. */
  amount: Cents;
  merchantName: string;
  merchantCity: string;
  txid: string;
}

const NO_TXID = '***';

export async function decodeQr(dependencies: DecodeQr, tenant: Tenant, brCode: string): Promise<DecodedQr> {
  const result = readCode(brCode);
  if (!result.ok) throw invalidCode(result.message);
  const { code } = result;
  const { merchantName, merchantCity } = code;
  switch (code.kind) {
    case 'recurrence':
      throw invalidCode('the code only offers a recurring Pix, which a withdrawal can’t accept');
    case 'static':
      if (code.saqueIspb !== undefined) throw handsOutCash();
      return {
        ...keyWithType(code.pixKey),
        ...{ amount: code.amount ?? 0, merchantName, merchantCity, txid: code.txid ?? NO_TXID },
      };
    case 'dynamic': {
      const { pixKey, amount, txid } = await dependencies.bulkhead(tenant, () =>
        fetchCharge(dependencies, code),
      );
      return { ...keyWithType(pixKey), amount, merchantName, merchantCity, txid };
    }
  }
}

/**
 * Fetches the charge and the bank's keys. Does not cache keys, because the bank may revoke them. Users decode
 * codes one by one, so the additional request costs little.
 */
async function fetchCharge({ qrBanks, clock }: DecodeQr, code: DynamicCode): Promise<PayableCharge> {
  const bank = bankAt(code.url, qrBanks);
  const { header, payload, signed, signature } = parseJws(await bank.payload());
  const key = keyNamedBy(header, await bank.keys(header.jku));
  if (!isSignedBy(key, { algorithm: header.alg, signed, signature })) {
    throw invalidCode('the signature of the charge behind the code is wrong');
  }
  return readPayload(payload, clock());
}

function keyWithType(printed: string): Pick<DecodedQr, 'pixKey' | 'pixKeyType'> {
  const pixKeyType = pixKeyTypeOf(printed.trim());
  const pixKey = pixKeyType && normalisePixKey(pixKeyType, printed.trim());
  if (!pixKeyType || !pixKey) throw invalidCode('the key in the code is not a Pix key');
  return { pixKey, pixKeyType };
}
