import { pageWords } from '../../shared/page-words.ts';

export const homeWords = pageWords({
  earned: ['Total recebido', 'Total received'],
  sales: ['Vendas', 'Sales'],
  days: ['{days} dias', '{days} days'],
  volume: ['Volume recebido', 'Volume received'],
  paid: ['Cobranças pagas', 'Paid charges'],
  noSales: ['Nenhuma venda neste período', 'No sales in this period'],
  approval: ['{rate} dos cartões aprovados', '{rate} of cards approved'],
  latest: ['Cobranças recentes', 'Recent charges'],
  begin: ['Primeiros passos', 'First steps'],
  done: ['Feito', 'Done'],
  open: ['A fazer', 'To do'],
  key: ['Crie uma chave de API', 'Create an API key'],
  keyText: ['Seu servidor usa a chave para criar cobranças.', 'Your server uses the key to create charges.'],
  chargeStep: ['Crie e pague uma cobrança', 'Create a charge and pay it'],
  chargeText: [
    'Em teste, simule o pagamento com um clique.',
    'In test mode, simulate the payment with a click.',
  ],
  failing: [
    'Um webhook está falhando: o seu servidor não recebe os eventos.',
    'A webhook is failing: your server does not receive the events.',
  ],
  viewWebhook: ['Ver webhook', 'View webhook'],
  webhook: ['Configure um webhook', 'Configure a webhook'],
  webhookText: [
    'Seu servidor recebe um evento a cada pagamento.',
    'Your server receives an event for each payment.',
  ],
});
