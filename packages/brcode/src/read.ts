import { unwrapped } from '@plataforma/kernel';
import { crc16 } from './crc.ts';
import {
  type Fields,
  isLocation,
  MAX_CITY_LENGTH,
  MAX_CODE_LENGTH,
  MAX_NAME_LENGTH,
  NO_TXID,
  PIX_GUI,
  readFields,
} from './layout.ts';
import {
  type BrCode,
  type ReadResult,
  type ReadWarning,
  type StaticCode,
  type UnreadableReason,
  unreadable,
} from './read-result.ts';

const CHECKSUM_LENGTH = 4;
const MAX_AMOUNT_LENGTH = 13;
const MAX_TXID_LENGTH = 25;
const MANDATORY_TAGS = ['52', '53', '58', '59', '60'] as const;

/**
 * The reader refuses characters beyond U+FFFF, because issuers may count such a character as one or as two.
 */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}]|[\u{10000}-\u{10FFFF}]/u;
const LATIN_1 = /^[ -\u00ff]*$/;
const AMOUNT = /^(?=\.?\d)(\d*)(?:\.(\d{0,2}))?$/;
const ISPB = /^[0-9A-Z]{8}$/;

/**
 * Reads a Pix copy-and-paste code (BR Code; MPI 2.10.0 §2.5 to 2.8). Never throws. Returns MALFORMED for a
 * value that is not a text.
 *
 * A key in tag 26-01 makes the code static, a URL in 26-25 dynamic, and a URL only in 80 to 99 a recurrence.
 * The checksum may cover UTF-8 or Latin-1, because issuers differ for accents. Ignores the amount and txid of
 * a dynamic code, because the payload prevails (§2.7). Drops blanks around the code, and line breaks,
 * indentation and invisible characters inside it.
 */
export function readCode(text: unknown): ReadResult {
  if (typeof text !== 'string') return unreadable('MALFORMED');

  const printed = unwrapped(text);
  if (printed.length > MAX_CODE_LENGTH) return unreadable('TOO_LONG');
  if (FORBIDDEN.test(printed)) return unreadable('FORBIDDEN_CHARACTER');
  if (!hasRightChecksum(printed)) return unreadable('WRONG_CHECKSUM');

  const code = readRoot(printed);
  return typeof code === 'string' ? unreadable(code) : { ok: true, code };
}

function hasRightChecksum(code: string): boolean {
  const covered = code.slice(0, -CHECKSUM_LENGTH);
  const checksum = code.slice(-CHECKSUM_LENGTH).toUpperCase();
  if (crc16(Buffer.from(covered, 'utf8')) === checksum) return true;
  return LATIN_1.test(covered) && crc16(Buffer.from(covered, 'latin1')) === checksum;
}

function readRoot(code: string): BrCode | UnreadableReason {
  const root = readFields(code);
  if (typeof root === 'string') return root;

  const tags = [...root.keys()];
  const isFramed = tags.at(0) === '00' && tags.at(-1) === '63' && root.get('63')?.length === CHECKSUM_LENGTH;
  if (!isFramed || root.get('00') !== '01') return 'MALFORMED';
  if (!MANDATORY_TAGS.every((tag) => root.has(tag))) return 'MALFORMED';
  if (root.get('53') !== '986' || root.get('58') !== 'BR') return 'WRONG_CURRENCY';

  const merchant = readMerchant(root);
  if (typeof merchant === 'string') return merchant;

  const account = onlyPixTemplate(root, { from: 26, to: 51 });
  if (typeof account === 'string') return account;
  if (account === null) return 'NOT_PIX';

  const recurrence = onlyPixTemplate(root, { from: 80, to: 99 });
  if (typeof recurrence === 'string') return recurrence;

  return readDestination({ root, account, recurrence, merchant });
}

interface CodeFields {
  root: Fields;
  account: Fields;
  recurrence: Fields | null;
  merchant: { merchantName: string; merchantCity: string };
}

