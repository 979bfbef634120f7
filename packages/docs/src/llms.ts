import { words } from '../site/words.ts';
import type { Guide } from './guides.ts';
import { addressOf, type Language, type Page } from './model.ts';
import { CONVENTIONS } from './pages.ts';
import { referenceMarkdown } from './reference/markdown.ts';
import type { Reference } from './reference/pages.ts';

const INTRODUCTION = `# Plataforma

> A self-hosted payments platform for Brazil: Pix and card charges, refunds, disputes, withdrawals, a
> double-entry ledger and signed webhooks, behind one HTTP API. Amounts are integer cents. A key
> \`sk_sandbox_…\` moves no money.

The address of each page of the documentation, with \`.md\` at its end, serves the page as Markdown.
\`/openapi.json\` describes the whole API (OpenAPI 3.1).
`;

interface Sources {
  pages: readonly Page[];
  reference: Record<Language, Reference>;
  guides: readonly Guide[];
  operatorPages: readonly string[];
}

/** Returns each page as Markdown, and the lists of pages, for programs with language models. */
export function llmsFiles(sources: Sources): Map<string, string> {
  const texts = sources.pages.flatMap((page) => {
    const text = markdownOf(page, sources);
    return text === undefined
      ? []
      : [{ page, text: `# ${page.title}\n\n${page.description}\n\n${text.trim()}\n` }];
  });
  const pagesIn = (language: Language) =>
    texts.map(({ page }) => page).filter((page) => page.language === language);
  const isReference = ({ slug }: Page) => slug.startsWith('reference/');
  const isGuide = (page: Page) => !isReference(page);
  const short = [
    INTRODUCTION,
    listOf('Guides', pagesIn('en').filter(isGuide)),
    listOf('API reference', pagesIn('en').filter(isReference)),
    listOf('Optional', pagesIn('pt').filter(isGuide)),
  ];
  const english = texts.filter(({ page }) => page.language === 'en').map(({ text }) => text);
  return new Map([
    ...texts.map(({ page, text }) => [`${page.language}/${page.slug}.md`, text] as const),
    ['llms.txt', short.filter((each) => each !== '').join('\n')],
    ['llms-full.txt', [INTRODUCTION, ...english, ...sources.operatorPages].join('\n')],
  ]);
}

function listOf(title: string, pages: readonly Page[]): string {
  if (pages.length === 0) return '';
  const rows = pages.map(
    (page) => `- [${page.title}](${addressOf(page.language, page.slug)}.md): ${page.description}`,
  );
  return `## ${title}\n\n${rows.join('\n')}\n`;
}

function markdownOf({ language, slug, content }: Page, { guides, reference }: Sources): string | undefined {
  if (content.kind === 'home' || content.kind === 'missing') return undefined;
  if (content.kind !== 'guide') return referenceMarkdown(content, words[language]);
  if (slug === CONVENTIONS) return reference[language].introduction;
  return guides.find((guide) => guide.language === language && guide.slug === slug)?.markdown;
}
