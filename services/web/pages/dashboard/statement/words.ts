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
  emptyTitle: ['Nada no extrato ainda', 'Nothing in the statement yet'],
  emptyText: [
    'Cada venda, tarifa, devolução e saque aparece aqui, com o saldo depois dele.',
    'Each sale, fee, refund and withdrawal appears here, with the balance after it.',
  ],
  createCharge: ['Criar cobrança', 'Create a charge'],
  noneTitle: ['Nenhum lançamento com estes filtros', 'No entries with these filters'],
});
