import { pageWords } from '../../shared/page-words.ts';

export const linkWords = pageWords({
  searchHint: ['Descrição, seu número, valor…', 'Description, your number, amount…'],
  create: ['Novo link', 'New link'],
  visits: ['Visitas', 'Visits'],
  starts: ['Iniciados', 'Started'],
  payments: ['Pagamentos', 'Payments'],
  created: ['Criado em', 'Created'],
  link: ['Link', 'Link'],
  copy: ['Copiar link: {description}', 'Copy link: {description}'],
  ofUses: ['{payments} de {uses}', '{payments} of {uses}'],
  between: ['{least} a {most}', '{least} to {most}'],
  atLeast: ['A partir de {least}', 'From {least}'],
  atMost: ['Até {most}', 'Up to {most}'],
  emptyTitle: ['Crie seu primeiro link de pagamento', 'Create your first payment link'],
  emptyText: [
    'Um link é uma página que recebe pagamentos por Pix ou cartão. Mande por mensagem, coloque no seu perfil ou imprima o QR Code. O comprador informa nome e documento e paga, e você não precisa de um site.',
    'A link is a page that accepts payments by Pix or card. Send it in a message, add it to your profile or print its QR code. The buyer enters a name and document and pays, and you do not need a website.',
  ],
  noneTitle: ['Nenhum link com estes filtros', 'No links with these filters'],
});
