import { expect, test } from '@jest/globals';
import type { ProviderExchange } from '@plataforma/http';
import { clientsByMerchant, isSandboxBank, SANDBOX_MERCHANT } from '../src/index.ts';

const own = {
  environment: 'sandbox',
  baseUrl: 'http://bank:3000/pix',
  controlUrl: 'http://bank:3001',
} as const;

test.each([
  ['the bank itself', own, true],
  ['another provider of the sandbox', { ...own, baseUrl: 'https://psp.example/pix' }, false],
  ['production at the same host', { ...own, environment: 'production' as const }, false],
  ['an installation without the bank', { ...own, controlUrl: undefined }, false],
])('%s gets the merchant’s name: %j %s', async (_which, provider, sendsMerchantId) => {
  const sent: unknown[] = [];
  const send: ProviderExchange = async ({ headers }) => {
    sent.push(headers?.[SANDBOX_MERCHANT]);
    return { status: 200, body: {} };
  };

  const clients = clientsByMerchant({ send, sendsMerchantId: isSandboxBank(provider) }, (calls) => calls);
  await clients('merchant-1')({ method: 'GET', path: '/', headers: {} });

  expect(sent).toEqual([sendsMerchantId ? 'merchant-1' : undefined]);
});
