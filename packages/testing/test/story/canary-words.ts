import { randomBytes, randomUUID } from 'node:crypto';

const mark = randomBytes(6).toString('hex');

/**
 * Personal data and data of companies. Only the columns, logs and messages that `canary-needs.ts` lists may
 * contain them.
 */
export const personal = {
  'account e-mail': `canario-${mark}@loja.test`,
  'company name': `Passaredo ${mark}`,
  'company CNPJ': '11222333000181',
  'account phone': '11912340001',
  'changed phone': '11912340002',
  'payer name': `Zuleica Canarinha ${mark}`,
  'payer CPF': '52998224725',
  'payer CNPJ': '12ABC34501DE35',
  'holder name': `Valdomiro Canarinho ${mark}`,
  'holder CPF': '11144477735',
  'key CPF': '39053344705',
  'key e-mail': `favorecido-${mark}@banco.test`,
  'key phone': '+5511912340003',
  'random key': randomUUID(),
  'card holder': `Florisbela Cartao ${mark}`,
  'operator e-mail': `operadora-${mark}@plataforma.test`,
} as const;

/** Credentials and card data, which no place in the platform may contain. */
export const secret = {
  password: `senha-canario-${mark}`,
  'wrong password': `senha-errada-${mark}`,
  'operator’s password': `senha-operadora-${mark}`,
  'wrong API key': `sk_sandbox_errada${mark}`,
  'API key in a query': `sk_live_consulta${mark}`,
  'API key in a path': `sk_live_caminho${mark}`,
  'API key as a request id': `sk_live_pedido${mark}`,
  'wrong refresh token': `renova-${mark}-errado`,
  'wrong access token': `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ${mark}.assinatura${mark}`,
  'webhook secret': `whsec_canario${mark}0123456789`,
  'next webhook secret': `whsec_proximo${mark}0123456789`,
  'guessed callback secret': `retorno-${mark}`,
  'card number': '4000000000000010',
  'declined card number': '4000000000000028',
} as const;

/** A bank account number. Operators and payees may read it, but no log may contain it. */
export const accountNumber = '77665544';

export type Words = ReadonlyMap<string, string>;

/**
 * Returns the names of the words that a text contains. Upper and lower case, and the punctuation in numbers,
 * make no difference.
 */
export function wordsIn(text: string, words: Words): string[] {
  const plain = text.toLowerCase();
  const bare = plain.replace(/(?<=[0-9a-z])[./ -](?=[0-9a-z])/g, '');
  return [...words]
    .filter(([, word]) => plain.includes(word.toLowerCase()) || bare.includes(word.toLowerCase()))
    .map(([name]) => name);
}
