import { pageWords } from '../../shared/page-words.ts';

export const statementWords = pageWords({
  title: ['Extrato', 'Statement'],
  view: ['Visão', 'View'],
  ledger: ['Contábil', 'Ledger'],
  available: ['Disponível (caixa)', 'Available (cash)'],
  type: ['Tipo', 'Type'],
  allTypes: ['Todos os tipos', 'All types'],
  flow: ['Entradas e saídas', 'In and out'],
  in: ['Entradas', 'In'],
  out: ['Saídas', 'Out'],
  searchHint: ['Número ou ID da cobrança', 'Your number or charge ID'],
  created: ['Data', 'Date'],
  fileName: ['extrato', 'statement'],
  availableFile: ['extrato-disponivel', 'statement-available'],
  byPlatform: ['Pela plataforma', 'By the platform'],
  emptyTitle: ['Nenhum lançamento ainda', 'No transactions yet'],
  emptyText: [
    'Cada venda, tarifa, devolução e saque aparece aqui, com o saldo resultante.',
    'Each sale, fee, refund and withdrawal appears here, with the resulting balance.',
  ],
  createCharge: ['Criar cobrança', 'Create charge'],
  noneTitle: ['Nenhum lançamento com estes filtros', 'No transactions with these filters'],
});
