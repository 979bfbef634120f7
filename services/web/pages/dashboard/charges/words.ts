import { catalogue } from '../../shared/language.ts';

export const chargesWords = catalogue({
  title: ['Cobranças', 'Charges'],
  create: ['Nova cobrança', 'New charge'],
  amount: ['Valor', 'Amount'],
  status: ['Situação', 'Status'],
  order: ['Pedido', 'Order'],
  payer: ['Pagador', 'Payer'],
  method: ['Meio', 'Method'],
  net: ['Líquido', 'Net'],
  created: ['Criada em', 'Created'],
  all: ['Todas', 'All'],
  allMethods: ['Todos', 'All'],
  search: ['Busca', 'Search'],
  searchHint: ['Pedido, pagador, txid…', 'Order, payer, txid…'],
  emptyTitle: ['Crie sua primeira cobrança', 'Create your first charge'],
  emptyText: [
    'Uma cobrança é um pedido de pagamento por Pix, com código QR e link. Ela aparece aqui, e o pagamento também.',
    'A charge asks for a payment by Pix, with a QR code and a link. It appears here, and so does its payment.',
  ],
  noneTitle: ['Nenhuma cobrança com estes filtros', 'No charges with these filters'],
  card: [
    (brand: string, digits: string) => `${brand} •••• ${digits}`,
    (brand: string, digits: string) => `${brand} •••• ${digits}`,
  ],
});
