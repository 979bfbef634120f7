import { randomUUID } from 'node:crypto';

/** The status and error code of an answer, such as `403 FORBIDDEN`. */
export type Outcome = string;

export interface Entry {
  /** The expected answer for a caller that may use the endpoint, but does not own the object in the path. */
  passes: Outcome;
  /** The kind of the object in the path. The object belongs to the owner, and no other caller may find it. */
  thing?: string;
  body?: object;
  /** The expected answer in production, if it differs from `passes`. */
  inProduction?: Outcome;
  /**
   * True if the owner's list is empty in this test. The service's own tests then check that other callers
   * can't read the list.
   */
  isEmpty?: true;
  /**
   * True if the list contains ids from the caller's own requests. The service's own tests then check that the
   * list contains no other caller's requests.
   */
  echoes?: true;
  /** True if the call ends the caller's session. Only callers that must be refused are then tested. */
  isFinal?: true;
}

const read: Entry = { passes: '200' };
/** The entry of an endpoint that is called without a body, and that refuses such a request. */
export const refused: Entry = { passes: '400 VALIDATION_ERROR' };
const of = (thing: string, body?: object): Entry => ({
  thing,
  passes: '404 NOT_FOUND',
  ...(body ? { body } : {}),
});
const ofNothing = (body?: object) => of('nothing', body);
const because = { reason: 'para a matriz' };

/**
 * For each endpoint: the kind of object in its path, a valid body, and the expected answer for a caller that
 * may use the endpoint.
 */
