import type { Cents, Table, TimeZone } from '@plataforma/kernel';

export type OrganizationStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
export type OrganizationStep = 'approve' | 'reject' | 'suspend' | 'reactivate';

export const organizationTransitions: Table<OrganizationStatus, OrganizationStep> = {
  PENDING: { approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { suspend: 'SUSPENDED' },
  // A reactivated merchant needs approval again, because a rejection decides nothing in its favour.
  REJECTED: { reactivate: 'PENDING' },
  SUSPENDED: { reactivate: 'APPROVED' },
};

/** AMOUNT: the fee is deducted from the ordered amount. BALANCE: the fee is charged on top of it. */
export const withdrawalFeeModes = ['AMOUNT', 'BALANCE'] as const;

/** The days that count until card money settles: all days, or the business days of Brazil's banks. */
export const settlementCalendars = ['calendar', 'banking'] as const;

/**
 * The fees and limits of a merchant, which operators set. Fixed fees are in cents, shares in basis points.
 */
export interface Settings {
  pixFeeBps: number;
  pixFeeFixed: Cents;
  cardFeeBps: number;
  cardFeeFixed: Cents;
  cardEnabled: boolean;
  maxInstallments: number;
  /** Days from a card payment until its money is available. */
  settlementDays: number;
  settlementCalendar: (typeof settlementCalendars)[number];
  withdrawalFee: Cents;
  withdrawalFeeMode: (typeof withdrawalFeeModes)[number];
  /** Pix withdrawals up to this amount need no approval; 0: all withdrawals need it. */
  autoApproveLimit: Cents;
  /** The limit of all withdrawals in a day of São Paulo; null: no limit. */
  dailyWithdrawalLimit: Cents | null;
  /** The time for which a destination counts as new; 0: never. */
  destinationCooldownHours: number;
}

/** A merchant account. Its e-mail is that of its first user. */
export interface Organization {
  id: string;
  email: string;
  companyName: string;
  cnpj: string;
  phone: string;
  status: OrganizationStatus;
  checkoutColor: string;
  /** The zone of the days in requests that name no zone. */
  timeZone: TimeZone;
  settings: Settings;
  /** The milliseconds by which the sandbox's clock is ahead of the real time. */
  sandboxAheadMs: number;
  version: number;
  createdAt: Date;
}
