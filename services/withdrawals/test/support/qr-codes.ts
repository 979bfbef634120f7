import { writeDynamicCode } from '@plataforma/brcode';

/**
 * Returns the CRC-16/CCITT-FALSE, so that tests can write QR codes that `writeDynamicCode` would not write.
 */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

export function field(tag: string, value: string): string {
  return `${tag}${String(value.length).padStart(2, '0')}${value}`;
}

interface Code {
  /** The encoded fields of tag 26 that follow the scheme name `br.gov.bcb.pix`. */
  account: string;
  amount?: string;
  txid?: string;
  /** Encoded fields to add after tag 62. */
  more?: string;
}

/** Returns a QR code with a correct checksum, even if its content is invalid. */
export function codeWith({ account, amount, txid = '***', more = '' }: Code): string {
  const text = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + account),
    field('52', '0000'),
    field('53', '986'),
    amount === undefined ? '' : field('54', amount),
    field('58', 'BR'),
    field('59', 'Fulano de Tal'),
    field('60', 'BRASILIA'),
    field('62', field('05', txid)),
    more,
    '6304',
  ].join('');
  return text + checksum(text);
}

export function staticCode(pixKey: string, more: Omit<Code, 'account'> = {}): string {
  return codeWith({ account: field('01', pixKey), ...more });
}

/** Returns a dynamic QR code that contains this URL unchanged, even if it is invalid. */
export function codeTo(url: string): string {
  return codeWith({ account: field('25', url) });
}

/** Returns a dynamic QR code as a bank usually writes it. */
export function dynamicCode(location: string): string {
  return writeDynamicCode({ location, merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' });
}
