import type { api } from '@plataforma/contracts';
import { scopes } from '@plataforma/contracts';

type OperationName = keyof typeof api;

/** A request of the Postman collection. Texts may contain variables as `{{name}}`. */
export interface Step {
  operation: OperationName;
  /** The title, if the summary of the operation would be ambiguous. */
  title?: string;
  /** The body, if it is not the operation's first example. */
  body?: Readonly<Record<string, unknown>>;
  /** The query parameters that the request sends. All others are shown as disabled. */
  query?: Readonly<Record<string, string>>;
  /** The name of the variable that contains the path's parameter. */
  id?: string;
  /** The variables to set, with the paths of their values in the response. */
  saves?: Readonly<Record<string, string>>;
  /** Lines of JavaScript that run before the request. */
  before?: readonly string[];
  /** The status of an error that also counts as success. */
  orRefused?: number;
}

const tokens = { accessToken: 'data.accessToken', refreshToken: 'data.refreshToken' };
const logIn = { email: '{{email}}', password: '{{password}}' };
const pixOrder = {
  amount: 250_000,
  externalId: 'order-{{$guid}}',
  payerName: 'Maria da Silva',
  payerDocument: '123.456.789-09',
  description: 'Pedido 1001',
};

/** Exchanges the sandbox's approved card for a token, as a buyer's browser does. */
const tokenizeCard = [
  "const card = { number: '4000000000000010', holder_name: 'Maria da Silva', exp_month: 12, exp_year: 2035, cvv: '123' };",
  'pm.sendRequest({',
  "  url: pm.collectionVariables.get('tokenizeUrl') + '?appId=' + pm.collectionVariables.get('publicKey'),",
  "  method: 'POST',",
  "  header: { 'Content-Type': 'application/json' },",
  "  body: { mode: 'raw', raw: JSON.stringify({ type: 'card', card }) },",
  '}, (error, response) => {',
  '  if (error) throw error;',
  "  pm.collectionVariables.set('cardToken', response.json().id);",
  '});',
];

const ofAccount: readonly Step[] = [
  {
    operation: 'register',
    before: [
      "pm.collectionVariables.set('email', 'dono-' + Date.now() + '@loja.example');",
      "pm.collectionVariables.set('cnpj', String(Math.floor(Math.random() * 1e14)).padStart(14, '0'));",
    ],
    body: { ...logIn, companyName: 'Loja do Zé', cnpj: '{{cnpj}}', phone: '11987654321' },
    saves: tokens,
  },
  { operation: 'logIn', body: logIn, saves: tokens },
  {
    operation: 'refresh',
    body: { refreshToken: '{{refreshToken}}' },
    saves: { accessToken: 'data.accessToken' },
  },
  { operation: 'listSessions', saves: { sessionId: 'data[1].id' } },
  { operation: 'endSession', id: 'sessionId' },
  { operation: 'endOtherSessions' },
  { operation: 'getAccount' },
  { operation: 'changeAccount' },
  { operation: 'changeAccountLogo' },
  { operation: 'getAccountLogo' },
  {
    operation: 'createApiKey',
    body: { name: 'testes', environment: 'sandbox', scopes },
    saves: { apiKey: 'data.key', apiKeyId: 'data.id' },
  },
  { operation: 'rotateApiKey', id: 'apiKeyId', saves: { apiKey: 'data.key' } },
  { operation: 'revokeApiKey', id: 'apiKeyId' },
  { operation: 'listApiKeys' },
];

const ofCharges: readonly Step[] = [
  { operation: 'getCardConfig', saves: { publicKey: 'data.publicKey', tokenizeUrl: 'data.tokenizeUrl' } },
  { operation: 'createCharge', body: pixOrder, saves: { chargeId: 'data.id' } },
  { operation: 'getCharge', id: 'chargeId' },
  { operation: 'getCheckout', id: 'chargeId' },
  { operation: 'simulatePayment', id: 'chargeId' },
  { operation: 'readChargeTimeline', id: 'chargeId' },
  {
    operation: 'createCharge',
    title: 'Create a charge to cancel',
    body: pixOrder,
    saves: { unpaidChargeId: 'data.id' },
  },
  { operation: 'cancelCharge', id: 'unpaidChargeId' },
  { operation: 'paySandboxCharge', id: 'unpaidChargeId', body: { late: true } },
  { operation: 'listCharges' },
  {
    operation: 'createPaymentLink',
    body: { description: 'Pedido 1001', amount: 2500, uses: 1, externalId: 'order-{{$guid}}' },
    saves: { paymentLinkId: 'data.id', slug: 'data.slug' },
  },
  { operation: 'getPaymentLink', id: 'paymentLinkId' },
  { operation: 'getLinkPage', id: 'slug' },
  { operation: 'openCheckout', id: 'slug', saves: { checkoutId: 'data.id' } },
  { operation: 'payByPix', id: 'checkoutId' },
  { operation: 'openCardForm', id: 'checkoutId' },
  {
    operation: 'payByCard',
    id: 'checkoutId',
    before: tokenizeCard,
    body: { cardToken: '{{cardToken}}' },
  },
  { operation: 'getCheckoutVisit', id: 'checkoutId' },
  { operation: 'changePaymentLink', id: 'paymentLinkId' },
  { operation: 'listPaymentLinks' },
  { operation: 'readVolume' },
];

const ofWallet: readonly Step[] = [
  { operation: 'getBalance' },
  { operation: 'listTransactions' },
  { operation: 'getStatement' },
  { operation: 'listClosings' },
  { operation: 'summarizeStatement' },
  { operation: 'listReceivables' },
  { operation: 'listReceivableItems' },
];

