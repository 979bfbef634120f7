import { catalogue } from '@plataforma/contracts/catalogue';
import type { Language } from './state.ts';

export const cardWords = catalogue({
  title: ['Cartão de crédito', 'Credit card'],
  number: ['Número do cartão', 'Card number'],
  brands: [
    'Visa, Mastercard, Elo, American Express e Hipercard',
    'Visa, Mastercard, Elo, American Express and Hipercard',
  ],
  expiry: ['Validade', 'Expiry date'],
  expiryForm: ['MM/AA', 'MM/YY'],
  cvv: ['Código (CVV)', 'Code (CVV)'],
  holder: ['Nome impresso no cartão', 'Name on card'],
  document: ['CPF ou CNPJ do titular (opcional)', 'Card holder’s CPF or CNPJ (optional)'],
  documentHint: ['Só se for diferente de {known}.', 'Only if different from {known}.'],
  once: ['À vista, {amount}', 'In full, {amount}'],
  pay: ['Pagar {amount}', 'Pay {amount}'],
  paying: ['Confirmando com o banco…', 'Confirming with the bank…'],
  script: [
    'Para pagar com cartão, ative o JavaScript do navegador, ou pague com Pix.',
    'To pay by card, turn on JavaScript in your browser, or pay by Pix.',
  ],
  safe: [
    'Os dados do cartão vão direto para o processador do pagamento. A loja não os vê.',
    'Card details go directly to the payment processor. The shop does not see them.',
  ],
  wrongNumber: ['Confira o número do cartão.', 'Check the card number.'],
  wrongExpiry: ['Confira a validade, como 09/30.', 'Check the expiry date, such as 09/30.'],
  wrongCvv: ['Confira o código de segurança.', 'Check the security code.'],
  wrongHolder: ['Escreva o nome como está no cartão.', 'Enter the name as shown on the card.'],
  wrongDocument: ['Confira o CPF ou CNPJ.', 'Check the CPF or CNPJ.'],
  notRead: [
    'O processador não aceitou estes dados. Confira o cartão; nada foi cobrado.',
    'The processor did not accept these details. Check the card; nothing was charged.',
  ],
  notReached: [
    'Não conseguimos falar com o processador. Nada foi cobrado; tente de novo.',
    'We can’t reach the processor. Nothing was charged; try again.',
  ],
});

export type CardWords = (typeof cardWords)[Language];
