import { pageWords } from '../../shared/page-words.ts';

export const newChargeWords = pageWords({
  orderPrefix: ['pedido-', 'order-'],
  orderHint: ['Um pedido não pode ter duas cobranças abertas.', 'An order can’t have two open charges.'],
  payerEmail: ['E-mail do pagador', 'Payer’s e-mail'],
  descriptionHint: ['O pagador vê na página de pagamento.', 'The payer sees it on the payment page.'],
  expiresIn: ['Validade', 'Expires after'],
  create: ['Criar cobrança', 'Create charge'],
  created: ['Cobrança criada', 'Charge created'],
  resuming: [
    'A página foi recarregada antes da resposta. Conferindo a cobrança que você enviou…',
    'The page was reloaded before the response arrived. Looking for the charge that you sent…',
  ],
});
