import { readFile } from 'node:fs/promises';
import { errorCatalogue, meta, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';
import { declarationsOf } from './declarations.ts';
import { resourceTypes } from './resources.ts';
import { createPrinter } from './schema-text.ts';

/**
 * The modules whose declarations the TypeScript compiler creates. The types of requests and answers are
 * printed from schemas.
 */
const MODULES = {
  index: [
    'sdk/src/plataforma.ts',
    'sdk/src/options.ts',
    'sdk/src/list.ts',
    'sdk/src/download.ts',
    'sdk/src/client/page.ts',
    'sdk/src/client/errors.ts',
    'sdk/src/errors.ts',
  ],
  webhooks: [
    'sdk/src/webhooks/verify.ts',
    'sdk/src/webhooks/handler.ts',
    'sdk/src/webhooks/fetch.ts',
    'sdk/src/webhooks/express.ts',
    'sdk/src/webhooks/fastify.ts',
    'contracts/src/webhooks/post.ts',
  ],
};

/**
 * Returns the type declarations of each entry of the SDK, by the entry's name. The declarations import no
 * other package.
 */
export async function sdkTypes(folder: string): Promise<Record<string, string>> {
  return {
    index: await fileOf(`${folder}/src/index.ts`, MODULES.index, printedOfCalls()),
    webhooks: await fileOf(`${folder}/src/webhooks/index.ts`, MODULES.webhooks, printedOfEvents()),
  };
}

function printedOfCalls(): string[] {
  const printer = createPrinter();
  const resources = resourceTypes(printer);
  printer.typeOf(meta, 'output');
  const codes = Object.keys(errorCatalogue).map((code) => `  | '${code}'`);
  return [...resources, ...printer.declarations(), `export type ErrorCode =\n${codes.join('\n')};`];
}

function printedOfEvents(): string[] {
  const printer = createPrinter();
  const data = z.object(webhookEvents).meta({ description: 'The `data` of an event, by its name.' });
  printer.typeCalled('WebhookData', data, 'output');
  return printer.declarations();
}

async function fileOf(
  entry: string,
  modules: readonly string[],
  printed: readonly string[],
): Promise<string> {
  const exported = namesExportedBy(await readFile(entry, 'utf8'));
  const emitted = (await declarationsOf(modules)).map((text) =>
    text.replace(/^export (?=(?:declare )?(?:abstract )?\w+ (\w+))/gm, (modifier, name: string) =>
      exported.has(name) ? modifier : '',
    ),
  );
  // Without the line `export {}`, all declarations in the file would be exported.
  return `${[...emitted, ...printed].join('\n\n')}\n\nexport {};\n`;
}

function namesExportedBy(source: string): Set<string> {
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = '']) => list);
  return new Set(lists.flatMap((list) => list.split(',').map((each) => each.replace('type ', '').trim())));
}
