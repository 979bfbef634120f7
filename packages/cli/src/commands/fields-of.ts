import { flags } from '../fields.ts';
import { type Endpoint, endpoints } from '../resources.ts';
import { eventTypes } from '../trigger/fixtures.ts';

const PERIOD = 'startDate endDate timeZone';
const FILE = `${PERIOD} locale=pt-BR|en`;
const SUMS = 'search sums=true|false';
const KEYS = 'CPF|CNPJ|EMAIL|PHONE|EVP';
const EVENTS = eventTypes.join('|');
const SCHEDULE = 'retrySchedule=short|extended';

/** The fields of each endpoint with their values, for completion. A test compares them with the contract. */
const table: Record<string, string> = {
  'charges create':
    'paymentMethod=PIX|CARD amount externalId payerName payerDocument description payerEmail metadata ' +
    'expiresIn cardToken installments statementDescriptor payerPhone',
  'charges list':
    'status=PENDING|PAID|EXPIRED|CANCELLED|REFUNDED|DISPUTED paymentMethod=PIX|CARD|BOLETO externalId ' +
    `${SUMS} minAmount maxAmount payerDocument endToEndId paymentLinkId metadata ${FILE}`,
  'charges refund': 'amount reason',
  'payment-links create':
    'description amount minAmount maxAmount methods=PIX|CARD uses expiresAt returnUrl externalId ' +
    'externalIdPrefix payerName payerDocument pixExpiresIn checkoutColor color logo',
  'payment-links list': `status=ACTIVE|INACTIVE|EXPIRED|USED_UP isActive search ${PERIOD}`,
  'payment-links update': 'description isActive uses expiresAt returnUrl checkoutColor color logo',
  'refunds list': `status=PROCESSING|REFUNDED|FAILED chargeId ${SUMS} ${FILE}`,
  'disputes list':
    'status=OPEN|UNDER_REVIEW|RESOLVED_MERCHANT|RESOLVED_CUSTOMER|CANCELLED chargeId ' +
    `deadlineBefore ${SUMS} ${FILE}`,
  'disputes send-evidence': 'description documents',
  'files create': 'purpose=dispute_evidence disputeId file',
  'unexpected-payments list': `status=RETURNING|RETURNED|RETURN_REFUSED chargeId endToEndId ${FILE}`,
  'withdrawals create': `amount destinationId pixKey pixKeyType=${KEYS} source=MANUAL|QR_CODE externalId`,
  'withdrawals list':
    'status=PENDING|APPROVED|PROCESSING|COMPLETED|FAILED|REJECTED method=PIX|TED externalId ' +
    `${SUMS} ${FILE}`,
  'withdrawals recipient': `pixKey pixKeyType=${KEYS}`,
  'withdrawals decode-qr': 'brCode',
  'destinations create':
    `type=PIX|BANK_ACCOUNT pixKeyType=${KEYS} pixKey label bankCode branch account ` +
    'accountType=CHECKING|SAVINGS holderName holderDocument',
  'quotes create':
    `amount destinationId pixKey pixKeyType=${KEYS} source=MANUAL|QR_CODE externalId ` +
    'type=withdrawal|refund|charge chargeId paymentMethod=PIX|CARD installments',
  'wallet balance': 'at',
  'wallet transactions':
    'type=CREDIT|DEBIT|FEE|WITHDRAWAL|REFUND|DISPUTE_RESERVE|DISPUTE_RELEASE|DISPUTE_DEFICIT flow=in|out ' +
    `paymentMethod=PIX|CARD|BOLETO ${FILE} search minAmount maxAmount`,
  'wallet statement': `${FILE} order=desc|asc view=ledger|available`,
  'wallet closings': FILE,
  'wallet summary': PERIOD,
  'wallet receivables': `${FILE} status=PENDING|SETTLED|TAKEN paymentMethod=PIX|CARD|BOLETO`,
  'wallet receivable-items': `${FILE} status=PENDING|SETTLED|TAKEN paymentMethod=PIX|CARD|BOLETO`,
  'reports volume': `interval=hour|day|month ${FILE}`,
  'webhooks create': `url secret events=${EVENTS} signatureVersion=v1|standard ${SCHEDULE}`,
  'webhooks update': `url events=${EVENTS} isActive signatureVersion=v1|standard ${SCHEDULE}`,
  'webhooks rotate-secret': 'secret gracePeriodSeconds',
  'webhooks resend-failed': 'since',
  'webhooks test': `event=${EVENTS} objectId`,
  'deliveries list':
    `webhookId event=${EVENTS}|webhook.test ` + `status=PENDING|SUCCEEDED|FAILED resourceId ${PERIOD}`,
  'events list': `event=${EVENTS} resourceId ${PERIOD} order=desc|asc wait`,
  'requests list':
    'status=2xx|4xx|5xx method=GET|HEAD|POST|PATCH|DELETE path source=key|session apiKeyId objectId ' +
    `requestId search ${PERIOD}`,
  'sandbox charges pay': 'amount times late',
  'sandbox charges dispute':
    'amount ' +
    'reason=FRAUD|NOT_RECEIVED|NOT_AS_DESCRIBED|DUPLICATE|CANCELLED|AUTHORIZATION|OPERATIONAL|OTHER ' +
    'description',
  'sandbox disputes resolve': 'outcome=MERCHANT|CUSTOMER|CANCELLED resolution',
  'sandbox withdrawals reject': 'reason',
  'sandbox withdrawals complete': 'providerTxId',
  'sandbox withdrawals fail': 'reason',
  'sandbox provider set':
    'pix=ok|slow|down|unknown card=ok|slow|down|unknown payout=ok|slow|down|unknown|held',
  'sandbox clock move': 'advance at',
  'sandbox webhook-faults create': 'webhookId configId kind=duplicate|reorder|delay|bad_signature|drop count',
  'sandbox webhook-faults list': 'webhookId configId',
};

/**
 * Returns the fields of an endpoint. A list endpoint also has the paging fields. A CSV or OFX endpoint has
 * the fields of the list with the same name.
 */
export function fieldsOf(line: string, endpoint: Endpoint): Map<string, readonly string[]> {
  const named = line.replace(/-(?:csv|ofx)$/, '');
  const own = table[named] ?? '';
  const { isList } = endpoints.get(named) ?? endpoint;
  const all = isList ? `${own} page limit after` : own;
  return new Map(
    all
      .split(' ')
      .filter(Boolean)
      .map((field) => {
        const [name = '', values] = field.split('=');
        return [name, flags.includes(name) ? ['true', 'false'] : (values?.split('|') ?? [])];
      }),
  );
}
