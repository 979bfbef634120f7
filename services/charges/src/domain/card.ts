import { Refusal } from '@plataforma/kernel';

/** What the account allows of cards. */
interface CardTerms {
  cardEnabled: boolean;
  maxInstallments: number;
}

/** Refuses a card charge that the account does not allow. */
export function demandCardAllowed({ cardEnabled, maxInstallments }: CardTerms, installments: number): void {
  if (!cardEnabled) {
    throw new Refusal('forbidden', 'CARD_NOT_ENABLED', 'the account is not enabled for card charges');
  }
  if (installments > maxInstallments) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `installments: must be at most ${maxInstallments}`);
  }
}

/** The refusal a declined card reads; the reason is one of ours, whatever the acquirer calls it. */
export function declined(reason: string | null): Refusal {
  return new Refusal('declined', 'CARD_DECLINED', `the card was declined: ${reason ?? 'card_declined'}`);
}

const DAY_MS = 86_400_000;

/** D+settlementDays, to the second. */
export function settlementOf(paidAt: Date, settlementDays: number): Date {
  return new Date(paidAt.getTime() + settlementDays * DAY_MS);
}
