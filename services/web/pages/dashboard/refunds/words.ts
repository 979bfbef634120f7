import { catalogue } from '../../shared/language.ts';

export const refundsWords = catalogue(
  {
    title: 'Devoluções',
    amount: 'Valor',
    status: 'Situação',
    reason: 'Motivo',
    requested: 'Pedida em',
    all: 'Todas',
    emptyTitle: 'Nenhuma devolução',
    emptyText: 'Para devolver um pagamento, abra a cobrança paga e escolha “Devolver”.',
    noneTitle: 'Nenhuma devolução com estes filtros',
  },
  {
    title: 'Refunds',
    amount: 'Amount',
    status: 'Status',
    reason: 'Reason',
    requested: 'Requested',
    all: 'All',
    emptyTitle: 'No refunds',
    emptyText: 'To refund a payment, open the paid charge and choose “Refund”.',
    noneTitle: 'No refunds with these filters',
  },
);
