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
  seller: ['Como você vende', 'How you sell'],
  sellers: {
    message: ['Vendo por mensagem', 'I sell by message'],
    site: ['Tenho um site', 'I have a site'],
  },
  linkStep: ['Crie um link de pagamento', 'Create a payment link'],
  linkText: [
    'Diga o que vende e por quanto. O mesmo link serve para vários clientes.',
    'Say what you sell and for how much. One link works for many customers.',
  ],
  shareStep: ['Envie o link', 'Send the link'],
  shareText: [
    'Mande pelo WhatsApp ou por onde você conversa com os seus clientes.',
    'Send it by WhatsApp, or wherever you talk to your customers.',
  ],
  paidStep: ['Veja o pagamento chegar', 'See the payment arrive'],
  paidTest: [
    'Abra o link como se fosse o cliente e escolha Pix. Depois abra a cobrança aqui e simule o pagamento.',
    'Open the link as a customer would and choose Pix. Then open the charge here and simulate the payment.',
  ],
  paidLive: [
    'A cobrança fica paga aqui segundos depois do Pix. Não precisa pedir comprovante.',
    'The charge is paid here seconds after the Pix. You need no proof from the customer.',
  ],
  bankStep: ['Cadastre a sua conta bancária', 'Add your bank account'],
  bankText: [
    'É para onde você saca o saldo: uma chave Pix ou uma conta.',
    'Your withdrawals go there: a Pix key or an account.',
  ],
  key: ['Crie uma chave de API', 'Create an API key'],
  keyText: ['Seu servidor usa a chave para criar cobranças.', 'Your server uses the key to create charges.'],
  chargeStep: ['Crie e pague uma cobrança', 'Create a charge and pay it'],
  chargeTest: [
    'No modo de teste, simule o pagamento com um clique.',
    'In test mode, simulate the payment with a click.',
  ],
  chargeLive: [
    'A cobrança fica paga aqui segundos depois do Pix.',
    'The charge is paid here seconds after the Pix.',
  ],
  failing: [
    'Um webhook está falhando: o seu servidor não recebe os eventos.',
    'A webhook is failing: your server does not receive the events.',
  ],
  viewWebhook: ['Ver webhook', 'View webhook'],
  webhook: ['Configure um webhook', 'Configure a webhook'],
  inReview: [
    'Sua conta está em análise. Enquanto isso, experimente tudo no modo de teste.',
    'Your account is under review. Meanwhile, try everything in test mode.',
  ],
  viewReview: ['O que vem a seguir', 'What comes next'],
  webhookText: [
    'Seu servidor recebe um evento a cada pagamento.',
    'Your server receives an event for each payment.',
  ],
});
