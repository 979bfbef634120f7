import { pageWords } from '../../shared/page-words.ts';

export const chargesWords = pageWords({
  created: ['Criada em', 'Created'],
  searchHint: ['Pedido, pagador, valor…', 'Order, payer, amount…'],
  emptyTitle: ['Crie sua primeira cobrança', 'Create your first charge'],
  emptyText: [
    'Uma cobrança é um pedido de pagamento por Pix, com QR Code e link. A cobrança e o pagamento aparecem aqui.',
    'A charge requests a payment by Pix, with a QR code and a link. The charge and its payment appear here.',
  ],
  noneTitle: ['Nenhuma cobrança com estes filtros', 'No charges with these filters'],
  partlyRefunded: ['Devolvida em parte · {amount}', 'Partly refunded · {amount}'],
  card: ['{brand} •••• {digits}', '{brand} •••• {digits}'],
});
