import { pageWords } from '../../shared/page-words.ts';

export const chargesWords = pageWords({
  created: ['Criada em', 'Created'],
  searchHint: ['Pedido, pagador, txid…', 'Order, payer, txid…'],
  emptyTitle: ['Crie sua primeira cobrança', 'Create your first charge'],
  emptyText: [
    'Uma cobrança é um pedido de pagamento por Pix, com código QR e link. Ela aparece aqui, e o pagamento também.',
    'A charge asks for a payment by Pix, with a QR code and a link. It appears here, and so does its payment.',
  ],
  noneTitle: ['Nenhuma cobrança com estes filtros', 'No charges with these filters'],
  card: ['{brand} •••• {digits}', '{brand} •••• {digits}'],
});
