import { withPlainHyphens } from './characters.ts';

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const ONE_DIGIT_REPEATED = /^(\d)\1*$/;

const CPF_WEIGHTS = 10;
const CNPJ_WEIGHTS = 8;

/**
 * Returns a CPF or CNPJ as it is stored and compared, whatever it was copied from: without punctuation, blanks and
 * invisible characters, in upper case. The letters of an alphanumeric CNPJ stay.
 */
export function normaliseDocument(text: string): string {
  return withPlainHyphens(text)
    .replace(/[.\-/\s]/g, '')
    .toUpperCase();
}

/** Whether the text is 11 digits; the check digits may be wrong. */
export function hasCpfShape(text: string): boolean {
  return CPF.test(text);
}

/**
 * Whether the text is `[0-9A-Z]{12}[0-9]{2}`, which covers the numeric and the alphanumeric CNPJ (IN RFB
 * 2229/2024).
 */
export function hasCnpjShape(text: string): boolean {
  return CNPJ.test(text);
}

/**
 * Whether the text, without punctuation, is a CPF with right check digits; one digit eleven times over is
 * refused.
 */
export function isCpf(text: string): boolean {
  return hasCpfShape(text) && !ONE_DIGIT_REPEATED.test(text) && endsInCheckDigits(text, CPF_WEIGHTS);
}

/**
 * Whether the text, without punctuation and in upper case, is a CNPJ with right check digits, numeric or
 * alphanumeric (IN RFB 2229/2024); one digit fourteen times over is refused.
 */
export function isCnpj(text: string): boolean {
  return hasCnpjShape(text) && !ONE_DIGIT_REPEATED.test(text) && endsInCheckDigits(text, CNPJ_WEIGHTS);
}

/**
 * A document without punctuation as pages and answers may show it: `***.456.789-**` of a CPF, `**.345.678/0001-**` of a
 * CNPJ; the check digits, which a reader could work out what is missing by, are never shown.
 */
export function maskedDocument(document: string): string {
  if (hasCpfShape(document)) return `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`;
  const [root, branch] = [`${document.slice(2, 5)}.${document.slice(5, 8)}`, document.slice(8, 12)];
  return `**.${root}/${branch}-**`;
}

function endsInCheckDigits(document: string, weightCount: number): boolean {
  const base = document.slice(0, -2);
  const first = checkDigit(base, weightCount);
  return document === `${base}${first}${checkDigit(`${base}${first}`, weightCount)}`;
}

/**
 * Modulo 11 with weights from the right 2, 3, … starting over after `weightCount`; a letter counts ASCII −
 * 48.
 */
function checkDigit(base: string, weightCount: number): number {
  let sum = 0;
  for (let index = 0; index < base.length; index += 1) {
    const fromRight = base.length - 1 - index;
    sum += (base.charCodeAt(index) - 48) * (2 + (fromRight % weightCount));
  }
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
