import { catalogue } from '@plataforma/contracts/catalogue';
import type { Language } from './state.ts';

export const words = catalogue({
  ownName: ['Português', 'English'],
  title: ['Pagar {merchant}', 'Pay {merchant}'],
  tab: {
    open: ['Pagar', 'Pay'],
    waiting: ['Aguardando pagamento', 'Awaiting payment'],
    late: ['Conferindo o pagamento', 'Checking the payment'],
    paid: ['Pago', 'Paid'],
    expired: ['Expirado', 'Expired'],
    cancelled: ['Cancelado', 'Cancelled'],
    refunded: ['Devolvido', 'Refunded'],
    disputed: ['Contestado', 'Disputed'],
  },
  contact: ['Contato:', 'Contact:'],
  processedBy: ['Pagamento processado por {brand}', 'Payment processed by {brand}'],
  privacy: ['Privacidade', 'Privacy'],
  test: ['Modo de teste', 'Test mode'],
  testHint: ['Nenhum valor será cobrado.', 'No money will be charged.'],
  amount: ['Valor', 'Amount'],
  howToCopy: [
    'Copie o código e cole no app do seu banco, em Pix copia e cola.',
    'Copy the code and paste it in your bank’s app, under Pix copia e cola.',
  ],
  howToScan: [
    'Abra o app do seu banco, escolha Pix e aponte a câmera para o código.',
    'Open your bank’s app, choose Pix and point the camera at the code.',
  ],
  copy: ['Copiar código Pix', 'Copy Pix code'],
  copied: ['Código copiado', 'Code copied'],
  copyByHand: [
    'O navegador não copiou. O código está selecionado: copie com Ctrl+C ou toque nele e segure.',
    'The browser did not copy it. The code is selected: press Ctrl+C, or touch and hold it.',
  ],
  code: ['Código Pix copia e cola', 'Pix copy-and-paste code'],
  qr: ['QR Code do Pix de {amount}', 'Pix QR code for {amount}'],
  waiting: ['Aguardando o pagamento', 'Waiting for the payment'],
  late: ['Conferindo o pagamento…', 'Checking the payment…'],
  slow: ['Está demorando mais que o normal. Aguarde.', 'This takes longer than usual. Please wait.'],
  expiresIn: ['Expira em', 'Expires in'],
  expiresAt: ['Válido até {at}', 'Valid until {at}'],
  paidInShop: ['Este pedido é pago na loja, com cartão.', 'This order is paid in the shop, by card.'],
  paid: ['Pagamento confirmado', 'Payment confirmed'],
  paidHint: ['Você já pode fechar esta página.', 'You can close this page now.'],
  refunded: ['Pagamento devolvido', 'Payment refunded'],
  partlyRefunded: ['Devolvido em parte · {amount}', 'Partly refunded · {amount}'],
  disputed: ['Pagamento contestado', 'Payment disputed'],
  disputedHint: [
    'O banco está analisando o pedido de devolução.',
    'The bank is reviewing the refund request.',
  ],
  expired: ['O código expirou', 'The code has expired'],
  expiredHint: [
    'Peça um novo código à loja. Não pague o código antigo.',
    'Ask the shop for a new code. Do not pay the old one.',
  ],
  cancelled: ['Cobrança cancelada', 'Charge cancelled'],
  cancelledHint: [
    'A loja cancelou esta cobrança. Não pague o código.',
    'The shop cancelled this charge. Do not pay the code.',
  ],
  paidAt: ['Pago em', 'Paid on'],
  refundedAt: ['Devolvido em', 'Refunded on'],
  refundedAmount: ['Valor devolvido', 'Amount refunded'],
  disputedAt: ['Contestado em', 'Disputed on'],
  disputedAmount: ['Valor contestado', 'Amount disputed'],
  endToEnd: ['ID da transação Pix', 'Pix transaction ID'],
  language: ['Idioma', 'Language'],
  again: ['Tentar de novo', 'Try again'],
  howToPay: ['Como você quer pagar?', 'How do you want to pay?'],
  payByPix: ['Pagar com Pix', 'Pay by Pix'],
  payByCard: ['Pagar com cartão', 'Pay by card'],
  newCode: ['Gerar novo código Pix', 'Create a new Pix code'],
  newCodeHint: ['Não pague o código antigo.', 'Do not pay the old code.'],
  making: ['Gerando o código Pix…', 'Creating the Pix code…'],
  checking: [
    'Conferindo o pagamento com o banco. Não feche esta página.',
    'Checking the payment with the bank. Do not close this page.',
  ],
  card: ['Cartão', 'Card'],
  cardEndingIn: ['{brand} final {digits}', '{brand} ending in {digits}'],
  installments: ['Parcelas', 'Installments'],
  equal: ['{count}x de {amount} sem juros', '{count} × {amount}, interest-free'],
  unequal: [
    '{count}x sem juros: a primeira de {first}, as outras de {amount}',
    '{count} installments, interest-free: the first of {first}, the others of {amount}',
  ],
  back: ['Voltar para {merchant}', 'Back to {merchant}'],
  unmatchedTitle: ['Pagamento inesperado recebido', 'Unexpected payment received'],
  unmatched: {
    RETURNING: [
      'O Pix de {amount} veio tarde, em dobro ou com outro valor. Ele volta para a conta de quem pagou.',
      'The Pix of {amount} arrived late, twice, or with another amount. The money returns to the payer’s account.',
    ],
    RETURNED: [
      'O Pix de {amount} voltou para a conta de quem pagou.',
      'The Pix of {amount} was returned to the payer’s account.',
    ],
    RETURN_REFUSED: [
      'O banco de quem pagou não aceitou o Pix de {amount} de volta. Estamos resolvendo com ele; guarde o comprovante.',
      'The payer’s bank refused the return of the Pix of {amount}. We are resolving it with the bank; keep the receipt.',
    ],
  },
  closed: {
    HELD: {
      title: ['Este link está sendo pago agora', 'This link is being paid right now'],
      hint: [
        'Se o outro pagamento não acontecer, você poderá pagar. Tente de novo em alguns minutos.',
        'If the other payment is not completed, you can pay. Try again in a few minutes.',
      ],
    },
    USED_UP: {
      title: ['Este link já foi pago', 'This link has been paid'],
      hint: [
        'Se você precisa pagar, peça outro link à loja.',
        'If you need to pay, ask the shop for another link.',
      ],
    },
    EXPIRED: {
      title: ['Este link expirou', 'This link has expired'],
      hint: ['Peça outro link à loja.', 'Ask the shop for another link.'],
    },
    CLOSED: {
      title: ['Este link não recebe pagamentos', 'This link does not accept payments'],
      hint: ['Fale com quem enviou o link.', 'Contact the sender of the link.'],
    },
  },
  refusals: {
    LINK_NOT_OPEN: [
      'Este link não recebe mais pagamentos. Nada foi cobrado.',
      'This link no longer accepts payments. Nothing was charged.',
    ],
    NO_USES_LEFT: [
      'Outra pessoa pagou este link antes. Um pagamento que chega depois volta para quem o fez.',
      'Another person paid this link first. A later payment is returned to its payer.',
    ],
    CARD_TRIES_USED: [
      'Muitos cartões foram recusados, e esta página não aceita mais cartão. Nada foi cobrado.',
      'Too many cards were declined, so this page no longer accepts cards. Nothing was charged.',
    ],
    CARDS_PAUSED: [
      'Muitos cartões foram recusados neste link, também da sua rede, e por isso ele não aceita cartão daqui agora. Nada foi cobrado. Pague de outra forma, ou tente de novo em 15 minutos.',
      'Too many cards were declined on this link, also from your network, so it does not accept cards from your network now. Nothing was charged. Pay another way, or try again in 15 minutes.',
    ],
    CARD_NOT_ENABLED: [
      'A loja não recebe cartão no momento. Pague com Pix.',
      'The shop does not accept cards at the moment. Pay by Pix.',
    ],
    EXTERNAL_ID_CONFLICT: [
      'Este pedido já foi pago, ou está sendo pago de outra forma.',
      'This order is already paid, or is being paid another way.',
    ],
    RATE_LIMITED: [
      'Muitas tentativas em pouco tempo. Espere alguns minutos.',
      'Too many attempts in a short time. Wait a few minutes.',
    ],
    PROVIDER_UNAVAILABLE: [
      'Ainda não sabemos o resultado da tentativa anterior. Espere um instante antes de tentar de novo.',
      'We do not know the result of the last attempt yet. Wait a moment before you try again.',
    ],
    UNKNOWN: [
      'Não deu certo agora. Tente de novo em instantes.',
      'The request failed. Try again in a moment.',
    ],
  },
});

export type Words = (typeof words)[Language];

export function refusalIn(code: string, language: Language): string {
  const refusals: Record<string, string> = words[language].refusals;
  return refusals[Object.hasOwn(refusals, code) ? code : 'UNKNOWN'] ?? '';
}
