import { crc16 } from './crc.ts';
import {
  isLocation,
  MAX_CITY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_VALUE_LENGTH,
  NO_TXID,
  PIX_GUI,
  writeField,
} from './layout.ts';
import { normalisePixKey, pixKeyTypeOf } from './pix-key.ts';
import { toPlainText } from './plain-text.ts';

const MAX_AMOUNT_CENTS = 999_999_999_999;
const MAX_INFO_LENGTH = 72;
const FIELD_HEADER_LENGTH = 4;
const STATIC_TXID = /^[a-zA-Z0-9]{1,25}$/;

interface Merchant {
  /** The writer cuts the name to 25 characters, and replaces accents and signs. */
  merchantName: string;
  /**
   * The writer removes accents, replaces signs that banks may not read, and cuts the city to 15 characters.
   */
  merchantCity: string;
}

export interface DynamicCodeInput extends Merchant {
  /** The address of the charge at the provider: `host/path`, at most 77 characters, without `https://`. */
  location: string;
}

export interface StaticCodeInput extends Merchant {
  /**
   * The writer normalises the key. A phone number needs its `+55`, because eleven digits without it are a
   * CPF.
   */
  pixKey: string;
  /** Integer cents, 1 to 999_999_999_999. In a code without an amount, the payer enters it. */
  amount?: number | undefined;
  /** 1 to 25 letters and digits. */
  txid?: string | undefined;
  /**
   * A text for the payer. The text and the Pix key share the 99 characters of tag 26, so the writer cuts the
   * text. With an EVP as the key, at most 37 characters remain.
   */
  info?: string | undefined;
}

/**
 * Writes a dynamic copy-and-paste code: ASCII, tags ascending, no amount and `***` for the txid. The payload
 * at the location decides the amount and the txid (MPI 2.10.0 §2.7, sample of §2.7.2). The field limits keep
 * the code below 512 characters.
 *
 * Throws RangeError for a location that is not `host/path`, and for a name or city without a writable
 * character.
 */
export function writeDynamicCode({ location, merchantName, merchantCity }: DynamicCodeInput): string {
  if (!isLocation(location))
    throw new RangeError('location must be host/path, without scheme, at most 77 characters');
  return seal([
    writeField('00', '01'),
    writeField('01', '12'),
    writeField('26', writeField('00', PIX_GUI) + writeField('25', location)),
    ...merchantFields({ merchantName, merchantCity }),
    writeField('62', writeField('05', NO_TXID)),
  ]);
}

/**
 * Writes a static copy-and-paste code: ASCII, tags ascending, amount with two decimals (MPI 2.10.0 §2.6,
 * sample of §2.6.3). The field limits keep it below 512 characters.
 *
 * Throws RangeError for:
 * - a Pix key of an unknown shape;
 * - an amount that is not whole cents from 1 to 999_999_999_999 (13 characters in tag 54);
 * - a txid outside `[a-zA-Z0-9]{1,25}` (§2.6.2);
 * - a name or city without a writable character.
 */
export function writeStaticCode(input: StaticCodeInput): string {
  const { pixKey, amount, txid, info } = input;
  if (txid !== undefined && !STATIC_TXID.test(txid))
    throw new RangeError('txid must be 1 to 25 letters and digits');
  return seal([
    writeField('00', '01'),
    writeField('26', staticTemplate(pixKey, info ?? '')),
    ...merchantFields({ ...input, amount }),
    writeField('62', writeField('05', txid ?? NO_TXID)),
  ]);
}

function staticTemplate(pixKey: string, info: string): string {
  const type = pixKeyTypeOf(pixKey);
  const key = type && normalisePixKey(type, pixKey);
  if (!key) throw new RangeError('pixKey is not a valid Pix key');

  const template = writeField('00', PIX_GUI) + writeField('01', key);
  const room = MAX_VALUE_LENGTH - template.length - FIELD_HEADER_LENGTH;
  const plainInfo = toPlainText(info, Math.max(0, Math.min(MAX_INFO_LENGTH, room)));
  return plainInfo === '' ? template : template + writeField('02', plainInfo);
}

function merchantFields({
  merchantName,
  merchantCity,
  amount,
}: Merchant & { amount?: number | undefined }): string[] {
  const name = toPlainText(merchantName, MAX_NAME_LENGTH);
  const city = toPlainText(merchantCity, MAX_CITY_LENGTH);
  if (name === '' || city === '')
    throw new RangeError('merchantName and merchantCity need a letter or digit');
  return [
    writeField('52', '0000'),
    writeField('53', '986'),
    ...(amount === undefined ? [] : [writeField('54', toDecimal(amount))]),
    writeField('58', 'BR'),
    writeField('59', name),
    writeField('60', city),
  ];
}

function toDecimal(amount: number): string {
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_AMOUNT_CENTS) {
    throw new RangeError(`amount must be whole cents from 1 to ${MAX_AMOUNT_CENTS}`);
  }
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function seal(fields: readonly string[]): string {
  const covered = `${fields.join('')}6304`;
  return covered + crc16(Buffer.from(covered, 'ascii'));
}
