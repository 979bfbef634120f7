import { catalogue } from '@plataforma/contracts/catalogue';

/** The words of pages without script. The scripts of the other pages need not load these words. */
export const linkWords = catalogue({
  missing: ['Não encontramos esta cobrança', 'We can’t find this charge'],
  missingHint: [
    'Confira o endereço com quem enviou o link.',
    'Check the address with the sender of the link.',
  ],
  away: ['Não conseguimos abrir a cobrança agora', 'We can’t open the charge right now'],
  awayHint: ['Tente de novo em instantes. Nada foi cobrado.', 'Try again in a moment. Nothing was charged.'],
  payerName: ['Nome completo', 'Full name'],
  payerDocument: ['CPF ou CNPJ', 'CPF or CNPJ'],
  howMuch: ['Quanto você quer pagar?', 'How much do you want to pay?'],
  between: ['De {least} a {most}.', 'From {least} to {most}.'],
  atLeast: ['A partir de {least}.', '{least} or more.'],
  atMost: ['Até {most}.', 'Up to {most}.'],
  areYouBack: [
    'Foi você que começou a pagar? Continue de onde parou.',
    'Did you start this payment? Continue where you left off.',
  ],
  firstCounts: [
    'Outra pessoa começou a pagar este link. Você também pode pagar: vale o primeiro pagamento, e o outro volta para quem pagou.',
    'Another person started to pay this link. You can pay too: the first payment counts, and the other one returns to its payer.',
  ],
  goOn: ['Continuar', 'Continue'],
  noMethod: [
    'A loja não recebe pagamentos no momento. Tente mais tarde.',
    'The shop does not accept payments at the moment. Try again later.',
  ],
  longName: [
    'O nome é longo demais: escreva até 120 letras.',
    'The name is too long: enter up to 120 letters.',
  ],
  wrong: {
    payerName: ['Escreva seu nome completo.', 'Enter your full name.'],
    payerDocument: ['Confira o CPF ou CNPJ.', 'Check the CPF or CNPJ.'],
    amount: ['Confira o valor, como 25,00.', 'Check the amount, such as 25.00.'],
  },
});