export const entries: Record<string, Entry> = {
  register: refused,
  logIn: refused,
  refresh: refused,
  logOut: { ...read, isFinal: true },
  changePassword: refused,
  listSessions: read,
  endSession: ofNothing(),
  endOtherSessions: { ...read, isFinal: true },
  getAccount: read,
  changeAccount: read,
  getAccountLogo: read,
  changeAccountLogo: { ...read, body: { logo: null } },
  createApiKey: refused,
  listApiKeys: read,
  rotateApiKey: of('apiKey'),
  revokeApiKey: of('apiKey'),
  createCharge: refused,
  listCharges: read,
  getCardConfig: read,
  getCharge: of('charge'),
  readChargeTimeline: of('charge'),
  getCheckout: ofNothing(),
  cancelCharge: of('charge'),
  refundCharge: of('charge'),
  createPaymentLink: refused,
  listPaymentLinks: read,
  getPaymentLink: of('paymentLink'),
  changePaymentLink: of('paymentLink', { isActive: false }),
  getLinkPage: ofNothing(),
  openCheckout: ofNothing({ payerName: 'Maria', payerDocument: '12345678909' }),
  getCheckoutVisit: ofNothing(),
  payByPix: ofNothing(),
  openCardForm: ofNothing(),
  payByCard: ofNothing({ cardToken: 'token_1' }),
  listRefunds: read,
  getRefund: of('refund'),
  listUnexpectedPayments: { ...read, isEmpty: true },
  simulatePayment: { ...of('charge'), inProduction: '403 SANDBOX_ONLY' },
  paySandboxCharge: { ...of('charge'), inProduction: '403 SANDBOX_ONLY' },
  disputeSandboxCharge: { ...of('charge'), inProduction: '403 SANDBOX_ONLY' },
  resolveSandboxDispute: { ...of('dispute', { outcome: 'MERCHANT' }), inProduction: '403 SANDBOX_ONLY' },
  listDisputes: read,
  getDispute: of('dispute'),
  sendEvidence: of('dispute', { description: 'entregue' }),
  createFile: refused,
  getFile: of('file'),
  deleteFile: of('file'),
  getRecipient: refused,
  decodeQr: refused,
  createDestination: refused,
  listDestinations: read,
  getDestination: of('destination'),
  deleteDestination: of('destination'),
  createWithdrawal: refused,
  listWithdrawals: read,
  getWithdrawal: of('withdrawal'),
  cancelWithdrawal: of('withdrawal'),
  setSandboxProvider: { ...read, body: { pix: 'ok' }, inProduction: '403 SANDBOX_ONLY' },
  getSandboxProvider: { ...read, inProduction: '403 SANDBOX_ONLY' },
  getSandboxClock: { ...read, inProduction: '403 SANDBOX_ONLY' },
  moveSandboxClock: refused,
  approveSandboxWithdrawal: { ...of('withdrawal'), inProduction: '403 SANDBOX_ONLY' },
  rejectSandboxWithdrawal: { ...of('withdrawal'), inProduction: '403 SANDBOX_ONLY' },
  holdSandboxWithdrawal: { ...of('withdrawal'), inProduction: '403 SANDBOX_ONLY' },
  completeSandboxWithdrawal: { ...of('withdrawal'), inProduction: '403 SANDBOX_ONLY' },
  failSandboxWithdrawal: { ...of('withdrawal'), inProduction: '403 SANDBOX_ONLY' },
  createQuote: refused,
  getBalance: read,
  listTransactions: read,
  readVolume: read,
  listReceivables: read,
  listReceivableItems: { ...read, isEmpty: true },
  getStatement: read,
  listClosings: read,
  summarizeStatement: read,
  createWebhookConfiguration: refused,
  listWebhookConfigurations: read,
  getWebhookConfiguration: of('webhook'),
  changeWebhookConfiguration: of('webhook', { isActive: false }),
  deleteWebhookConfiguration: of('webhook'),
  rotateWebhookSecret: of('webhook'),
  testWebhook: of('webhook'),
  resendFailedDeliveries: of('webhook', { since: '2026-11-01T00:00:00Z' }),
  createWebhookFault: {
    ...ofNothing({ configId: randomUUID(), kind: 'drop' }),
    inProduction: '403 SANDBOX_ONLY',
  },
  listWebhookFaults: { ...read, inProduction: '403 SANDBOX_ONLY' },
  deleteWebhookFault: { ...of('webhookFault'), inProduction: '403 SANDBOX_ONLY' },
  listWebhookDeliveries: read,
  getWebhookDelivery: of('delivery'),
  resendWebhookDelivery: of('delivery'),
  listEvents: read,
  listRequests: { ...read, echoes: true },
  getEvent: of('event'),
  logInOperator: refused,
  refreshOperator: refused,
  confirmSecondFactor: refused,
  // This platform has no pages, and therefore no origins of passkeys.
  challengeSecondFactor: { passes: '409 PASSKEYS_NOT_CONFIGURED' },
  beginOwnPasskey: { passes: '409 PASSKEYS_NOT_CONFIGURED' },
  addOwnPasskey: refused,
  listOwnPasskeys: { ...read, isEmpty: true },
  deleteOwnPasskey: ofNothing(),
  readOwnOperator: read,
  listOwnOperatorSessions: read,
  endOwnOperatorSession: ofNothing(),
  listSessionsOfOperator: ofNothing(),
  endSessionsOfOperator: ofNothing(),
  listMerchants: read,
  inspectMerchant: ofNothing(),
  approveMerchant: ofNothing(),
  rejectMerchant: ofNothing(because),
  suspendMerchant: ofNothing(because),
  reactivateMerchant: ofNothing(),
  changeMerchantSettings: ofNothing({ withdrawalFee: 1 }),
  changeOperatorPassword: refused,
  createOperator: refused,
  listOperators: read,
  changeOperator: ofNothing({ role: 'SUPPORT' }),
  listProposals: read,
  readProposal: ofNothing(),
  approveProposal: ofNothing(),
  rejectProposal: ofNothing(because),
  listAllCharges: read,
  reconcile: refused,
  inspectCharge: ofNothing(),
  listAllRefunds: read,
  openDispute: refused,
  listAllDisputes: read,
  inspectFile: ofNothing(),
  resolveDispute: ofNothing({ outcome: 'MERCHANT', resolution: 'provado' }),
  listAllUnexpectedPayments: read,
  blockMoney: refused,
  unblockMoney: refused,
  adjustWallet: refused,
  listAccounts: read,
  readTrialBalance: read,
  verifyBooks: read,
  verifyJournal: read,
  listAllWithdrawals: read,
  inspectWithdrawal: ofNothing(),
  approveWithdrawal: ofNothing(),
  rejectWithdrawal: ofNothing(because),
  completeWithdrawal: ofNothing({ providerTxId: 'TED-1' }),
  failWithdrawal: ofNothing({ ...because, bankReference: 'DEV-1' }),
  debitWithdrawalAnew: ofNothing({ note: 'para a matriz' }),
  failUndebitedWithdrawal: ofNothing({ note: 'para a matriz' }),
  listPayoutAlarms: read,
  listAlarms: read,
  settleAlarmOfCharges: ofNothing({ note: 'resolvido' }),
  settleAlarmOfWithdrawals: ofNothing({ note: 'resolvido' }),
  createStop: ofNothing({ what: 'payouts', merchantId: randomUUID(), reason: 'para a matriz' }),
  listStops: read,
  startStop: ofNothing(),
  listAllWebhookDeliveries: read,
  listWebhookEndpoints: read,
  readTimeline: ofNothing(),
  listAuditLog: read,
  listAuditAnchors: read,
  beginAuditEpoch: { passes: '409 INVALID_STATE', body: { service: 'ledger', ...because } },
  ...ofEachService(['Gateway', 'Charges', 'Withdrawals', 'Ledger', 'Webhooks'], (service) => ({
    [`listAuditLogOf${service}`]: read,
    [`verifyAuditLogOf${service}`]: read,
    [`listDeadLettersOf${service}`]: read,
    [`inspectDeadLetterOf${service}`]: ofNothing(),
    [`replayDeadLetterOf${service}`]: ofNothing(),
  })),
};

function ofEachService(names: readonly string[], entriesOf: (name: string) => Record<string, Entry>) {
  return Object.assign({}, ...names.map(entriesOf));
}
