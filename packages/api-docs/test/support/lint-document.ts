import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

/** Returns the findings of two linters in a document. */
async function findingsIn(document: string): Promise<string[]> {
  return (await Promise.all([byRedocly(document), bySpectral(document)])).flat();
}

async function byRedocly(document: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // `/v1/admin/withdrawals/dead-letters/{id}` is no `…/{id}/approve`: an id is a UUID, and `dead-letters` is none.
      'no-ambiguous-paths': 'off',
      // The contract lets a Pix charge leave paymentMethod out. A card's must be CARD, so that no body is both; the rule
      // sees only what all of them require.
      'no-illogical-composition-keywords': 'off',
    },
  });
  const found = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  return found.map(
    ({ severity, ruleId, location: [place], message }) =>
      `Redocly, ${severity} ${ruleId} at ${place?.pointer}: ${message}`,
  );
}

const severities = ['error', 'warn', 'info', 'hint'];

async function bySpectral(document: string): Promise<string[]> {
  const spectral = new Spectral();
  const ruleset = new Ruleset({
    extends: [[oas, 'recommended']],
    rules: {
      // Since OpenAPI 3.1 a key may name roles, which no list declares; that each scheme is one, Redocly checks.
      'oas3-operation-security-defined': 'off',
    },
  });
  spectral.setRuleset(ruleset);
  const found = await spectral.run(document);
  return found.map(
    ({ severity, code, path, message }) =>
      `Spectral, ${severities[severity]} ${code} at ${path.join('/')}: ${message}`,
  );
}

// A process of its own: it reads a document, and writes what was found as a list of texts.
process.stdout.write(JSON.stringify(await findingsIn(await text(process.stdin))));
