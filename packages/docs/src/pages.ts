import type { words } from '../site/words.ts';
import type { Guide } from './guides.ts';
import { renderGuide } from './markdown.ts';
import { type Group, type Language, languages, type Page } from './model.ts';
import type { Reference, ReferencePage } from './reference/pages.ts';
import { merchantResources, operatorResources } from './reference/resources.ts';

type Words = typeof words;

interface Sources {
  guides: readonly Guide[];
  reference: Record<Language, Reference>;
  words: Words;
}

/** The slug of the document's introduction. */
export const CONVENTIONS = 'reference/conventions';

/** Every page of both languages. */
export function pagesOf({ guides, reference, words }: Sources): Page[] {
  return languages.flatMap((language): Page[] => {
    const say = words[language];
    const { introduction, pages } = reference[language];
    const { html, headings } = renderGuide(introduction, language, noSamples);
    return [
      { language, slug: '', title: say.home, description: say.homeText, content: { kind: 'home' } },
      {
        language,
        slug: '404',
        title: say.missingTitle,
        description: say.missingText,
        content: { kind: 'missing' },
      },
      ...guides.filter((guide) => guide.language === language).map(guidePage),
      {
        language,
        slug: CONVENTIONS,
        title: say.introductionTitle,
        description: say.introductionText,
        content: { kind: 'guide', html, headings },
      },
      ...pages.map((page) => referencePage(page, language, words)),
    ];
  });
}

function guidePage({ language, slug, title, description, html, headings }: Guide): Page {
  return { language, slug, title, description, content: { kind: 'guide', html, headings } };
}

function referencePage(page: ReferencePage, language: Language, words: Words): Page {
  const say = words[language];
  const { slug, ...content } = page;
  if (content.kind === 'errors') {
    return { language, slug, title: say.errorsTitle, description: say.errorsText, content };
  }
  if (content.kind === 'events') {
    return { language, slug, title: say.eventsTitle, description: say.eventsText, content };
  }
  const resource = [...merchantResources, ...operatorResources].find((each) => each.slug === slug);
  const title = resource?.title[language] ?? slug;
  const description = `${title}: ${content.endpoints.map(({ method, path }) => `${method} ${path}`).join(', ')}.`;
  return { language, slug, title, description, content };
}

/** The sidebar: guides by the hundreds of their order, then the reference. */
export function groupsOf(
  language: Language,
  { pages, guides, words }: { pages: readonly Page[]; guides: readonly Guide[]; words: Words },
): Group[] {
  const { groups } = words[language];
  const own = guides.filter((guide) => guide.language === language);
  const of = (title: string, hundred: number) => ({
    title,
    pages: own
      .filter(({ order }) => Math.floor(order / 100) === hundred)
      .map(({ slug, title }) => ({ slug, title })),
  });
  const linked = (title: string, slugs: readonly string[]) => ({
    title,
    pages: slugs.flatMap((slug) =>
      pages
        .filter((page) => page.language === language && page.slug === slug)
        .map(({ title }) => ({ slug, title })),
    ),
  });
  const reference = [
    CONVENTIONS,
    ...merchantResources.map(({ slug }) => slug),
    'reference/events',
    'reference/errors',
  ];
  return [
    of(groups.start, 1),
    of(groups.integrate, 2),
    of(groups.live, 3),
    of(groups.tools, 4),
    linked(groups.reference, reference),
    linked(
      groups.operators,
      operatorResources.map(({ slug }) => slug),
    ),
  ].filter((group) => group.pages.length > 0);
}

function noSamples(path: string): string {
  throw new Error(`the introduction of the document includes no sample: ${path}`);
}
