import { catalogue } from '../../shared/language.ts';

export const refundsWords = catalogue({
  title: ['Devoluções', 'Refunds'],
  amount: ['Valor', 'Amount'],
  status: ['Situação', 'Status'],
  reason: ['Motivo', 'Reason'],
  requested: ['Pedida em', 'Requested'],
  all: ['Todas', 'All'],
  emptyTitle: ['Nenhuma devolução', 'No refunds'],
  emptyText: [
    'Para devolver um pagamento, abra a cobrança paga e escolha “Devolver”.',
    'To refund a payment, open the paid charge and choose “Refund”.',
  ],
  noneTitle: ['Nenhuma devolução com estes filtros', 'No refunds with these filters'],
});
