import { normalized } from '@plataforma/kernel';

/** Groups of synonyms. A search for any word of a group also finds pages with its other words. */
const SAME: readonly (readonly string[])[] = [
  [
    'devolucao',
    'devolucoes',
    'devolver',
    'estorno',
    'estornar',
    'reembolso',
    'reembolsar',
    'refund',
    'refunds',
    'refunded',
  ],
  ['contestacao', 'contestacoes', 'disputa', 'chargeback', 'med', 'dispute'],
  ['parcial', 'parciais', 'partial'],
  ['parcelamento', 'parcelar', 'parcelas', 'parcelado', 'installments'],
  ['simular', 'simulacao', 'simulate'],
  ['pagamento', 'pagar', 'pague', 'payment', 'pay'],
  ['cobrar', 'cobre', 'cobranca', 'cobrancas', 'charge', 'charges', 'boleto'],
  ['cartao', 'cartoes', 'credito', 'card', 'cards'],
  ['receber', 'receba', 'receive'],
  ['saque', 'saques', 'sacar', 'transferencia', 'payout', 'withdrawal', 'withdrawals'],
  ['saldo', 'extrato', 'balance', 'statement'],
  ['chave', 'chaves', 'key', 'keys'],
];

/** Returns the group of synonyms that contains a plain word, or an empty list. */
export function sameAs(word: string): readonly string[] {
  return SAME.find((words) => words.includes(word)) ?? [];
}

/** Returns a text in lower case and without accents, because people type `cobranca` for `cobrança`. */
export function plainOf(text: string): string {
  return normalized(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
}
