import { withPlainHyphens } from './characters.ts';

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const ONE_DIGIT_REPEATED = /^(\d)\1*$/;

const CPF_WEIGHTS = 10;
const CNPJ_WEIGHTS = 8;

/**
 * Returns a CPF or CNPJ in its stored form: without punctuation, blanks and invisible characters, in upper
 * case. Keeps the letters of an alphanumeric CNPJ.
 */
export function normaliseDocument(text: string): string {
  return withPlainHyphens(text)
    .replace(/[.\-/\s]/g, '')
    .toUpperCase();
}

/** Returns whether the text is 11 digits. Ignores the check digits. */
export function hasCpfShape(text: string): boolean {
  return CPF.test(text);
}

/** Returns whether the text is `[0-9A-Z]{12}[0-9]{2}`: a numeric or alphanumeric CNPJ (IN RFB 2229/2024). */
export function hasCnpjShape(text: string): boolean {
  return CNPJ.test(text);
}

/**
 * Returns whether the text, without punctuation, is a CPF with right check digits. Refuses eleven equal
 * digits.
 */
export function isCpf(text: string): boolean {
  return hasCpfShape(text) && !ONE_DIGIT_REPEATED.test(text) && endsInCheckDigits(text, CPF_WEIGHTS);
}

/**
 * Returns whether the text, without punctuation and in upper case, is a CNPJ with right check digits. Accepts
 * numeric and alphanumeric CNPJs (IN RFB 2229/2024). Refuses fourteen equal digits.
 */
export function isCnpj(text: string): boolean {
  return hasCnpjShape(text) && !ONE_DIGIT_REPEATED.test(text) && endsInCheckDigits(text, CNPJ_WEIGHTS);
}

/**
 * Returns the form of a document for pages and responses: `***.456.789-**` for a CPF, `**.345.678/0001-**`
 * for a CNPJ. Hides the check digits, because they would reveal the missing digits.
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
 * Returns the check digit: modulo 11, with weights 2, 3, … from the right that restart after `weightCount`. A
 * letter counts as its ASCII code − 48.
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
