import type { Cents, Table, TimeZone } from '@plataforma/kernel';

export type OrganizationStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
export type OrganizationStep = 'approve' | 'reject' | 'suspend' | 'reactivate';

export const organizationTransitions: Table<OrganizationStatus, OrganizationStep> = {
  PENDING: { approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { suspend: 'SUSPENDED' },
  // A rejected merchant that is reactivated becomes PENDING, because it still needs approval.
  REJECTED: { reactivate: 'PENDING' },
  SUSPENDED: { reactivate: 'APPROVED' },
};

/**
 * How a withdrawal's fee is charged. AMOUNT: it is deducted from the ordered amount. BALANCE: it is charged
 * in addition.
 */
export const withdrawalFeeModes = ['AMOUNT', 'BALANCE'] as const;

/** The days that are counted until card money settles: all days, or the business days of banks in Brazil. */
export const settlementCalendars = ['calendar', 'banking'] as const;

/**
 * The fees and limits of a merchant, which operators set. Fixed fees are in cents, percentages in basis
 * points (`Bps`).
 */
export interface Settings {
  pixFeeBps: number;
  pixFeeFixed: Cents;
  cardFeeBps: number;
  cardFeeFixed: Cents;
  cardEnabled: boolean;
  maxInstallments: number;
  /** The number of days from a card payment until its money is available. */
  settlementDays: number;
  settlementCalendar: (typeof settlementCalendars)[number];
  withdrawalFee: Cents;
  withdrawalFeeMode: (typeof withdrawalFeeModes)[number];
  /**
   * The total in cents of Pix withdrawals that need no approval, per day of São Paulo. 0: every withdrawal
   * needs an approval.
   */
  autoApproveLimit: Cents;
  /**
   * The number of payees that a day's withdrawals may pay for the first time without an approval. Null: no
   * limit.
   */
  newPayeesPerDay: number | null;
  /** The limit in cents of all withdrawals per day of São Paulo. Null: no limit. */
  dailyWithdrawalLimit: Cents | null;
  /** The hours for which a destination counts as new. 0: no destination counts as new. */
  destinationCooldownHours: number;
}

export type WithdrawalLimits = Pick<Settings, 'dailyWithdrawalLimit' | 'destinationCooldownHours'>;

/** A merchant's account. `email` is the address of its first user. */
export interface Organization {
  id: string;
  email: string;
  companyName: string;
  cnpj: string;
  phone: string;
  status: OrganizationStatus;
  acceptedTerms: { url: string; at: string } | null;
  checkoutColor: string;
  /** The time zone for days in requests that name no time zone. */
  timeZone: TimeZone;
  settings: Settings;
  /** The sandbox's limits that differ from `settings`. */
  sandboxLimits: Partial<WithdrawalLimits>;
  /** Milliseconds by which the sandbox's clock is ahead of real time. */
  sandboxAheadMs: number;
  version: number;
  createdAt: Date;
}
