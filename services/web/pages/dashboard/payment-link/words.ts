import { pageWords } from '../../shared/page-words.ts';

export const oneLinkWords = pageWords({
  send: ['Mande este link', 'Send this link'],
  starts: ['Começaram a pagar', 'Started to pay'],
  copy: ['Copiar link', 'Copy link'],
  url: ['Endereço do link', 'Address of the link'],
  qrCode: ['Código QR do link', 'QR code of the link'],
  openLink: ['Abrir página', 'Open page'],
  download: ['Baixar código QR', 'Download QR code'],
  fileName: ['link-de-pagamento.png', 'payment-link.png'],
  noUrl: [
    'Esta instalação não tem página de pagamento: o link não tem endereço.',
    'This installation has no payment page: the link has no address.',
  ],
  pauseTitle: ['Pausar link?', 'Pause this link?'],
  pauseText: [
    'Quem abrir lê que o link não recebe pagamentos. Quem já está pagando pode terminar. Dá para reativar quando quiser.',
    'Who opens it reads that it takes no payments. Who is paying already can finish. You can resume it at any time.',
  ],
  paused: ['Link pausado', 'Link paused'],
  resume: ['Reativar', 'Resume'],
  resumed: ['Link reativado', 'Link resumed'],
  visitsHint: [
    'Vezes que a página foi aberta, também por aplicativos que mostram uma prévia.',
    'How often the page was opened, also by apps that show a preview.',
  ],
  startsHint: ['Compradores que disseram quem são.', 'Buyers who said who they are.'],
  paymentsHint: ['Conta também o que foi devolvido depois.', 'What was refunded since counts, too.'],
  conversion: ['Conversão', 'Conversion'],
  conversionHint: ['Pagamentos, de quantos começaram a pagar.', 'Payments, of how many started to pay.'],
  linkCharges: ['Cobranças deste link', 'Charges of this link'],
  noChargesText: [
    'Quando um comprador escolher como pagar, a cobrança aparece aqui.',
    'When a buyer chooses how to pay, the charge appears here.',
  ],
  methods: ['Meios', 'Methods'],
  uses: ['Quantas vezes', 'How often'],
  once: ['Uma vez', 'Once'],
  times: ['{uses} vezes', '{uses} times'],
  never: ['Não expira', 'Does not expire'],
  pixExpires: ['Validade do Pix', 'Pix valid for'],
  returnUrl: ['Retorno', 'Return'],
  buyerUrl: ['Endereço só do comprador', 'Address for its buyer only'],
  prefix: ['Pedidos começam com', 'Orders begin with'],
  notices: {
    INACTIVE: [
      'Pausado: quem abrir lê que o link não recebe pagamentos. Reative para voltar a receber.',
      'Paused: who opens it reads that it takes no payments. Resume it to be paid again.',
    ],
    EXPIRED: [
      'A validade terminou: o link não recebe pagamentos. Edite a validade para voltar a receber.',
      'It is past its date and takes no payments. Edit the date to be paid again.',
    ],
    USED_UP: [
      'Já foi pago quantas vezes podia. Para receber mais, edite quantas vezes pode ser pago.',
      'It has been paid as often as it can be. To be paid again, edit how often it can be paid.',
    ],
    ORDER_PAID: [
      'O pedido foi pago. Este link não recebe outro pagamento.',
      'The order is paid. This link takes no other payment.',
    ],
    HELD: [
      'Compradores estão pagando os usos que restam. Outros ainda podem pagar: valem os primeiros pagamentos.',
      'Buyers are paying all uses that are left. Others may still pay: the first payments count.',
    ],
  },
});
