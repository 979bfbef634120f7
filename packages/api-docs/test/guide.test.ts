import { describe, expect, test } from '@jest/globals';
import { api, chargeStatuses, errorCatalogue, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { openApiDocument } from '../src/document.ts';

const { info } = z
  .looseObject({ info: z.object({ title: z.string(), version: z.string(), description: z.string() }) })
  .parse(JSON.parse(JSON.stringify(openApiDocument(api))));
const guide = info.description;
const disputeStatuses = api.getDispute.data.shape.status.options;

describe('the introduction', () => {
  test.each([...chargeStatuses, ...disputeStatuses])('says what %s means', (status) => {
    expect(guide).toMatch(new RegExp(`^\\| ${status} \\| \\S.+ \\|$`, 'm'));
  });

  test.each([
    ['0010', 'approved'],
    ['0028', 'insufficient_funds'],
    ['0036', 'expired_card'],
    ['0044', 'suspected_fraud'],
    ['0051', 'approved later'],
    ['0069', 'declined later'],
  ])('says how a sandbox card that ends in %s ends', (last, outcome) => {
    expect(guide).toMatch(new RegExp(`^\\| 4000 0000 0000 ${last} \\| .*${outcome}.* \\|$`, 'm'));
  });

  test('says how a card becomes a token, and where to send it', () => {
    for (const word of ['card-config', 'tokenizeUrl', 'appId={publicKey}', 'holder_name', 'cardToken']) {
      expect(guide).toContain(word);
    }
  });

  test('names no code, event or path that does not exist', () => {
    const codes = [...guide.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => code);
    const events = [...guide.matchAll(/`((?:charge|dispute|withdrawal|webhook)\.\w+)`/g)].map(
      ([, event]) => event,
    );
    const paths = [...guide.matchAll(/`(GET|POST|DELETE) (\/v1[^`?\s]*)[^`]*`/g)].map(
      ([, verb, path]) => `${verb} ${path}`,
    );
    const existing = Object.values(api).map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );

    expect(codes.length * events.length * paths.length).toBeGreaterThan(0);
    expect(Object.keys(errorCatalogue)).toEqual(expect.arrayContaining(codes));
    expect(Object.keys(webhookEvents)).toEqual(expect.arrayContaining(events));
    expect(existing).toEqual(expect.arrayContaining(paths));
  });

  test.each([405, 408, 413, 414, 415, 429, 431, 500, 501, 503])(
    'says that any request may be answered %i',
    (status) => {
      expect(guide).toMatch(new RegExp(`^\\| [A-Z_]+ \\| ${status} \\| \\S.+ \\|$`, 'm'));
    },
  );

  test('explains how a webhook is recognised', () => {
    for (const word of ['X-Webhook-Signature', 'sha256=', 'raw body', 'X-Webhook-Id', '2, 4, 8, 16 and 32']) {
      expect(guide).toContain(word);
    }
  });

  test.each([
    'unknown query parameter is refused at every endpoint',
    'a text with nothing left is as an empty one',
    'line breaks become a space, emoji stay',
    'Programs compare `externalId`, tokens, secrets, URLs and the texts of `metadata`',
    'Only a registration takes none',
    'A key names one request, its endpoint, path and body',
    '`REQUEST_IN_PROGRESS`, or 202 for a refund',
    'text, `externalId` or `Idempotency-Key` that holds one is refused',
  ])('says: %s', (sentence) => {
    expect(guide.replaceAll('\n', ' ')).toContain(sentence);
  });
});
