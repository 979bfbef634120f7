import { hasCnpjShape, hasCpfShape, maskedDocument } from '@plataforma/kernel';

/** Keys that make a query for a key's owner slow, or fail as if the provider were down. */
export const SLOW_KEY = 'slow@sandbox.test';
export const DOWN_KEY = 'down@sandbox.test';
const COMPANY_KEY = 'company@sandbox.test';
/** A key that changes its owner between the query and the payment. */
const OTHER_KEY = 'other@sandbox.test';

const BANK = { nome: 'Banco Sandbox', ispb: '00000000' };
const PERSON = { nome: 'Favorecido do Sandbox', cpf: '***.456.789-**' };
const COMPANY = { nome: 'Loja do Sandbox Ltda.', cnpj: '34665388000161' };
const OTHER = { nome: 'Outra Pessoa do Sandbox', cpf: '***.987.654-**' };

/** Returns the owner who receives a payout to the key. A CPF has hidden digits, as in Efí's API. */
export function payeeOf(key: string): { nome: string; cpf?: string; cnpj?: string } {
  if (key === COMPANY_KEY) return COMPANY;
  if (hasCnpjShape(key)) return { ...COMPANY, cnpj: key };
  return hasCpfShape(key) ? { ...PERSON, cpf: maskedDocument(key) } : PERSON;
}

/** Returns the answer to a query for the owner of a key. */
export function keyOwnerOf(key: string) {
  return { chave: key, titular: key === OTHER_KEY ? OTHER : payeeOf(key), banco: BANK };
}
