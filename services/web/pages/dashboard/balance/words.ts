import { pageWords } from '../../shared/page-words.ts';

export const balanceWords = pageWords({
  toStatement: ['Ver extrato', 'View statement'],
  toWithdrawal: ['Sacar', 'Withdraw'],
  byMethod: ['Por meio de pagamento', 'By payment method'],
  available: ['Disponível', 'Available'],
  totals: ['Desde o início', 'Since the beginning'],
  earned: ['Recebido (bruto)', 'Received, gross'],
  withdrawn: ['Sacado', 'Withdrawn'],
  receivables: ['Calendário de recebíveis', 'Calendar of receivables'],
  total: [(amount: string) => `${amount} a receber`, (amount: string) => `${amount} to settle`],
  settledTotal: [(amount: string) => `${amount} já liquidados`, (amount: string) => `${amount} settled`],
  settled: ['já liquidado', 'settled'],
  exportPending: ['Exportar CSV: a receber', 'Export CSV: to settle'],
  exportSettled: ['Exportar CSV: já liquidados', 'Export CSV: settled'],
  pendingFile: ['recebiveis-a-receber', 'receivables-to-settle'],
  settledFile: ['recebiveis-liquidados', 'receivables-settled'],
  none: ['Nada a receber por enquanto', 'Nothing to settle'],
  noneText: [
    'Vendas no cartão aparecem aqui, no dia em que o dinheiro fica disponível.',
    'Card sales appear here, on the day their money becomes available.',
  ],
  chargeCount: [
    (count: number) => (count === 1 ? '1 cobrança' : `${count} cobranças`),
    (count: number) => (count === 1 ? '1 charge' : `${count} charges`),
  ],
  previous: ['Mês anterior', 'Previous month'],
  next: ['Próximo mês', 'Next month'],
});
