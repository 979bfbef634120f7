import type { Language } from './state.ts';

const portuguese = {
  declined: 'O banco recusou o cartão. Fale com ele, use outro cartão ou pague com Pix.',
  noFunds: 'Sem limite ou saldo para este valor. Use outro cartão ou pague com Pix.',
  expired: 'Este cartão está vencido. Use outro.',
  badCvv: 'O código de segurança não confere.',
  badCard: 'O banco não reconhece este cartão. Confira os dados.',
  badParts: 'O banco não aceita este parcelamento. Escolha outro.',
  notProcessed: 'O pagamento não foi processado, e nada foi cobrado. Tente de novo.',
};

const english: typeof portuguese = {
  declined: 'The bank declined the card. Call the bank, use another card, or pay by Pix.',
  noFunds: 'Not enough limit or balance for this amount. Use another card, or pay by Pix.',
  expired: 'This card has expired. Use another one.',
  badCvv: 'The security code is wrong.',
  badCard: 'The bank does not know this card. Check the details.',
  badParts: 'The bank does not take this number of installments. Choose another.',
  notProcessed: 'The payment was not processed, and nothing was charged. Try again.',
};

const declines: Record<Language, typeof portuguese> = { 'pt-BR': portuguese, en: english };

const BY_REASON: Partial<Record<string, keyof typeof portuguese>> = {
  insufficient_funds: 'noFunds',
  limit_exceeded: 'noFunds',
  expired_card: 'expired',
  invalid_cvv: 'badCvv',
  invalid_card: 'badCard',
  invalid_card_token: 'notProcessed',
  not_processed: 'notProcessed',
  voided: 'notProcessed',
  invalid_installments: 'badParts',
};

/** What the buyer can do; that a card is reported lost or stolen is the bank's to say. */
export function declineIn(reason: string, language: Language): string {
  return declines[language][BY_REASON[reason] ?? 'declined'];
}
