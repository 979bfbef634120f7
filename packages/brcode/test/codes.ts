import fc from 'fast-check';
import { crc16 } from '../src/crc.ts';
import { type BrCode, readCode } from '../src/index.ts';

export const EVP = '123e4567-e12b-12d1-a456-426655440000';
export const GUI = '0014br.gov.bcb.pix';

export function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, '0')}${value}`;
}

/** Appends a right checksum, so that a reader can refuse the code only for its body. */
export function sealed(body: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const covered = `${body}6304`;
  return covered + crc16(Buffer.from(covered, encoding));
}

export function codeOf(text: string): BrCode {
  const result = readCode(text);
  if (!result.ok) throw new Error(result.reason);
  return result.code;
}

export function reasonOf(text: string): string {
  const result = readCode(text);
  return result.ok ? 'none' : result.reason;
}

interface Layout {
  name: string;
  city: string;
  account: string;
  amount: string;
  additional: string;
  unreserved: string;
}

/**
 * Returns a static code in which the given parts are replaced. A part consists of complete fields; an empty
 * part removes the fields.
 */
export function bodyWith(replaced: Partial<Layout>): string {
  const layout = {
    account: field('26', GUI + field('01', EVP)),
    amount: '',
    name: field('59', 'Fulano de Tal'),
    city: field('60', 'BRASILIA'),
    additional: field('62', field('05', '***')),
    unreserved: '',
    ...replaced,
  };
  const { account, amount, name, city, additional, unreserved } = layout;
  return `000201${account}520400005303986${amount}5802BR${name}${city}${additional}${unreserved}`;
}

function textOf(alphabet: string, length: { minLength: number; maxLength: number }) {
  return fc.string({ unit: fc.constantFrom(...alphabet), ...length });
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

export const plainName = textOf(`${LETTERS}${DIGITS}.-`, { minLength: 1, maxLength: 25 });
export const plainCity = textOf(LETTERS, { minLength: 1, maxLength: 15 });
export const txid = textOf(LETTERS + DIGITS, { minLength: 1, maxLength: 25 });
export const cents = fc.integer({ min: 1, max: 999_999_999_999 });
export const location = textOf(`${LETTERS}${DIGITS}-_./`, { minLength: 1, maxLength: 55 }).map(
  (path) => `pix.example.com/qr/v2/${path}`,
);

export const evp = fc.uuid();
export const email = textOf(LETTERS.slice(26), { minLength: 1, maxLength: 60 }).map(
  (name) => `${name}@loja.com.br`,
);
export const mobile = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((number) => `+55119${number}`);
export const pixKey = fc.oneof(evp, email, mobile, fc.constantFrom('11144477735', '12ABC34501DE35'));
