import * as account from './account.ts';
import * as admin from './admin.ts';
import * as adminAlarms from './admin-alarms.ts';
import * as adminCharges from './admin-charges.ts';
import * as adminLedger from './admin-ledger.ts';
import * as adminOperators from './admin-operators.ts';
import { auditLogs, deadLetters, listAuditLog } from './admin-service.ts';
import * as adminStops from './admin-stops.ts';
import { readTimeline } from './admin-timeline.ts';
import * as adminWebhooks from './admin-webhooks.ts';
import * as adminWithdrawals from './admin-withdrawals.ts';
import * as apiKeys from './api-keys.ts';
import {
  acquirerCallback,
  payoutCallback,
  payoutCallbackWithSuffix,
  pixCallback,
  pixCallbackWithSuffix,
} from './callbacks.ts';
import * as charges from './charges.ts';
import { decodeQr } from './decode-qr.ts';
import * as destinations from './destinations.ts';
import * as disputes from './disputes.ts';
import type { Endpoint } from './endpoint.ts';
import { reconcile } from './reconciliation.ts';
import * as wallet from './wallet.ts';
import * as webhookDeliveries from './webhook-deliveries.ts';
import * as webhookFeed from './webhook-feed.ts';
import * as webhooks from './webhooks.ts';
import * as withdrawals from './withdrawals.ts';

export type { AccountView } from './account.ts';
export { merchantStatuses } from './account.ts';
export type { MerchantQuery, MerchantView } from './admin.ts';
export {
  type AlarmPartQuery,
  type AlarmQuery,
  type AlarmService,
  type AlarmView,
  alarmPart,
  alarmPartQuery,
  alarmServices,
} from './admin-alarms.ts';
export type {
  AdminChargeQuery,
  AdminChargeView,
  AdminDisputeInListView,
  AdminDisputeQuery,
  AdminDisputeView,
  RefundQuery,
  RefundView,
  UnexpectedPaymentQuery,
  UnexpectedPaymentView,
} from './admin-charges.ts';
export type { AdjustmentView, BlockView } from './admin-ledger.ts';
export type { OperatorView } from './admin-operators.ts';
export {
  type AuditLogEndpoints,
  type AuditQuery,
  type AuditRowView,
  type AuditVerificationView,
  auditLogs,
  type DeadLetterEndpoints,
  type DeadLetterQuery,
  type DeadLetterView,
  deadLetters,
} from './admin-service.ts';
export {
  type StopOrder,
  type StopPartQuery,
  type StopProvider,
  type StoppableOrder,
  type StopService,
  type StopSubject,
  type StopView,
  serviceOfStop,
  stopPart,
  stopPartQuery,
  stopProviders,
  stoppableOrders,
  stopServices,
} from './admin-stops.ts';
export {
  type TimelineRecords,
  type TimelineService,
  type TimelineView,
  timelinePart,
  timelineServices,
} from './admin-timeline.ts';
export type {
  AdminDeliveryQuery,
  AdminDeliveryView,
  EndpointHealthView,
  EndpointQuery,
} from './admin-webhooks.ts';
export type {
  AdminWithdrawalQuery,
  AdminWithdrawalView,
  PayoutAlarmQuery,
  PayoutAlarmView,
} from './admin-withdrawals.ts';
export type { ApiKeyView, ListedApiKeyView } from './api-keys.ts';
export type {
  ChargeInListView,
  ChargeQuery,
  ChargeView,
  CheckoutView,
} from './charges.ts';
export { chargeStatuses, paymentMethods } from './charges.ts';
export type { DestinationView } from './destinations.ts';
export type { DisputeInListView, DisputeQuery, DisputeView } from './disputes.ts';
export {
  type Endpoint,
  type OperatorRole,
  operatorRoles,
  type Scope,
  type ServiceName,
  scopes,
} from './endpoint.ts';
export { type ErrorCode, errorCatalogue, statusOfKind } from './errors.ts';
export type { Meta } from './fields.ts';
export { openApiDocument } from './openapi.ts';
export type { ReconciliationView } from './reconciliation.ts';
export type { WaitingFor } from './waiting.ts';
export type { BalanceView, StatementQuery, TransactionQuery, WalletTransactionView } from './wallet.ts';
export { flows, walletTransactionTypes } from './wallet.ts';
export type {
  AttemptError,
  DeliveryQuery,
  WebhookDeliveryStoryView,
  WebhookDeliveryView,
} from './webhook-deliveries.ts';
export { type WebhookEventType, webhookEvents, webhookEventTypes } from './webhook-events.ts';
export type { EventQuery, EventView } from './webhook-feed.ts';
export type { WebhookConfigurationView } from './webhooks.ts';
export {
  type FailureReason,
  failureReasons,
  type WithdrawalQuery,
  type WithdrawalView,
  withdrawalStatuses,
} from './withdrawals.ts';

