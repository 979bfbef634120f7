import { catalogue } from '../../shared/language.ts';

export const homeWords = catalogue({
  title: ['Início', 'Home'],
  withdrawable: ['Disponível para saque', 'Available to withdraw'],
  pending: ['A receber', 'To settle'],
  reserved: ['Reservado em contestações', 'Reserved for disputes'],
  blocked: ['Bloqueado', 'Blocked'],
  debt: ['Dívida de contestações', 'Dispute debt'],
  earned: ['Total recebido', 'Total received'],
  sales: ['Vendas', 'Sales'],
  period: ['Período', 'Period'],
  days: [(days: string) => `${days} dias`, (days: string) => `${days} days`],
  volume: ['Volume recebido', 'Volume received'],
  paid: ['Cobranças pagas', 'Paid charges'],
  noSales: ['Nenhuma venda neste período', 'No sales in this period'],
  approval: [
    (rate: string) => `${rate} dos cartões aprovados`,
    (rate: string) => `${rate} of cards approved`,
  ],
  latest: ['Cobranças recentes', 'Latest charges'],
  all: ['Ver todas', 'View all'],
  none: ['Nenhuma cobrança ainda', 'No charges yet'],
  begin: ['Primeiros passos', 'First steps'],
  done: ['Feito', 'Done'],
  open: ['A fazer', 'To do'],
  key: ['Crie uma chave de API', 'Create an API key'],
  keyText: ['Seu servidor usa a chave para criar cobranças.', 'Your server uses it to create charges.'],
  charge: ['Crie e pague uma cobrança', 'Create a charge and pay it'],
  chargeText: [
    'Em teste, simule o pagamento com um clique.',
    'In test mode, simulate the payment with a click.',
  ],
  webhook: ['Configure um webhook', 'Configure a webhook'],
  webhookText: [
    'Seu servidor fica sabendo de cada pagamento na hora.',
    'Your server is notified of every payment right away.',
  ],
});
