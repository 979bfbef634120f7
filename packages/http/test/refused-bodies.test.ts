import { expect, test } from '@jest/globals';
import { api, type Endpoint, schemaOf, scopes, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { validate, validateBody } from '../src/validation.ts';

const fields = z.record(z.string(), z.unknown());
const endpoints = new Map(Object.entries<Endpoint>(api));
const ID = '0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f';
/** Valid bodies for endpoints that have no example in the API document. */
const samples: Record<string, object> = {
  openDispute: { chargeId: ID, reason: 'FRAUD', description: 'não fui eu' },
};

/**
 * Returns the error message for an operation's valid example body after `changes`, or 'none' without an
 * error. `createCharge#1` means the second example of `createCharge`.
 */
function refusalOf(target: string, changes: object): string {
  const [operation = '', example = 0] = target.split('#');
  const endpoint = endpoints.get(operation);
  if (!endpoint) throw new Error(`no operation ${operation}`);
  const good = fields.parse(samples[operation] ?? endpoint.examples?.[Number(example)]?.body);
  const read = endpoint.access.kind === 'operator' ? validate : validateBody;
  try {
    read(schemaOf(endpoint, 'body'), { ...good, ...changes });
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const CHARGE = 'createCharge createCharge#1';
const WITHDRAWAL = 'createWithdrawal createWithdrawal#1';
const KEY = 'createWithdrawal createDestination';
const ACCOUNT = 'createDestination#1';
const WALLET = 'blockMoney unblockMoney adjustWallet';
const NO_CONTROLS = 'may not hold control characters';
const [CPF_OR_CNPJ, METHOD] = ['must be a CPF (11 digits) or CNPJ (14)', 'must be PIX or CARD'];
const COLOUR = 'must be a colour of the form #rrggbb';
const NAME = 'a name has 1 to 40 characters, and no blanks, brackets or control characters';
const SAFE_URL = 'must be an https address without credentials, fragment and backslashes';
const NO_DATE =
  'must be a day that exists, such as 2026-11-22, or an instant with seconds and Z or an offset, ' +
  'such as 2026-11-22T10:00:00-03:00; a + is %2B in a URL';
const CNPJ = 'must be a CNPJ of 14 characters: digits, or 12 letters and digits and 2 check digits';
const subscribable = Object.keys(webhookEvents).filter((event) => event !== 'webhook.test');
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
const long = (length: number) => 'a'.repeat(length);

/**
 * Each row has the operations, the whole message (which begins with the name of the field), and wrong values
 * for the field.
 */
const wrong: [string, string, ...unknown[]][] = [
  [`${CHARGE} ${WITHDRAWAL}`, 'amount: is required', undefined, null],
  [`${CHARGE} ${WITHDRAWAL}`, 'amount: must be a number', '2500', [2500]],
  [`${CHARGE} ${WITHDRAWAL}`, 'amount: must be an integer', 2500.5, 10.5],
  [`${CHARGE} ${WITHDRAWAL}`, 'amount: must be at least 100', 99, 0, -2500, -1e300],
  [`${CHARGE} ${WITHDRAWAL}`, 'amount: must be at most 99999999999', 100_000_000_000, 1e300],
  [CHARGE, 'externalId: is required', undefined, '', '   '],
  [WITHDRAWAL, 'externalId: is required', '', '   '],
  [`${CHARGE} ${WITHDRAWAL}`, 'externalId: must be a text', 17],
  [`${CHARGE} ${WITHDRAWAL}`, 'externalId: must have at most 64 characters', long(65)],
  [`${CHARGE} ${WITHDRAWAL}`, `externalId: ${NO_CONTROLS}`, 'a\0', 'a\n1', 'a\u007f', 'a \ud83d'],
  [CHARGE, 'payerName: is required', undefined, null, '', '!?* -', '!!!', '\0\ud800', '\u2764\ufe0f'],
  [CHARGE, 'payerName: is required', '\u0301', '\u20e3', '\u034f', '\u3164'],
  [CHARGE, 'payerName: must be a text', ['Maria']],
  [CHARGE, 'payerName: must have at most 120 characters', 'é'.repeat(121)],
  [CHARGE, 'payerDocument: is required', undefined],
  [CHARGE, 'payerDocument: must be a text', 12_345_678_909],
  [CHARGE, `payerDocument: ${CPF_OR_CNPJ}`, '1234567890', '123456789012', '1234567890A', '1234567890\0'],
  [CHARGE, `payerDocument: ${CPF_OR_CNPJ}`, '123', '12ABC34501DEAA', '١٢٣٤٥٦٧٨٩٠٩'],
  [CHARGE, `paymentMethod: ${METHOD}`, 'BOLETO', 'CRYPTO', 'pix'],
  [CHARGE, 'description: must be a text', 7],
  [CHARGE, 'description: must have at most 255 characters', long(256)],
  [CHARGE, `description: ${NO_CONTROLS}`, 'a\0b', '\udc00'],
  [CHARGE, 'payerEmail: must be an e-mail address', 'maria', 'maria\0@example.com'],
  [CHARGE, 'payerEmail: must have at most 254 characters', `${long(250)}@example.com`],
  [CHARGE, 'metadata: must be of type record', 'loja', ['loja']],
  [CHARGE, 'metadata.loja: must be a text', { loja: 17 }, { loja: null }, { loja: { a: 'b' } }],
  [CHARGE, 'metadata.loja: must have at most 500 characters', { loja: long(501) }],
  [CHARGE, `metadata.loja: ${NO_CONTROLS}`, { loja: 'a\0b' }],
  [CHARGE, `metadata.${long(41)}: ${NAME}`, { [long(41)]: 'b' }],
  [CHARGE, `metadata.: ${NAME}`, { '': 'b' }],
  [CHARGE, `metadata.a b: ${NAME}`, { 'a b': 'c' }],
  [CHARGE, `metadata.a[b]: ${NAME}`, { 'a[b]': 'c' }],
  [CHARGE, 'metadata: may hold at most 20 entries', entries(21)],
  ['createCharge', 'expiresIn: must be at least 1', 0],
  ['createCharge', 'expiresIn: must be at most 2592000', 2_592_001],
  ['createCharge', 'expiresIn: must be a number', '3600'],
  ['createCharge', 'expiresIn: must be an integer', 1.5],
  ['createCharge#1', 'cardToken: is required', undefined, null, ''],
  ['createCharge#1', 'cardToken: must be a text', ['token_1']],
  ['createCharge#1', 'cardToken: must have at most 255 characters', long(256)],
  ['createCharge#1', 'installments: must be at least 1', 0],
  ['createCharge#1', 'installments: must be at most 18', 19],
  ['createCharge#1', 'installments: must be an integer', 1.5],
  ['createCharge#1', 'installments: must be a number', '3'],
  ['createCharge#1', 'statementDescriptor: must have at most 13 characters', 'LOJA DA MARIA1'],
  ['createCharge#1', `statementDescriptor: ${NO_CONTROLS}`, 'LOJA\0'],
  ['createCharge#1', 'payerPhone: must be a phone number with area code', 'amanhã'],
  ['refundCharge', 'amount: must be at least 1', 0, -1],
  ['refundCharge', 'amount: must be an integer', 10.5],
  ['refundCharge', 'amount: must be a number', '100'],
  ['refundCharge', 'reason: must have at most 255 characters', long(256)],
  ['refundCharge', 'reason: must be a text', 7],
  ['paySandboxCharge openDispute', 'amount: must be at least 1', 0],
  ['paySandboxCharge openDispute', 'amount: must be an integer', 1.5],
  ['paySandboxCharge', 'times: must be at least 1', 0],
  ['paySandboxCharge', 'times: must be at most 5', 6],
  ['paySandboxCharge', 'late: must be true or false', 'yes'],
  ['openDispute', 'chargeId: must be a charge’s id', 'x'],
  ['openDispute', 'reason: is required', ''],
  ['openDispute', 'description: is required', undefined],
  ['createPaymentLink', `returnUrl: ${SAFE_URL}`, 'http://loja.example', 'javascript:alert(1)'],
  ['createPaymentLink', `returnUrl: ${SAFE_URL}`, 'https://loja.example\\@x.example'],
  ['createPaymentLink', 'methods: must have at least 1 entries', []],
  ['createWithdrawal', 'pixKey: is required', undefined, null, ''],
  ['createDestination', 'pixKey: is required', '', '  '],
  [KEY, 'pixKey: must be a text', 12_345_678_909],
  [KEY, 'pixKey: must have at most 77 characters', long(78), `${long(70)}@loja.example`],
  [KEY, `pixKey: ${NO_CONTROLS}`, 'a\0b', 'maria\0@loja.example'],
  ['createWithdrawal', 'pixKeyType: is required', undefined],
  [KEY, 'pixKeyType: must be one of CPF, CNPJ, EMAIL, PHONE, EVP', 'evp', 'RANDOM'],
  ['createWithdrawal#1', 'destinationId: must be a destination’s id', 'maria'],
  ['createWithdrawal#1', 'destinationId: must be a text', 7],
  ['createWithdrawal', 'source: must be one of MANUAL, QR_CODE', 'API'],
  [ACCOUNT, 'bankCode: must be the bank’s COMPE code of 3 digits', '34', '60701190'],
  [ACCOUNT, 'bankCode: is required', undefined],
  [
    ACCOUNT,
    'branch: must be 1 to 5 digits, and a check digit after a hyphen if it has one',
    ...['123456', '12-34'],
  ],
  [
    ACCOUNT,
    'account: must be 1 to 20 digits, of which the last may be an X or stand after a hyphen',
    ...['X', '-1', '1-', '12-34', '1X2', '1'.repeat(21), `${'1'.repeat(20)}-1`, 'a'],
  ],
  [ACCOUNT, 'accountType: must be one of CHECKING, SAVINGS', 'SALARY'],
  [ACCOUNT, 'holderName: is required', ' '],
  [ACCOUNT, 'holderName: must have at most 120 characters', long(121)],
  [ACCOUNT, `holderDocument: ${CPF_OR_CNPJ}`, '1234'],
  [ACCOUNT, 'label: must have at most 60 characters', long(61)],
  [ACCOUNT, 'label: must be a text', 7],
  [ACCOUNT, 'type: must be PIX or BANK_ACCOUNT', 'PIX_KEY'],
  ['completeWithdrawal', 'providerTxId: is required', '', ' '],
  ['completeWithdrawal', 'providerTxId: must have at most 64 characters', 'x'.repeat(65)],
  ['completeWithdrawal', `providerTxId: ${NO_CONTROLS}`, 'a\0'],
  ['rejectWithdrawal', 'reason: is required', '', '   '],
  ['rejectWithdrawal', 'reason: must have at most 255 characters', 'x'.repeat(256)],
  ['rejectWithdrawal', `reason: ${NO_CONTROLS}`, 'a\0b'],
  ['blockMoney unblockMoney', 'amount: must be at least 1', 0, -1],
  ['adjustWallet', 'amount: must not be 0', 0],
  [WALLET, 'amount: must be an integer', 1.5],
  ['blockMoney unblockMoney', 'reason: is required', ''],
  ['adjustWallet', 'description: is required', undefined],
  [WALLET, 'id: must be a UUID', 'x'],
  [WALLET, 'merchantId: must be a merchant’s id', 'x', '00000000-0000-0000-0000-000000000000'],
  [WALLET, 'environment: must be one of production, sandbox', 'staging'],
  ['createOperator', 'email: must be an e-mail address', 'operador'],
  ['createOperator', 'password: must have at least 12 characters', '12345678901'],
  ['createOperator', 'password: is required', undefined],
  ['createOperator changeOperator', 'role: must be one of ADMIN, FINANCE, SUPPORT', 'ROOT'],
  ['createOperator', 'role: is required', undefined],
  ['changeOperator', 'isActive: must be true or false', 'no', null],
  ['changeAccount', `checkoutColor: ${COLOUR}`, '0f766e', '#0f7', 'red', '#0f766g'],
  ['changeAccount', 'phone: must be a phone number with area code', '98765'],
  ['register', 'email: is required', undefined],
  ['register', 'email: must be an e-mail address', 'dono'],
  ['register', 'email: must have at most 254 characters', `${long(243)}@loja.example`],
  ['register', 'password: is required', undefined],
  ['register', 'password: must have at least 8 characters', '1234567'],
  ['register', 'companyName: is required', '   ', '\u200b\u200b'],
  ['register', `companyName: ${NO_CONTROLS}`, 'Loja\0'],
  ['register', 'cnpj: is required', undefined],
  ['register', `cnpj: ${CNPJ}`, '3466538800016'],
  ['register', 'cnpj: must be a text', 34_665_388_000_161],
  ['register', 'phone: is required', undefined],
  ['register', 'phone: must be a phone number with area code', '987654321'],
  ['createApiKey', 'name: is required', undefined],
  ['createApiKey', 'environment: is required', undefined],
  ['createApiKey', 'environment: must be one of production, sandbox', 'live'],
  ['createApiKey', 'scopes: must have at least 1 entries', []],
  ['createApiKey', `scopes.0: must be one of ${scopes.join(', ')}`, ['everything']],
  ['createApiKey', 'expiresAt: must lie in the years 1 to 9999, in UTC', '9999-12-31T23:59:59-01:00'],
  ['createApiKey', `expiresAt: ${NO_DATE}`, 'tomorrow'],
  ['createWebhookConfiguration', 'url: is required', undefined],
  ['createWebhookConfiguration', 'url: may not hold backslashes', 'https://shop.example\\@x.example'],
  ['createWebhookConfiguration', 'secret: must have at least 16 characters', '123456789012345'],
  ['createWebhookConfiguration', `events.0: must be one of ${subscribable.join(', ')}`, ['charge.sold']],
  ['changeMerchantSettings', 'pixFeeBps: must be an integer', 1.5],
  ['changeMerchantSettings', 'cardFeeFixed: must be a number', '40'],
  ['changeMerchantSettings', 'settlementDays: must be a number', null],
  ['changeMerchantSettings', 'cardEnabled: must be true or false', 1, 'true', null],
  ['changeMerchantSettings', 'settlementCalendar: must be one of calendar, banking', 'lunar'],
  ['changeMerchantSettings', 'withdrawalFeeMode: must be one of AMOUNT, BALANCE', 'amount'],
  ['changeMerchantSettings', 'autoApproveLimit: must be a number', null],
  ['changeMerchantSettings', 'dailyWithdrawalLimit: must be a number', 'null'],
  ['changeMerchantSettings', 'newPayeesPerDay: must be an integer', 1.5],
  ['createWebhookFault', 'kind: must be one of duplicate, reorder, delay, bad_signature, drop', 'explode'],
  ['createWebhookFault', 'count: must be at least 1', 0],
  ['createWebhookFault', 'count: must be at most 100', 101],
  ['createWebhookFault', 'count: must be an integer', 1.5],
];

test.each(wrong)('%s refuses a body with %s', (targets, message, ...values) => {
  const [field = ''] = message.split(/[.:]/);

  const refusals = targets
    .split(' ')
    .flatMap((target) => values.map((value) => [target, value, refusalOf(target, { [field]: value })]));

  expect(refusals).toEqual(refusals.map(([target, value]) => [target, value, message]));
});
