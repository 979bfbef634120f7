import type { Language } from './state.ts';

const portuguese = {
  title: 'Cartão de crédito',
  number: 'Número do cartão',
  expiry: 'Validade',
  expiryForm: 'MM/AA',
  cvv: 'Código (CVV)',
  holder: 'Nome impresso no cartão',
  document: 'CPF ou CNPJ do titular',
  documentHint: (known: string) => `Só se for diferente de ${known}.`,
  installments: 'Parcelas',
  once: (amount: string) => `À vista, ${amount}`,
  parts: (parts: number, amount: string) => `${parts}x de ${amount} sem juros`,
  unequal: (parts: number, first: string, amount: string) =>
    `${parts}x sem juros: a primeira de ${first}, as outras de ${amount}`,
  pay: (amount: string) => `Pagar ${amount}`,
  paying: 'Confirmando com o banco…',
  script: 'Para pagar com cartão, ative o JavaScript do navegador, ou pague com Pix.',
  safe: 'Os dados do cartão vão direto para o processador do pagamento. A loja não os vê.',
  wrongNumber: 'Confira o número do cartão.',
  wrongExpiry: 'Confira a validade, como 09/30.',
  wrongCvv: 'Confira o código de segurança.',
  wrongHolder: 'Escreva o nome como está no cartão.',
  wrongDocument: 'Confira o CPF ou CNPJ.',
  notRead: 'O processador não aceitou estes dados. Confira o cartão; nada foi cobrado.',
  notReached: 'Não conseguimos falar com o processador. Nada foi cobrado; tente de novo.',
};

export type CardWords = typeof portuguese;

const english: CardWords = {
  title: 'Credit card',
  number: 'Card number',
  expiry: 'Expiry date',
  expiryForm: 'MM/YY',
  cvv: 'Code (CVV)',
  holder: 'Name on card',
  document: 'Card holder’s CPF or CNPJ',
  documentHint: (known) => `Only if it is not ${known}.`,
  installments: 'Installments',
  once: (amount) => `In full, ${amount}`,
  parts: (parts, amount) => `${parts} × ${amount}, interest-free`,
  unequal: (parts, first, amount) =>
    `${parts} parts, interest-free: the first of ${first}, the others of ${amount}`,
  pay: (amount) => `Pay ${amount}`,
  paying: 'Confirming with the bank…',
  script: 'To pay by card, turn on JavaScript in your browser, or pay by Pix.',
  safe: 'Card details go straight to the payment processor. The shop never sees them.',
  wrongNumber: 'Check the card number.',
  wrongExpiry: 'Check the expiry date, such as 09/30.',
  wrongCvv: 'Check the security code.',
  wrongHolder: 'Write the name as it is on the card.',
  wrongDocument: 'Check the CPF or CNPJ.',
  notRead: 'The processor did not accept these details. Check the card; nothing was charged.',
  notReached: 'We can’t reach the processor. Nothing was charged; try again.',
};

export const cardWords: Record<Language, CardWords> = { 'pt-BR': portuguese, en: english };
