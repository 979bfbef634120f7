import type { Language } from './state.ts';

const portuguese = {
  title: (merchant: string) => `Pagar ${merchant}`,
  test: 'Ambiente de teste',
  testHint: 'Nenhum valor será cobrado.',
  amount: 'Valor',
  howToCopy: 'Copie o código e cole no app do seu banco, em Pix copia e cola.',
  howToScan: 'Abra o app do seu banco, escolha Pix e aponte a câmera para o código.',
  copy: 'Copiar código Pix',
  copied: 'Código copiado',
  copyByHand: 'O navegador não copiou. O código está selecionado: copie com Ctrl+C ou toque nele e segure.',
  code: 'Código Pix copia e cola',
  qr: (amount: string) => `QR code do Pix de ${amount}`,
  waiting: 'Aguardando o pagamento',
  late: 'Conferindo o pagamento…',
  expiresIn: 'Expira em',
  expiresAt: (at: string) => `Válido até ${at}`,
  days: (days: number) => (days === 1 ? '1 dia' : `${days} dias`),
  card: 'Este pedido é pago na loja, com cartão.',
  paid: 'Pagamento confirmado',
  paidHint: 'Você já pode fechar esta página.',
  refunded: 'Pagamento devolvido',
  partlyRefunded: 'Parte do pagamento foi devolvida',
  disputed: 'Pagamento em contestação',
  disputedHint: 'O banco está analisando o pedido de devolução.',
  expired: 'O código expirou',
  expiredHint: 'Peça um novo código à loja. Não pague o código antigo.',
  cancelled: 'Cobrança cancelada',
  cancelledHint: 'A loja cancelou esta cobrança. Não pague o código.',
  paidAt: 'Pago em',
  refundedAt: 'Devolvido em',
  refundedAmount: 'Valor devolvido',
  disputedAt: 'Contestado em',
  disputedAmount: 'Valor contestado',
  endToEnd: 'ID da transação Pix',
  language: 'Idioma',
  missing: 'Não encontramos esta cobrança',
  missingHint: 'Confira o endereço com quem enviou o link.',
  away: 'Não conseguimos abrir a cobrança agora',
  awayHint: 'Tente de novo em instantes. Nada foi cobrado.',
  again: 'Tentar de novo',
  payerName: 'Nome completo',
  payerDocument: 'CPF ou CNPJ',
  howMuch: 'Quanto você quer pagar?',
  between: (least: string, most: string) => `De ${least} a ${most}.`,
  atLeast: (least: string) => `A partir de ${least}.`,
  atMost: (most: string) => `Até ${most}.`,
  howToPay: 'Como você quer pagar?',
  payByPix: 'Pagar com Pix',
  payByCard: 'Pagar com cartão',
  newCode: 'Gerar novo código Pix',
  newCodeHint: 'Não pague o código antigo.',
  making: 'Gerando o código Pix…',
  checking: 'Conferindo o pagamento com o banco. Não feche esta página.',
  areYouBack: 'Foi você que começou a pagar? Continue de onde parou.',
  goOn: 'Continuar',
  noMethod: 'A loja não recebe pagamentos no momento. Tente mais tarde.',
  byCard: (brand: string, digits: string) => `Cartão ${brand} final ${digits}.`,
  inParts: (parts: number, amount: string, [first, other]: string[] = []) =>
    first === other
      ? `${amount} em ${parts}x ${other === undefined ? '' : `de ${other} `}sem juros.`
      : `${amount} em ${parts}x sem juros: a primeira de ${first}, as outras de ${other}.`,
  back: (merchant: string) => `Voltar para ${merchant}`,
  longName: 'O nome é longo demais: escreva até 120 letras.',
  wrong: {
    payerName: 'Escreva seu nome completo.',
    payerDocument: 'Confira o CPF ou CNPJ.',
    amount: 'Confira o valor, como 25,00.',
  },
  strayTitle: 'Recebemos dinheiro que não pagou esta cobrança',
  stray: {
    RETURNING: (amount: string) =>
      `O Pix de ${amount} veio tarde, em dobro ou com outro valor. Ele volta para a conta de quem pagou.`,
    RETURNED: (amount: string) => `O Pix de ${amount} voltou para a conta de quem pagou.`,
    RETURN_REFUSED: (amount: string) =>
      `O banco de quem pagou não aceitou o Pix de ${amount} de volta. Estamos resolvendo com ele; guarde o comprovante.`,
  },
  closed: {
    HELD: {
      title: 'Este link está sendo pago agora',
      hint: 'Se o outro pagamento não acontecer, você poderá pagar. Tente de novo em alguns minutos.',
    },
    USED_UP: { title: 'Este link já foi pago', hint: 'Se você precisa pagar, peça outro link à loja.' },
    EXPIRED: { title: 'Este link expirou', hint: 'Peça outro link à loja.' },
    CLOSED: { title: 'Este link não recebe pagamentos', hint: 'Fale com quem enviou o link.' },
  },
  refusals: {
    LINK_NOT_OPEN: 'Este link não recebe mais pagamentos. Nada foi cobrado.',
    NO_USES_LEFT: 'Outra pessoa pagou este link antes. Um pagamento que chega depois volta para quem o fez.',
    CARD_TRIES_USED:
      'Muitos cartões foram recusados, e esta página não aceita mais cartão. Nada foi cobrado.',
    CARDS_PAUSED:
      'Muitos cartões foram recusados neste link, também da sua rede, e por isso ele não aceita cartão daqui agora. Nada foi cobrado. Pague de outra forma, ou tente de novo em 15 minutos.',
    CARD_NOT_ENABLED: 'A loja não recebe cartão no momento. Pague com Pix.',
    EXTERNAL_ID_CONFLICT: 'Este pedido já foi pago, ou está sendo pago de outra forma.',
    RATE_LIMITED: 'Muitas tentativas em pouco tempo. Espere alguns minutos.',
    PROVIDER_UNAVAILABLE:
      'Ainda não sabemos o resultado da tentativa anterior. Espere um instante antes de tentar de novo.',
    UNKNOWN: 'Não deu certo agora. Tente de novo em instantes.',
  },
};