function readDestination({ root, account, recurrence, merchant }: CodeFields): BrCode | UnreadableReason {
  const pixKey = account.get('01');
  const payment = readUrl(account.get('25'));
  const later = readUrl(recurrence?.get('25'));
  if (pixKey !== undefined && payment !== null) return 'AMBIGUOUS';
  if (payment === 'INVALID_URL' || later === 'INVALID_URL') return 'INVALID_URL';

  const warnings: ReadWarning[] = payment?.hadScheme || later?.hadScheme ? ['URL_SCHEME'] : [];
  const offer = later === null ? {} : { recurrenceUrl: later.url };
  const unpriced = { ...merchant, amount: null, txid: null, warnings };

  if (payment !== null) return { kind: 'dynamic', url: payment.url, ...offer, ...unpriced };
  if (pixKey === undefined) {
    return later === null ? 'NO_DESTINATION' : { kind: 'recurrence', recurrenceUrl: later.url, ...unpriced };
  }
  const staticFields = readStaticFields(root, account);
  if (typeof staticFields === 'string') return staticFields;
  return {
    kind: 'static',
    pixKey,
    ...offer,
    ...merchant,
    ...staticFields,
    warnings: [...warnings, ...staticFields.warnings],
  };
}

type StaticFields = Pick<StaticCode, 'info' | 'saqueIspb' | 'amount' | 'txid' | 'warnings'>;

function readStaticFields(root: Fields, account: Fields): StaticFields | UnreadableReason {
  const amount = readAmount(root.get('54'));
  if (typeof amount === 'string') return amount;

  const extra = readFields(root.get('62') ?? '');
  if (typeof extra === 'string') return extra;
  const txid = extra.get('05') ?? NO_TXID;
  if (txid.length > MAX_TXID_LENGTH) return 'INVALID_TXID';

  const info = account.get('02');
  const saqueIspb = account.get('03');
  if (saqueIspb !== undefined && !ISPB.test(saqueIspb)) return 'INVALID_SAQUE';

  return {
    amount,
    ...(txid === NO_TXID ? { txid: null, warnings: [] } : { txid, warnings: warningsOfTxid(txid) }),
    ...(info === undefined ? {} : { info }),
    ...(saqueIspb === undefined ? {} : { saqueIspb }),
  };
}

/**
 * Tolerates other characters than letters and digits (§2.6.2) with a warning, because the manual's own sample
 * has a hyphen (`RP12345678-2019`).
 */
function warningsOfTxid(txid: string): ReadWarning[] {
  return /^[a-zA-Z0-9]+$/.test(txid) ? [] : ['TXID_CHARACTERS'];
}

function readMerchant(root: Fields): CodeFields['merchant'] | UnreadableReason {
  const name = root.get('59') ?? '';
  const city = root.get('60') ?? '';
  if (name.length > MAX_NAME_LENGTH || city.length > MAX_CITY_LENGTH) return 'INVALID_MERCHANT';
  const merchant = { merchantName: name.trim(), merchantCity: city.trim() };
  return merchant.merchantName === '' || merchant.merchantCity === '' ? 'INVALID_MERCHANT' : merchant;
}

/**
 * Returns the Pix template among the tags, or null when none is a Pix template. Two Pix templates are
 * AMBIGUOUS. Ignores faults in templates of other schemes, which may contain anything.
 */
function onlyPixTemplate(
  root: Fields,
  { from, to }: { from: number; to: number },
): Fields | UnreadableReason | null {
  let found: Fields | null = null;
  for (const [tag, value] of root) {
    if (Number(tag) < from || Number(tag) > to) continue;
    const template = readFields(value);
    if (typeof template === 'string') {
      if (value.toLowerCase().includes(PIX_GUI)) return template;
      continue;
    }
    if (template.get('00')?.toLowerCase() !== PIX_GUI) continue;
    if (found) return 'AMBIGUOUS';
    found = template;
  }
  return found;
}

function readUrl(printed: string | undefined): { url: string; hadScheme: boolean } | 'INVALID_URL' | null {
  if (printed === undefined) return null;
  const url = printed.replace(/^https:\/\//i, '');
  return isLocation(url) ? { url, hadScheme: url !== printed } : 'INVALID_URL';
}

function readAmount(printed: string | undefined): number | null | 'INVALID_AMOUNT' {
  if (printed === undefined) return null;
  const match = AMOUNT.exec(printed);
  if (!match || printed.length > MAX_AMOUNT_LENGTH) return 'INVALID_AMOUNT';
  const [, whole = '', fraction = ''] = match;
  const cents = Number(`${whole}${fraction.padEnd(2, '0')}`);
  return cents === 0 ? null : cents;
}
