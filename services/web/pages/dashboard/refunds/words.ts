import { pageWords } from '../../shared/page-words.ts';

export const refundsWords = pageWords({
  searchHint: ['Pedido, pagador, valor…', 'Order, payer, amount…'],
  requested: ['Pedida em', 'Requested'],
  emptyTitle: ['Nenhuma devolução', 'No refunds'],
  emptyText: [
    'Para devolver um pagamento, abra a cobrança paga e escolha “Devolver”.',
    'To refund a payment, open the paid charge and choose “Refund”.',
  ],
  noneTitle: ['Nenhuma devolução com estes filtros', 'No refunds with these filters'],
});
