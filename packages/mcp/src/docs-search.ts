import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

interface Section {
  title: string;
  text: string;
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

/** The platform's own documents, as the installation serves them: its guides where there are some, and its API. */
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

/** One for each heading. */
function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^(?=#{1,3} )/m)
    .map((text) => ({ title: /^#+ (.*)/.exec(text)?.[1] ?? '', text }))
    .filter(({ text }) => text.trim() !== '');
}

function operationsOf(text: string): Section[] {
  const { info, paths } = apiDocument.parse(JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', summary = '', description = '' }]) => ({
      title: `${operationId} ${summary}`,
      text: `${method.toUpperCase()} ${path} (${operationId})\n${summary}\n${description}`,
    })),
  );
  return [
    ...sectionsOf(info.description),
    ...operations.filter(({ text: all }) => !all.includes('/v1/admin/')),
  ];
}

/** By how many of the words a section has, those that are rare before those that are everywhere. */
function found(sections: readonly Section[], query: string): Section[] {
  const all = sections.map((section) => ({
    section,
    title: folded(section.title),
    text: folded(section.text),
  }));
  const words = [...new Set(folded(query).match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
  const weights = words.map((word) => {
    const holders = all.filter(({ text }) => text.includes(word)).length;
    return { word, weight: Math.log(1 + all.length / (1 + holders)) };
  });
  const scored = all.map(({ section, title, text }) => {
    const scores = weights.map(({ word, weight }) => {
      return weight * ((text.includes(word) ? 1 : 0) + (title.includes(word) ? 2 : 0));
    });
    return { section, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => section);
}

/** Without case and accents: people write `cobranca`. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function excerptOf({ text }: Section): string {
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text.trim();
}