export type Words = typeof portuguese;

const english: Words = {
  title: (merchant) => `Pay ${merchant}`,
  test: 'Test environment',
  testHint: 'No money will be charged.',
  amount: 'Amount',
  howToCopy: 'Copy the code and paste it in your bank’s app, under Pix copia e cola.',
  howToScan: 'Open your bank’s app, choose Pix and point the camera at the code.',
  copy: 'Copy Pix code',
  copied: 'Code copied',
  copyByHand: 'The browser did not copy it. The code is selected: press Ctrl+C, or touch and hold it.',
  code: 'Pix code to copy',
  qr: (amount) => `QR code of the Pix of ${amount}`,
  waiting: 'Waiting for the payment',
  late: 'Checking the payment…',
  expiresIn: 'Expires in',
  expiresAt: (at) => `Valid until ${at}`,
  days: (days) => (days === 1 ? '1 day' : `${days} days`),
  card: 'This order is paid in the shop, by card.',
  paid: 'Payment confirmed',
  paidHint: 'You can close this page now.',
  refunded: 'Payment refunded',
  partlyRefunded: 'Part of the payment was refunded',
  disputed: 'Payment in dispute',
  disputedHint: 'The bank is reviewing the refund request.',
  expired: 'The code has expired',
  expiredHint: 'Ask the shop for a new code. Do not pay the old one.',
  cancelled: 'Charge cancelled',
  cancelledHint: 'The shop cancelled this charge. Do not pay the code.',
  paidAt: 'Paid on',
  refundedAt: 'Refunded on',
  refundedAmount: 'Amount refunded',
  disputedAt: 'Disputed on',
  disputedAmount: 'Amount disputed',
  endToEnd: 'Pix transaction ID',
  language: 'Language',
  missing: 'We can’t find this charge',
  missingHint: 'Check the address with whoever sent you the link.',
  away: 'We can’t open the charge right now',
  awayHint: 'Try again in a moment. Nothing was charged.',
  again: 'Try again',
  payerName: 'Full name',
  payerDocument: 'CPF or CNPJ',
  howMuch: 'How much do you want to pay?',
  between: (least, most) => `From ${least} to ${most}.`,
  atLeast: (least) => `${least} or more.`,
  atMost: (most) => `Up to ${most}.`,
  howToPay: 'How do you want to pay?',
  payByPix: 'Pay by Pix',
  payByCard: 'Pay by card',
  newCode: 'Make a new Pix code',
  newCodeHint: 'Do not pay the old code.',
  making: 'Making the Pix code…',
  checking: 'Checking the payment with the bank. Do not close this page.',
  areYouBack: 'Was it you who began to pay? Go on where you left off.',
  goOn: 'Continue',
  noMethod: 'The shop takes no payments at the moment. Try again later.',
  byCard: (brand, digits) => `${brand} card ending in ${digits}.`,
  inParts: (parts, amount, [first, other] = []) =>
    first === other
      ? `${amount} in ${parts} installments${other === undefined ? '' : ` of ${other}`}, interest-free.`
      : `${amount} in ${parts} installments, interest-free: the first of ${first}, the others of ${other}.`,
  back: (merchant) => `Back to ${merchant}`,
  longName: 'The name is too long: write up to 120 letters.',
  wrong: {
    payerName: 'Write your full name.',
    payerDocument: 'Check the CPF or CNPJ.',
    amount: 'Check the amount, such as 25.00.',
  },
  strayTitle: 'We received money that did not pay this charge',
  stray: {
    RETURNING: (amount) =>
      `The Pix of ${amount} was late, a second one, or of another amount. It goes back to the account it came from.`,
    RETURNED: (amount) => `The Pix of ${amount} is back in the account it came from.`,
    RETURN_REFUSED: (amount) =>
      `The payer’s bank did not take the Pix of ${amount} back. We are sorting it out with them; keep the receipt.`,
  },
  closed: {
    HELD: {
      title: 'This link is being paid right now',
      hint: 'If that payment does not happen, you can pay. Try again in a few minutes.',
    },
    USED_UP: { title: 'This link has been paid', hint: 'If you need to pay, ask the shop for another link.' },
    EXPIRED: { title: 'This link has expired', hint: 'Ask the shop for another link.' },
    CLOSED: { title: 'This link takes no payments', hint: 'Talk to whoever sent you the link.' },
  },
  refusals: {
    LINK_NOT_OPEN: 'This link takes no payments any more. Nothing was charged.',
    NO_USES_LEFT: 'Someone else paid this link first. A payment that comes later goes back to its payer.',
    CARD_TRIES_USED: 'Too many cards were declined, so this page takes no more of them. Nothing was charged.',
    CARDS_PAUSED:
      'Many cards were declined at this link, also from your network, so it takes none from here right now. Nothing was charged. Pay in another way, or try again in 15 minutes.',
    CARD_NOT_ENABLED: 'The shop takes no cards at the moment. Pay by Pix.',
    EXTERNAL_ID_CONFLICT: 'This order has been paid, or is being paid in another way.',
    RATE_LIMITED: 'Too many tries in a short time. Wait a few minutes.',
    PROVIDER_UNAVAILABLE: 'We don’t know yet how the last try ended. Wait a moment before you try again.',
    UNKNOWN: 'That didn’t work. Try again in a moment.',
  },
};

export const words: Record<Language, Words> = { 'pt-BR': portuguese, en: english };

/** Each in its own language. */
export const languageNames: Record<Language, string> = { 'pt-BR': 'Português', en: 'English' };

/** What a buyer reads instead of a code. */
export function refusalIn(code: string, language: Language): string {
  const known: Record<string, string> = words[language].refusals;
  return known[Object.hasOwn(known, code) ? code : 'UNKNOWN'] ?? '';
}
