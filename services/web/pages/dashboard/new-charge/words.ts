import { catalogue } from '../../shared/language.ts';

export const newChargeWords = catalogue({
  title: ['Nova cobrança', 'New charge'],
  amount: ['Valor', 'Amount'],
  order: ['Número do pedido', 'Order number'],
  orderPrefix: ['pedido-', 'order-'],
  orderHint: [
    'O mesmo pedido não gera duas cobranças abertas.',
    'The same order never has two open charges.',
  ],
  payerName: ['Nome do pagador', 'Payer’s name'],
  payerDocument: ['CPF ou CNPJ do pagador', 'Payer’s CPF or CNPJ'],
  payerEmail: ['E-mail do pagador', 'Payer’s e-mail'],
  description: ['Descrição', 'Description'],
  descriptionHint: ['O pagador vê na página de pagamento.', 'The payer sees it on the payment page.'],
  expires: ['Validade', 'Expires after'],
  cancel: ['Cancelar', 'Cancel'],
  create: ['Criar cobrança', 'Create charge'],
  created: ['Cobrança criada', 'Charge created'],
  resuming: [
    'A página foi recarregada antes da resposta. Conferindo a cobrança que você enviou…',
    'The page was reloaded before the answer came. Looking for the charge you sent…',
  ],
});
