import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

async function findingsIn(document: string): Promise<string[]> {
  return (await Promise.all([byRedocly(document), bySpectral(document)])).flat();
}

async function byRedocly(document: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The paths `/v1/admin/withdrawals/dead-letters/{id}` and `…/{id}/approve` are not ambiguous: an id is
      // a UUID, and `dead-letters` is not.
      'no-ambiguous-paths': 'off',
      // Redocly reports this rule only because a Pix charge may omit `paymentMethod`. No body matches both
      // the Pix and the card alternative, because a card charge must have CARD.
      'no-illogical-composition-keywords': 'off',
    },
  });
  const found = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  return found.map(
    ({ severity, ruleId, location: [position], message }) =>
      `Redocly, ${severity} ${ruleId} at ${position?.pointer}: ${message}`,
  );
}

const severities = ['error', 'warn', 'info', 'hint'];

async function bySpectral(document: string): Promise<string[]> {
  const spectral = new Spectral();
  const ruleset = new Ruleset({
    extends: [[oas, 'recommended']],
    rules: {
      // This rule refuses roles that no security scheme declares, but OpenAPI 3.1 allows such roles. Redocly
      // checks that each named scheme exists.
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

// This file runs as a separate process. It reads a document from standard input and writes the findings as
// JSON.
process.stdout.write(JSON.stringify(await findingsIn(await text(process.stdin))));
