import type { Endpoint } from './endpoint.ts';
import { account } from './merchants/account.ts';
import { accountLogos } from './merchants/account-logo.ts';
import { apiKeys } from './merchants/api-keys.ts';
import { chargeTimeline } from './merchants/charge-timeline.ts';
import { charges } from './merchants/charges.ts';
import { checkouts } from './merchants/checkouts.ts';
import { destinations } from './merchants/destinations.ts';
import { disputes } from './merchants/disputes.ts';
import { events } from './merchants/events.ts';
import { files } from './merchants/files.ts';
import { paymentLinks } from './merchants/payment-links.ts';
import { qrCodes } from './merchants/qr-codes.ts';
import { quotes } from './merchants/quotes.ts';
import { receivables } from './merchants/receivables.ts';
import { recipients } from './merchants/recipients.ts';
import { refunds } from './merchants/refunds.ts';
import { reports } from './merchants/reports.ts';
import { requests } from './merchants/requests.ts';
import { sandbox } from './merchants/sandbox.ts';
import { sandboxClocks } from './merchants/sandbox-clock.ts';
import { sessions } from './merchants/sessions.ts';
import { statement } from './merchants/statement.ts';
import { statementSummary } from './merchants/statement-summary.ts';
import { unexpectedPayments } from './merchants/unexpected-payments.ts';
import { wallet } from './merchants/wallet.ts';
import { webhookConfigurations } from './merchants/webhook-configurations.ts';
import { webhookDeliveries } from './merchants/webhook-deliveries.ts';
import { webhookFaults } from './merchants/webhook-faults.ts';
import { withdrawals } from './merchants/withdrawals.ts';
import { operatorAccess } from './operators/access.ts';
import { alarms } from './operators/alarms.ts';
import { anchors } from './operators/anchors.ts';
import { auditLogEndpoints } from './operators/audit-logs.ts';
import { books } from './operators/books.ts';
import { adminCharges } from './operators/charges.ts';
import { deadLetterEndpoints } from './operators/dead-letters.ts';
import { adminDisputes } from './operators/disputes.ts';
import { adminLedger } from './operators/ledger.ts';
import { merchants } from './operators/merchants.ts';
import { operatorAccounts } from './operators/operators.ts';
import { operatorPasskeys } from './operators/passkeys.ts';
import { proposals } from './operators/proposals.ts';
import { reconciliation } from './operators/reconciliation.ts';
import { adminRefunds } from './operators/refunds.ts';
import { stops } from './operators/stops.ts';
import { timeline } from './operators/timeline.ts';
import { adminUnexpectedPayments } from './operators/unexpected-payments.ts';
import { adminWebhooks } from './operators/webhooks.ts';
import { adminWithdrawals } from './operators/withdrawals.ts';

/**
 * All endpoints of the public API by name. If two paths match a request, the gateway uses the path that comes
 * first here.
 */
export const api = {
  ...account,
  ...sessions,
  ...accountLogos,
  ...apiKeys,
  ...charges,
  ...chargeTimeline,
  ...paymentLinks,
  ...checkouts,
  ...refunds,
  ...sandbox,
  ...sandboxClocks,
  ...disputes,
  ...files,
  ...unexpectedPayments,
  ...qrCodes,
  ...destinations,
  ...recipients,
  ...withdrawals,
  ...quotes,
  ...wallet,
  ...statement,
  ...statementSummary,
  ...receivables,
  ...reports,
  ...webhookDeliveries,
  ...events,
  ...requests,
  ...webhookConfigurations,
  ...webhookFaults,
  ...merchants,
  ...auditLogEndpoints,
  ...deadLetterEndpoints,
  ...operatorAccess,
  ...operatorPasskeys,
  ...operatorAccounts,
  ...proposals,
  ...reconciliation,
  ...adminCharges,
  ...adminRefunds,
  ...adminDisputes,
  ...adminUnexpectedPayments,
  ...adminLedger,
  ...books,
  ...adminWebhooks,
  ...adminWithdrawals,
  ...alarms,
  ...anchors,
  ...stops,
  ...timeline,
} as const satisfies Record<string, Endpoint>;

/**
 * The endpoints of the public API as a list. The gateway's routes and the OpenAPI document are built from it.
 */
export const endpoints: readonly Endpoint[] = Object.values(api);

/** The endpoints of the public API by method and path, such as `GET /v1/charges/:id`. */
export type Routes = {
  [Name in keyof typeof api as RouteOf<(typeof api)[Name]>]: (typeof api)[Name];
};

type RouteOf<E extends Endpoint> = `${Uppercase<E['method']>} ${E['path']}`;