const ofRefunds: readonly Step[] = [
  {
    operation: 'refundCharge',
    id: 'chargeId',
    body: { amount: 1000, reason: 'um item veio quebrado' },
    saves: { refundId: 'data.refund.id' },
  },
  { operation: 'getRefund', id: 'refundId' },
  { operation: 'listRefunds' },
  { operation: 'listUnexpectedPayments' },
  {
    operation: 'disputeSandboxCharge',
    id: 'chargeId',
    body: { amount: 1000 },
    saves: { disputeId: 'data.id' },
  },
  { operation: 'listDisputes' },
  { operation: 'getDispute', id: 'disputeId' },
  {
    operation: 'createFile',
    body: { purpose: 'dispute_evidence', disputeId: '{{disputeId}}' },
    saves: { fileId: 'data.id' },
  },
  { operation: 'getFile', id: 'fileId' },
  { operation: 'deleteFile', id: 'fileId' },
  { operation: 'sendEvidence', id: 'disputeId' },
  { operation: 'resolveSandboxDispute', id: 'disputeId' },
];

const ofWithdrawals: readonly Step[] = [
  { operation: 'createDestination', saves: { destinationId: 'data.id' } },
  { operation: 'getDestination', id: 'destinationId' },
  { operation: 'listDestinations' },
  { operation: 'createQuote' },
  { operation: 'getRecipient', query: { pixKey: 'maria@exemplo.com.br' } },
  { operation: 'decodeQr' },
  {
    operation: 'createWithdrawal',
    body: { amount: 15_000, destinationId: '{{destinationId}}', externalId: 'folha-{{$guid}}' },
    saves: { withdrawalId: 'data.id' },
  },
  { operation: 'getWithdrawal', id: 'withdrawalId' },
  { operation: 'listWithdrawals' },
  { operation: 'cancelWithdrawal', id: 'withdrawalId', orRefused: 409 },
  {
    operation: 'createWithdrawal',
    title: 'Create a withdrawal that waits to be approved',
    body: { amount: 1_000, pixKey: 'hold@sandbox.test', pixKeyType: 'EMAIL' },
    saves: { approvedId: 'data.id' },
  },
  { operation: 'getSandboxProvider' },
  { operation: 'setSandboxProvider', body: { payout: 'held' } },
  { operation: 'setSandboxProvider', title: 'End the provider faults', body: { payout: 'ok' } },
  { operation: 'holdSandboxWithdrawal', id: 'approvedId' },
  { operation: 'approveSandboxWithdrawal', id: 'approvedId' },
  // The sandbox bank may have ended the withdrawal already, so an error 409 is accepted.
  { operation: 'completeSandboxWithdrawal', id: 'approvedId', orRefused: 409 },
  { operation: 'failSandboxWithdrawal', id: 'approvedId', orRefused: 409 },
  {
    operation: 'createWithdrawal',
    title: 'Create a withdrawal that waits to be rejected',
    body: { amount: 1_000, pixKey: 'hold@sandbox.test', pixKeyType: 'EMAIL' },
    saves: { rejectedId: 'data.id' },
  },
  { operation: 'rejectSandboxWithdrawal', id: 'rejectedId' },
  { operation: 'deleteDestination', id: 'destinationId' },
];

const ofWebhooks: readonly Step[] = [
  {
    operation: 'createWebhookConfiguration',
    body: { url: '{{webhookUrl}}' },
    saves: { webhookId: 'data.id' },
  },
  { operation: 'getWebhookConfiguration', id: 'webhookId' },
  { operation: 'listWebhookConfigurations' },
  { operation: 'changeWebhookConfiguration', id: 'webhookId', body: { retrySchedule: 'extended' } },
  {
    operation: 'createWebhookFault',
    body: { webhookId: '{{webhookId}}', kind: 'delay', count: 100 },
    saves: { webhookFaultId: 'data.id' },
  },
  { operation: 'listWebhookFaults' },
  { operation: 'deleteWebhookFault', id: 'webhookFaultId' },
  { operation: 'testWebhook', id: 'webhookId', saves: { deliveryId: 'data.id' } },
  { operation: 'listWebhookDeliveries' },
  { operation: 'getWebhookDelivery', id: 'deliveryId' },
  { operation: 'resendWebhookDelivery', id: 'deliveryId', orRefused: 409 },
  { operation: 'resendFailedDeliveries', id: 'webhookId' },
  { operation: 'rotateWebhookSecret', id: 'webhookId', body: { gracePeriodSeconds: 86_400 } },
  { operation: 'deleteWebhookConfiguration', id: 'webhookId' },
  { operation: 'listEvents', saves: { eventId: 'data[0].id' } },
  { operation: 'getEvent', id: 'eventId' },
  { operation: 'listRequests' },
];

/** These requests come near the end, because all later requests see the moved clock. */
const ofClock: readonly Step[] = [
  { operation: 'getSandboxClock' },
  { operation: 'moveSandboxClock', body: { advance: 'PT1H' } },
];

const ofEnd: readonly Step[] = [
  {
    operation: 'changePassword',
    body: { currentPassword: '{{password}}', newPassword: '{{password}} nova' },
    saves: tokens,
  },
  { operation: 'logOut' },
];

/** All operations for merchants, in an order in which each operation finds the objects that it needs. */
export const journey: readonly { folder: string; steps: readonly Step[] }[] = [
  { folder: 'Account and API keys', steps: ofAccount },
  { folder: 'Charges', steps: ofCharges },
  { folder: 'Wallet', steps: ofWallet },
  { folder: 'Refunds and disputes', steps: ofRefunds },
  { folder: 'Withdrawals', steps: ofWithdrawals },
  { folder: 'Webhooks, events and requests', steps: ofWebhooks },
  { folder: 'The clock of the sandbox', steps: ofClock },
  { folder: 'The end', steps: ofEnd },
];
