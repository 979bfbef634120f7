export * from './api.ts';
export * from './call.ts';
export * from './callbacks.ts';
export { type CsvColumn, type CsvColumns, type CsvLocale, csvHeads } from './csv.ts';
export { edgeIn } from './days.ts';
export * from './decline-reasons.ts';
export {
  type Endpoint,
  type FileType,
  type OperatorRole,
  operatorRoles,
  routeOf,
  type ServiceName,
} from './endpoint.ts';
export * from './errors.ts';
export type { DisputeReason } from './fields.ts';
export {
  isNarrowScope,
  isWideScope,
  narrowScopes,
  type Scope,
  scopes,
  wideScopes,
} from './forms/new-api-key.ts';
export { type EvidenceType, MAX_FILE_BYTES, MAX_FILES, MAX_SANDBOX_FILE_BYTES } from './forms/new-file.ts';
export { MAX_ADVANCE_MS, MAX_AHEAD_MS } from './forms/sandbox-clock.ts';
export { liveUpdateEventTypes, optInEventTypes, webhookEventTypes } from './forms/webhook-configuration.ts';
export type { FaultKind } from './forms/webhook-fault.ts';
export * from './merchants/account.ts';
export type { ApiKeyView, ListedApiKeyView } from './merchants/api-keys.ts';
export type { ChargeStepView, ChargeTimelineView } from './merchants/charge-timeline.ts';
export {
  type ChargeInListView,
  type ChargeView,
  type CheckoutView,
  chargeStatuses,
  paymentMethods,
} from './merchants/charge-view.ts';
export * from './merchants/charges.ts';
export type { LinkPageView, VisitView } from './merchants/checkouts.ts';
export type { DestinationView } from './merchants/destinations.ts';
export * from './merchants/disputes.ts';
export type { EventQuery, EventView } from './merchants/events.ts';
export type { FileView } from './merchants/files.ts';
export type { PaymentLinkInListView, PaymentLinkQuery, PaymentLinkView } from './merchants/payment-links.ts';
export * from './merchants/receivables.ts';
export * from './merchants/refunds.ts';
export { type VolumeQuery, type VolumeView, volumeColumns } from './merchants/reports.ts';
export type { LoggedRequestQuery, LoggedRequestView } from './merchants/requests.ts';
export { clockWorks, type SandboxClockView } from './merchants/sandbox-clock.ts';
export type { SessionView } from './merchants/sessions.ts';
export * from './merchants/statement.ts';
export type { SummaryQuery, SummaryView } from './merchants/statement-summary.ts';
export {
  type BuyersUnexpectedPaymentView,
  type UnexpectedPaymentQuery,
  type UnexpectedPaymentView,
  unexpectedPaymentColumns,
} from './merchants/unexpected-payments.ts';
export type { ApprovalReason, WaitingFor, WithdrawalWait } from './merchants/waiting.ts';
export * from './merchants/wallet.ts';
export type { Resent, WebhookConfigurationView } from './merchants/webhook-configurations.ts';
export type {
  AttemptError,
  DeliveryQuery,
  WebhookDeliveryStoryView,
  WebhookDeliveryView,
} from './merchants/webhook-deliveries.ts';
export type { WebhookFaultView } from './merchants/webhook-faults.ts';
export { withdrawalColumns } from './merchants/withdrawal-columns.ts';
export * from './merchants/withdrawals.ts';
export { DEPRECATED_SINCE, olderNamesIn } from './older-names.ts';
export * from './operators/alarms.ts';
export type { AuditAnchorView } from './operators/anchors.ts';
export * from './operators/audit-logs.ts';
export { verifyOwnBooks } from './operators/books.ts';
export { type ChainKeeperView, type ChainVerification, chainVerification } from './operators/chains.ts';
export type { AdminChargeQuery, AdminChargeView } from './operators/charges.ts';
export { type DeadLetterEndpoints, type DeadLetterView, deadLetters } from './operators/dead-letters.ts';
export type { AdminDisputeInListView, AdminDisputeQuery, AdminDisputeView } from './operators/disputes.ts';
export type { AdjustmentView, BlockView } from './operators/ledger.ts';
export type { MerchantQuery, MerchantView } from './operators/merchants.ts';
export type { OperatorView } from './operators/operators.ts';
export type { PasskeyAssertion, PasskeyRegistration, PasskeyView } from './operators/passkeys.ts';
export * from './operators/proposals.ts';
export type { AdminRefundQuery, AdminRefundView } from './operators/refunds.ts';
export * from './operators/stops.ts';
export * from './operators/timeline.ts';
export type {
  AdminUnexpectedPaymentQuery,
  AdminUnexpectedPaymentView,
} from './operators/unexpected-payments.ts';
export type {
  AdminDeliveryQuery,
  AdminDeliveryView,
  EndpointHealthView,
  EndpointQuery,
} from './operators/webhooks.ts';
export type {
  AdminWithdrawalQuery,
  AdminWithdrawalView,
  PayoutAlarmQuery,
  PayoutAlarmView,
} from './operators/withdrawals.ts';
export { type Meta, meta, type SumsView } from './paging.ts';
export { payerName } from './party.ts';
export * from './searched-words.ts';
export { type WebhookData, webhookEvents } from './webhooks/events.ts';
export { webhookExamples } from './webhooks/examples.ts';
export * from './webhooks/post.ts';
