import { normalized } from '@plataforma/kernel';

/** Words for the same thing, of which a page says one. */
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

/** The words that mean the same as a plain one, itself included; none where no other is known. */
export function sameAs(word: string): readonly string[] {
  return SAME.find((words) => words.includes(word)) ?? [];
}

/** Without case and accents: people write `cobranca`. */
export function plainOf(text: string): string {
  return normalized(text, 'NFD').replace(/\p{M}/gu, '').toLowerCase();
}
