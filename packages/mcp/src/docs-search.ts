import type { McpServer } from '@modelcontextprotocol/server';
import { plainOf, sameAs } from '@plataforma/contracts/search-words';
import { z } from 'zod';

interface Section {
  title: string;
  text: string;
  isForOperators: boolean;
}

const MOST_FOUND = 4;
const LONGEST_EXCERPT = 1_800;
const input = z.strictObject({
  query: z.string().min(2).max(200).meta({ description: 'A few words, such as: refund webhook order' }),
});
const operation = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
});
const apiDocument = z.looseObject({
  info: z.looseObject({ description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

/**
 * Registers a tool that searches the documents of this installation: its API description, and its guides if
 * the installation serves guides.
 */
export function addDocsSearch(server: McpServer, baseUrl: string): void {
  let reading: Promise<Section[]> | undefined;
  const description = 'Search the guides and the API description of this installation.';
  const annotations = { title: 'Search the documents', readOnlyHint: true, openWorldHint: false };
  server.registerTool('searchDocs', { description, annotations, inputSchema: input }, async ({ query }) => {
    reading ??= sectionsAt(baseUrl);
    const sections = await reading.catch(() => []);
    if (sections.length === 0) reading = undefined;
    const text = found(sections, query).map(excerptOf).join('\n\n---\n\n');
    return {
      content: [
        { type: 'text', text: text || 'Nothing is found. Try other words, in English or Portuguese.' },
      ],
    };
  });
}

async function sectionsAt(baseUrl: string): Promise<Section[]> {
  const [guides, document] = await Promise.all([
    textAt(`${baseUrl}/llms-full.txt`),
    textAt(`${baseUrl}/openapi.json`),
  ]);
  return [...(guides ? sectionsOf(guides) : []), ...(document ? operationsOf(document) : [])];
}

async function textAt(url: string): Promise<string | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  return response?.ok ? response.text() : null;
}

/**
 * Splits documents into sections, one for each heading. A page is for operators if its text says so or lists
 * operators' endpoints.
 */
function sectionsOf(markdown: string): Section[] {
  return markdown.split(/^(?=# )/m).flatMap((page) => {
    const isForOperators = /^#+ .*\n+(?:For operators: |`?[A-Z]+ \/v1\/admin\/)/m.test(page);
    return page
      .split(/^(?=#{1,3} )/m)
      .map((text) => ({ title: /^#+ (.*)/.exec(text)?.[1] ?? '', text, isForOperators }))
      .filter(({ text }) => text.trim() !== '');
  });
}

function operationsOf(text: string): Section[] {
  const { info, paths } = apiDocument.parse(JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', summary = '', description = '' }]) => ({
      title: `${operationId} ${summary}`,
      text: `${method.toUpperCase()} ${path} (${operationId})\n${summary}\n${description}`,
      isForOperators: path.startsWith('/v1/admin/'),
    })),
  );
  return [...sectionsOf(info.description), ...operations];
}

/**
 * Words that stand for operators. The search includes operators' pages if the query contains such a word, or
 * if no page for merchants matches.
 */
const OF_OPERATORS = ['operator', 'operators', 'operador', 'operadores', 'admin'];

function found(sections: readonly Section[], query: string): Section[] {
  const words = [...new Set(plainOf(query).match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
  const isForOperators = words.some((word) => OF_OPERATORS.includes(word));
  const ofMerchants = isForOperators
    ? []
    : best(
        sections.filter((one) => !one.isForOperators),
        words,
      );
  return ofMerchants.length > 0 ? ofMerchants : best(sections, words);
}

/**
 * Ranks sections by the words of the query and the words' synonyms. A word that few sections contain counts
 * more.
 */
function best(sections: readonly Section[], words: readonly string[]): Section[] {
  const all = sections.map((section) => ({
    section,
    title: plainOf(section.title),
    text: plainOf(section.text),
  }));
  const weights = words.map((word) => {
    const said = patternOf(word);
    const holders = all.filter(({ text }) => said.test(text)).length;
    return { said, weight: Math.log(1 + all.length / (1 + holders)) };
  });
  const scored = all.map(({ section, title, text }) => {
    const scores = weights.map(({ said, weight }) => {
      return weight * ((said.test(text) ? 1 : 0) + (said.test(title) ? 2 : 0));
    });
    // For a query about operators, operators' pages rank above merchants' pages on the same subject.
    const share = section.isForOperators ? 2 : 1;
    return { section, score: share * scores.reduce((sum, score) => sum + score, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => section);
}

/**
 * Matches the word as part of a longer word, such as `refundCharge`, and its synonyms only as whole words.
 */
function patternOf(word: string): RegExp {
  const others = sameAs(word).map((same) => `(?<![\\p{L}\\p{N}])${same}(?![\\p{L}\\p{N}])`);
  return new RegExp([word, ...others].join('|'), 'u');
}

function excerptOf({ text }: Section): string {
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text.trim();
}
