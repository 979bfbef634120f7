import type { EvidenceType } from '@plataforma/contracts';
import { Refusal, visibleLine } from '@plataforma/kernel';
import { pixelsOf } from '../../domain/image-size.ts';

/** A file of a dispute's evidence, without its bytes. */
export interface EvidenceFile {
  id: string;
  disputeId: string;
  name: string;
  type: EvidenceType;
  /** The size in bytes. */
  size: number;
  createdAt: Date;
}

/** The first bytes of each type (ISO 32000-1, 7.5.2; PNG, 5.2; JPEG, B.1.1) and its file name extensions. */
const kinds: Record<EvidenceType, { begins: Buffer; endings: readonly [string, ...string[]] }> = {
  'application/pdf': { begins: Buffer.from('%PDF-'), endings: ['.pdf'] },
  'image/png': { begins: Buffer.from('89504e470d0a1a0a', 'hex'), endings: ['.png'] },
  'image/jpeg': { begins: Buffer.from('ffd8ff', 'hex'), endings: ['.jpg', '.jpeg'] },
};
const types: readonly EvidenceType[] = ['application/pdf', 'image/png', 'image/jpeg'];

/** The pixels of an A4 page at 1,200 dots per inch. */
const MAX_PIXELS = 140_000_000;

/**
 * Returns the type that the first bytes show. Throws a Refusal for a type that is not accepted, and for an
 * image with too many pixels.
 */
export function requireType(bytes: Buffer): EvidenceType {
  const type = types.find((one) => bytes.subarray(0, kinds[one].begins.length).equals(kinds[one].begins));
  if (type?.startsWith('image/') && pixelsOf(bytes) > MAX_PIXELS) {
    throw new Refusal('media_type', 'UNSUPPORTED_MEDIA_TYPE', 'file: has more than 140 million pixels');
  }
  if (type) return type;
  throw new Refusal('media_type', 'UNSUPPORTED_MEDIA_TYPE', 'file: must be a PDF, PNG or JPEG');
}

/** Control characters, and code points without a character. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu;
/** Characters that some operating systems reserve in file names. */
const RESERVED = /[<>:"|?*]/g;
/** Names that Windows cannot use for a file, even with spaces before the extension. */
const DEVICE = /^(?:con(?:in\$|out\$)?|prn|aux|nul|(?:com|lpt)[\d¹²³]) *(?:\..*)?$/i;
const MAX_STEM = 100;

/**
 * Returns a file name that is safe on every system. It is the last part of the sent path, without invisible
 * characters and with the extension of the file's type.
 */
export function safeName(sent: string, type: EvidenceType): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const shown = visibleLine(last)
    .replace(UNSEEN, '')
    .replace(RESERVED, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  const { endings } = kinds[type];
  const ending = endings.find((one) => shown.toLowerCase().endsWith(one)) ?? '';
  const stem = [...shown.slice(0, shown.length - ending.length)].slice(0, MAX_STEM).join('');
  const name = DEVICE.test(stem) ? `file-${stem}` : stem;
  return `${name || 'file'}${ending || endings[0]}`;
}

export function noSuchFile(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no file with this id');
}
