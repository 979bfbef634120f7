import type { Cents, Table, TimeZone } from '@plataforma/kernel';

export type OrganizationStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
export type OrganizationStep = 'approve' | 'reject' | 'suspend' | 'reactivate';

export const organizationTransitions: Table<OrganizationStatus, OrganizationStep> = {
  PENDING: { approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { suspend: 'SUSPENDED' },
  // Looked at once more: it is no better for having been rejected.
  REJECTED: { reactivate: 'PENDING' },
  SUSPENDED: { reactivate: 'APPROVED' },
};

/** AMOUNT: the fee is a part of what is ordered. BALANCE: it is taken on top of it. */
export const withdrawalFeeModes = ['AMOUNT', 'BALANCE'] as const;

/** The days that count until card money is available: all, or those on which Brazil's banks settle. */
export const settlementCalendars = ['calendar', 'banking'] as const;

/** The fees and limits of a merchant, which operators set. Fixed fees in cents, shares in basis points. */
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
  /** The fee of each withdrawal. */
  withdrawalFee: Cents;
  withdrawalFeeMode: (typeof withdrawalFeeModes)[number];
  /** Pix withdrawals up to this need nobody's approval; 0: all do. */
  autoApproveLimit: Cents;
  /** The limit of all withdrawals of a day in São Paulo; null: no limit. */
  dailyWithdrawalLimit: Cents | null;
  /** How long a destination counts as new; 0: never. */
  destinationCooldownHours: number;
}

/** A merchant account. Its e-mail is its first user's. */
export interface Organization {
  id: string;
  email: string;
  companyName: string;
  cnpj: string;
  phone: string;
  status: OrganizationStatus;
  checkoutColor: string;
  /** The zone of days in requests that name none. */
  timeZone: TimeZone;
  settings: Settings;
  /** By how much the clock of its sandbox is ahead of the real time. */
  sandboxAheadMs: number;
  version: number;
  createdAt: Date;
}
