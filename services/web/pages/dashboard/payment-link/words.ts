import { pageWords } from '../../shared/page-words.ts';

export const oneLinkWords = pageWords({
  send: ['Envie este link', 'Send this link'],
  starts: ['Começaram a pagar', 'Started to pay'],
  copy: ['Copiar link', 'Copy link'],
  url: ['Endereço do link', 'Link address'],
  qrCode: ['QR Code do link', 'Link QR code'],
  openLink: ['Abrir página', 'Open page'],
  download: ['Baixar QR Code', 'Download QR code'],
  fileName: ['link-de-pagamento.png', 'payment-link.png'],
  noUrl: [
    'Esta instalação não tem página de pagamento: o link não tem endereço.',
    'This installation has no payment page, so the link has no address.',
  ],
  pauseTitle: ['Pausar link?', 'Pause this link?'],
  pauseText: [
    'O link deixa de receber pagamentos. Quem já começou a pagar pode terminar. Você pode reativar o link quando quiser.',
    'The link stops accepting payments. Buyers who already started to pay can finish. You can resume the link at any time.',
  ],
  paused: ['Link pausado', 'Link paused'],
  resume: ['Reativar', 'Resume'],
  resumed: ['Link reativado', 'Link resumed'],
  visitsHint: [
    'Vezes que a página foi aberta, também por aplicativos que mostram uma prévia.',
    'Number of times the page was opened, including previews in apps.',
  ],
  startsHint: ['Compradores que informaram nome e documento.', 'Buyers who entered a name and document.'],
  paymentsHint: ['Inclui pagamentos devolvidos depois.', 'Includes payments that were refunded later.'],
  conversion: ['Conversão', 'Conversion'],
  conversionHint: [
    'Pagamentos divididos por compradores que começaram a pagar.',
    'Payments divided by buyers who started to pay.',
  ],
  linkCharges: ['Cobranças deste link', 'Charges of this link'],
  noChargesText: [
    'Quando um comprador escolher o meio de pagamento, a cobrança aparece aqui.',
    'When a buyer chooses a payment method, the charge appears here.',
  ],
  methods: ['Meios', 'Methods'],
  uses: ['Limite de pagamentos', 'Payment limit'],
  once: ['Uma vez', 'Once'],
  times: ['{uses} vezes', '{uses} times'],
  never: ['Não expira', 'Does not expire'],
  pixExpires: ['Validade do código Pix', 'Pix code expires after'],
  returnUrl: ['Endereço de retorno', 'Return address'],
  buyerUrl: ['Endereço só do comprador', 'Address for the buyer only'],
  prefix: ['Prefixo do número do pedido', 'Order number prefix'],
  notices: {
    INACTIVE: [
      'O link está pausado e não recebe pagamentos. Reative para voltar a receber.',
      'The link is paused and does not accept payments. Resume it to accept payments again.',
    ],
    EXPIRED: [
      'O link expirou e não recebe pagamentos. Edite a validade para voltar a receber.',
      'The link has expired and does not accept payments. Edit the expiry to accept payments again.',
    ],
    USED_UP: [
      'O link atingiu o limite de pagamentos. Para receber mais, aumente quantas vezes ele pode ser pago.',
      'The link has reached its payment limit. Raise the limit to accept more payments.',
    ],
    ORDER_PAID: [
      'O pedido foi pago. Este link não recebe outro pagamento.',
      'The order is paid. This link does not accept another payment.',
    ],
    HELD: [
      'Compradores estão pagando os usos que restam. Outros ainda podem pagar: valem os primeiros pagamentos.',
      'Buyers are paying all remaining uses. Other buyers can still pay: the first payments count.',
    ],
  },
});
