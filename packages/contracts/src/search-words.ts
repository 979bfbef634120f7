import { normalized } from '@plataforma/kernel';

/** Synonyms, because a page uses only one word of a group. */
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

/** Returns the synonyms of a plain word, itself included; empty when it has none. */
export function sameAs(word: string): readonly string[] {
  return SAME.find((words) => words.includes(word)) ?? [];
}

/** Returns a text without case and accents, because people type `cobranca`. */
export function plainOf(text: string): string {
  return normalized(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
}
