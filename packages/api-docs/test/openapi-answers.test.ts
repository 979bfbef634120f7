import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type ApiName, expectOfAll, operationOf, statusesOf } from './support/document.ts';

const codesOf = (name: ApiName, status: number) =>
  [...(operationOf(api[name]).responses[status]?.description ?? '').matchAll(/`([A-Z_]+)`:/g)].map(
    ([, code]) => code,
  );

describe('a documented endpoint', () => {
  test('has exactly its expected status codes', () => {
    const answered: [ApiName, number[]][] = [
      ['createCharge', [200, 201, 400, 401, 402, 403, 406, 408, 409, 413, 414, 415, 429, 431, 500, 502, 503]],
      ['getCharge', [200, 400, 401, 403, 404, 406, 408, 414, 415, 429, 431, 500, 503]],
      ['getCheckout', [200, 400, 404, 406, 408, 414, 415, 429, 431, 500, 503]],
      ['cancelCharge', [200, 400, 401, 403, 404, 406, 408, 409, 413, 414, 415, 429, 431, 500, 502, 503]],
      [
        'refundCharge',
        [200, 202, 400, 401, 403, 404, 406, 408, 409, 413, 414, 415, 422, 429, 431, 500, 502, 503],
      ],
      ['simulatePayment', [200, 400, 401, 403, 404, 406, 408, 409, 413, 414, 415, 429, 431, 500, 502, 503]],
      ['sendEvidence', [200, 400, 401, 403, 404, 406, 408, 409, 413, 414, 415, 429, 431, 500, 503]],
      [
        'createWebhookConfiguration',
        [201, 400, 401, 403, 406, 408, 409, 413, 414, 415, 422, 429, 431, 500, 503],
      ],
    ];
    expectOfAll(
      answered.map(([name, statuses]) => [name, { name, statuses }] as const),
      ({ name, statuses }) => {
        expect(statusesOf(operationOf(api[name])).toSorted((a, b) => a - b)).toEqual(statuses);
      },
    );
  });

  test('has the expected error codes of each status', () => {
    const meanings: [ApiName, number, string[]][] = [
      ['createCharge', 402, ['CARD_DECLINED']],
      [
        'createCharge',
        403,
        ['CARD_NOT_ENABLED', 'MERCHANT_SUSPENDED', 'INSUFFICIENT_SCOPE', 'IP_NOT_ALLOWED'],
      ],
      ['createCharge', 409, ['EXTERNAL_ID_CONFLICT']],
      ['createCharge', 503, ['PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE']],
      ['cancelCharge', 409, ['CHARGE_NOT_CANCELLABLE']],
      ['refundCharge', 400, ['VALIDATION_ERROR', 'REFUND_NOT_SUPPORTED']],
      ['refundCharge', 409, ['CHARGE_NOT_REFUNDABLE', 'REFUND_REFUSED', 'REQUEST_IN_PROGRESS']],
      ['refundCharge', 422, ['INSUFFICIENT_BALANCE']],
      ['simulatePayment', 403, ['SANDBOX_ONLY']],
      ['sendEvidence', 409, ['INVALID_STATE']],
      ['register', 409, ['ACCOUNT_EXISTS']],
      ['logIn', 401, ['INVALID_CREDENTIALS']],
    ];
    const named = meanings.map(
      ([name, status, codes]) => [`${name} ${status}`, { name, status, codes }] as const,
    );
    expectOfAll(named, ({ name, status, codes }) => {
      expect(codesOf(name, status)).toEqual(expect.arrayContaining(codes));
    });
  });
});
