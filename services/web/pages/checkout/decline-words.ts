import { catalogue } from '@plataforma/contracts/catalogue';
import type { Language } from './state.ts';

const declines = catalogue({
  declined: [
    'O banco recusou o cartão. Fale com ele, use outro cartão ou pague com Pix.',
    'The bank declined the card. Contact the bank, use another card, or pay by Pix.',
  ],
  noFunds: [
    'Sem limite ou saldo para este valor. Use outro cartão ou pague com Pix.',
    'Not enough limit or balance for this amount. Use another card, or pay by Pix.',
  ],
  expired: ['Este cartão está vencido. Use outro.', 'This card has expired. Use another one.'],
  badCvv: ['O código de segurança não confere.', 'The security code is wrong.'],
  badCard: [
    'O banco não reconhece este cartão. Confira os dados.',
    'The bank does not recognise this card. Check the details.',
  ],
  badInstallments: [
    'O banco não aceita este parcelamento. Escolha outro.',
    'The bank does not accept this number of installments. Choose another.',
  ],
  notProcessed: [
    'O pagamento não foi processado, e nada foi cobrado. Tente de novo.',
    'The payment was not processed, and nothing was charged. Try again.',
  ],
});

const BY_REASON: Partial<Record<string, keyof (typeof declines)[Language]>> = {
  insufficient_funds: 'noFunds',
  limit_exceeded: 'noFunds',
  expired_card: 'expired',
  invalid_cvv: 'badCvv',
  invalid_card: 'badCard',
  invalid_card_token: 'notProcessed',
  not_processed: 'notProcessed',
  voided: 'notProcessed',
  invalid_installments: 'badInstallments',
};

/**
 * Returns the text that gives the buyer the next step after a decline. It never mentions a lost or stolen
 * card, because only the bank may do so.
 */
export function declineIn(reason: string, language: Language): string {
  return declines[language][BY_REASON[reason] ?? 'declined'];
}
