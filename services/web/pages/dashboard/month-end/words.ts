import { pageWords } from '../../shared/page-words.ts';

export const monthEndWords = pageWords({
  title: ['Fechamento do mês', 'Month-end closing'],
  statementFile: ['extrato', 'statement'],
  print: ['Imprimir', 'Print'],
  previousMonth: ['Mês anterior', 'Previous month'],
  nextMonth: ['Próximo mês', 'Next month'],
  closed: ['Fechado', 'Closed'],
  partial: ['Parcial', 'Partial'],
  closedText: [
    'O período terminou. Estes valores não mudam mais.',
    'The period is over. These figures no longer change.',
  ],
  partialText: [
    'O período ainda não terminou. Estes valores são parciais.',
    'The period is not over yet. These figures are partial.',
  ],
  movement: ['Movimento', 'Movement'],
  total: ['Total', 'Total'],
  opening: ['Saldo inicial', 'Opening balance'],
  PAYMENT: ['Vendas (bruto)', 'Sales (gross)'],
  FEE: ['Tarifas das vendas', 'Fees of sales'],
  REFUND: ['Devoluções', 'Refunds'],
  DISPUTE: ['Contestações', 'Disputes'],
  netSales: ['Líquido das vendas', 'Net sales'],
  WITHDRAWAL: ['Saques', 'Withdrawals'],
  WITHDRAWAL_FEE: ['Tarifas de saque', 'Withdrawal fees'],
  ADJUSTMENT: ['Ajustes da plataforma', 'Adjustments by the platform'],
  BLOCK: ['Bloqueios', 'Blocks'],
  closing: ['Saldo final', 'Closing balance'],
  basis: [
    'Saldo: disponível mais a receber, menos a dívida de contestações. Cada movimento conta no dia do lançamento ({zone}).',
    'Balance: available plus pending, less dispute debt. Each movement counts on the day of its posting ({zone}).',
  ],
  toStatement: ['Ver lançamentos', 'View transactions'],
});
