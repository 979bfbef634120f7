import type { words } from '../site/words.ts';
import type { Guide } from './guides.ts';
import { addressOf, type Language, type Page } from './model.ts';
import { CONVENTIONS } from './pages.ts';
import { referenceMarkdown } from './reference/markdown.ts';
import type { Reference } from './reference/pages.ts';

const INTRODUCTION = `# Plataforma

> A self-hosted payments platform for Brazil: Pix and card charges, refunds, disputes, withdrawals, a double-entry ledger and
> signed webhooks, behind one HTTP API. Amounts are integer cents. A key \`sk_sandbox_…\` moves no money.

Every page of the documentation is served as Markdown at its own address with \`.md\`. The whole API is described by
\`/openapi.json\` (OpenAPI 3.1).
`;

interface Sources {
  pages: readonly Page[];
  reference: Record<Language, Reference>;
  guides: readonly Guide[];
  /** The pages of operators. */
  operatorPages: readonly string[];
  words: typeof words;
}

/** Every page as Markdown, and the lists of them for language models. */
export function llmsFiles(sources: Sources): Map<string, string> {
  const texts = sources.pages.flatMap((page) => {
    const text = markdownOf(page, sources);
    return text === undefined
      ? []
      : [{ page, text: `# ${page.title}\n\n${page.description}\n\n${text.trim()}\n` }];
  });
  const english = texts.filter(({ page }) => page.language === 'en');
  const portuguese = texts.filter(
    ({ page }) => page.language === 'pt' && !page.slug.startsWith('reference/'),
  );
  const short = [
    INTRODUCTION,
    listOf(
      'Guides',
      english.map(({ page }) => page).filter(({ slug }) => !slug.startsWith('reference/')),
    ),
    listOf(
      'API reference',
      english.map(({ page }) => page).filter(({ slug }) => slug.startsWith('reference/')),
    ),
    listOf(
      'Optional',
      portuguese.map(({ page }) => page),
    ),
  ];
  return new Map([
    ...texts.map(({ page, text }) => [`${page.language}/${page.slug}.md`, text] as const),
    ['llms.txt', short.filter((each) => each !== '').join('\n')],
    [
      'llms-full.txt',
      [INTRODUCTION, ...english.map(({ text }) => text), ...sources.operatorPages].join('\n'),
    ],
  ]);
}

function listOf(title: string, pages: readonly Page[]): string {
  if (pages.length === 0) return '';
  const rows = pages.map(
    (page) => `- [${page.title}](${addressOf(page.language, page.slug)}.md): ${page.description}`,
  );
  return `## ${title}\n\n${rows.join('\n')}\n`;
}

function markdownOf(
  { language, slug, content }: Page,
  { guides, reference, words }: Sources,
): string | undefined {
  if (content.kind === 'home' || content.kind === 'missing') return undefined;
  if (content.kind !== 'guide') return referenceMarkdown(content, words[language]);
  if (slug === CONVENTIONS) return reference[language].introduction;
  return guides.find((guide) => guide.language === language && guide.slug === slug)?.markdown;
}
