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
      // `/v1/admin/withdrawals/dead-letters/{id}` differs from `…/{id}/approve`, because an id is a UUID and
      // `dead-letters` is not.
      'no-ambiguous-paths': 'off',
      // A Pix charge may omit paymentMethod, and a card charge must have CARD, so that no body matches both.
      // The rule considers only commonly required fields.
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
      // Since OpenAPI 3.1 the security of a scheme may name roles, which no list declares. Redocly checks the
      // names of the schemes.
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

// Runs as a separate process: reads a document from standard input and writes the findings as a JSON list.
process.stdout.write(JSON.stringify(await findingsIn(await text(process.stdin))));