/** The public API, by name. */
export const api = {
  register: account.register,
  logIn: account.logIn,
  refresh: account.refresh,
  logOut: account.logOut,
  getAccount: account.getAccount,
  changeAccount: account.changeAccount,
  createApiKey: apiKeys.createApiKey,
  listApiKeys: apiKeys.listApiKeys,
  rotateApiKey: apiKeys.rotateApiKey,
  revokeApiKey: apiKeys.revokeApiKey,
  createCharge: charges.createCharge,
  listCharges: charges.listCharges,
  getCardConfig: charges.getCardConfig,
  getCharge: charges.getCharge,
  getCheckout: charges.getCheckout,
  cancelCharge: charges.cancelCharge,
  refundCharge: charges.refundCharge,
  simulatePayment: charges.simulatePayment,
  listDisputes: disputes.listDisputes,
  getDispute: disputes.getDispute,
  sendEvidence: disputes.sendEvidence,
  decodeQr,
  createDestination: destinations.createDestination,
  listDestinations: destinations.listDestinations,
  getDestination: destinations.getDestination,
  deleteDestination: destinations.deleteDestination,
  createWithdrawal: withdrawals.createWithdrawal,
  listWithdrawals: withdrawals.listWithdrawals,
  getWithdrawal: withdrawals.getWithdrawal,
  getBalance: wallet.getBalance,
  listTransactions: wallet.listTransactions,
  getStatement: wallet.getStatement,
  listWebhookDeliveries: webhookDeliveries.listWebhookDeliveries,
  getWebhookDelivery: webhookDeliveries.getWebhookDelivery,
  listEvents: webhookFeed.listEvents,
  getEvent: webhookFeed.getEvent,
  createWebhookConfiguration: webhooks.createWebhookConfiguration,
  listWebhookConfigurations: webhooks.listWebhookConfigurations,
  changeWebhookConfiguration: webhooks.changeWebhookConfiguration,
  deleteWebhookConfiguration: webhooks.deleteWebhookConfiguration,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  testWebhook: webhooks.testWebhook,
  logInOperator: admin.logInOperator,
  listMerchants: admin.listMerchants,
  inspectMerchant: admin.inspectMerchant,
  approveMerchant: admin.approveMerchant,
  rejectMerchant: admin.rejectMerchant,
  suspendMerchant: admin.suspendMerchant,
  reactivateMerchant: admin.reactivateMerchant,
  changeMerchantSettings: admin.changeMerchantSettings,
  listAuditLog,
  listAuditLogOfGateway: auditLogs.gateway.list,
  verifyAuditLogOfGateway: auditLogs.gateway.verify,
  listAuditLogOfCharges: auditLogs.charges.list,
  verifyAuditLogOfCharges: auditLogs.charges.verify,
  listDeadLettersOfCharges: deadLetters.charges.list,
  inspectDeadLetterOfCharges: deadLetters.charges.inspect,
  replayDeadLetterOfCharges: deadLetters.charges.replay,
  listAuditLogOfWithdrawals: auditLogs.withdrawals.list,
  verifyAuditLogOfWithdrawals: auditLogs.withdrawals.verify,
  listDeadLettersOfWithdrawals: deadLetters.withdrawals.list,
  inspectDeadLetterOfWithdrawals: deadLetters.withdrawals.inspect,
  replayDeadLetterOfWithdrawals: deadLetters.withdrawals.replay,
  listAuditLogOfLedger: auditLogs.ledger.list,
  verifyAuditLogOfLedger: auditLogs.ledger.verify,
  listDeadLettersOfLedger: deadLetters.ledger.list,
  inspectDeadLetterOfLedger: deadLetters.ledger.inspect,
  replayDeadLetterOfLedger: deadLetters.ledger.replay,
  listAuditLogOfWebhooks: auditLogs.webhooks.list,
  verifyAuditLogOfWebhooks: auditLogs.webhooks.verify,
  listDeadLettersOfWebhooks: deadLetters.webhooks.list,
  inspectDeadLetterOfWebhooks: deadLetters.webhooks.inspect,
  replayDeadLetterOfWebhooks: deadLetters.webhooks.replay,
  changeOperatorPassword: adminOperators.changeOperatorPassword,
  createOperator: adminOperators.createOperator,
  listOperators: adminOperators.listOperators,
  changeOperator: adminOperators.changeOperator,
  listAllCharges: adminCharges.listAllCharges,
  reconcile,
  inspectCharge: adminCharges.inspectCharge,
  listRefunds: adminCharges.listRefunds,
  openDispute: adminCharges.openDispute,
  listAllDisputes: adminCharges.listAllDisputes,
  resolveDispute: adminCharges.resolveDispute,
  listUnexpectedPayments: adminCharges.listUnexpectedPayments,
  blockMoney: adminLedger.blockMoney,
  unblockMoney: adminLedger.unblockMoney,
  adjustWallet: adminLedger.adjustWallet,
  listAccounts: adminLedger.listAccounts,
  readTrialBalance: adminLedger.readTrialBalance,
  verifyBooks: adminLedger.verifyBooks,
  listAllWebhookDeliveries: adminWebhooks.listAllWebhookDeliveries,
  listWebhookEndpoints: adminWebhooks.listWebhookEndpoints,
  listAllWithdrawals: adminWithdrawals.listAllWithdrawals,
  inspectWithdrawal: adminWithdrawals.inspectWithdrawal,
  approveWithdrawal: adminWithdrawals.approveWithdrawal,
  rejectWithdrawal: adminWithdrawals.rejectWithdrawal,
  completeWithdrawal: adminWithdrawals.completeWithdrawal,
  failWithdrawal: adminWithdrawals.failWithdrawal,
  listPayoutAlarms: adminWithdrawals.listPayoutAlarms,
  listAlarms: adminAlarms.listAlarms,
  settleAlarmOfCharges: adminAlarms.settleAlarm.charges,
  settleAlarmOfWithdrawals: adminAlarms.settleAlarm.withdrawals,
  createStop: adminStops.createStop,
  listStops: adminStops.listStops,
  startStop: adminStops.startStop,
  readTimeline,
} as const;

/** What payment providers call: routed by the gateway, not part of the document for merchants. */
export const callbacks = {
  pixCallback,
  pixCallbackWithSuffix,
  acquirerCallback,
  payoutCallback,
  payoutCallbackWithSuffix,
} as const;

/** The public API as a list: what the gateway routes and the document describes. */
export const endpoints: readonly Endpoint[] = Object.values(api);
