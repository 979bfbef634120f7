import { words } from '../site/words.ts';
import type { Guide } from './guides.ts';
import { renderGuide } from './markdown.ts';
import { type Content, type Group, type Language, languages, type Page } from './model.ts';
import type { Reference, ReferencePage } from './reference/pages.ts';
import { merchantResources, operatorResources } from './reference/resources.ts';

interface Sources {
  guides: readonly Guide[];
  reference: Record<Language, Reference>;
}

/** The slug of the page with the introduction of the OpenAPI document. */
export const CONVENTIONS = 'reference/conventions';

export function pagesOf({ guides, reference }: Sources): Page[] {
  return languages.flatMap((language): Page[] => {
    const say = words[language];
    const { introduction, pages } = reference[language];
    const { html, headings } = renderGuide(introduction, language, noSamples);
    const page = (slug: string, title: string, description: string, content: Content): Page => {
      return { language, slug, title, description, content };
    };
    const guide = { kind: 'guide', html, headings } as const;
    return [
      page('', say.home, say.homeText, { kind: 'home' }),
      page('404', say.missingTitle, say.missingText, { kind: 'missing' }),
      ...guides.filter((each) => each.language === language).map(guidePage),
      page(CONVENTIONS, say.introductionTitle, say.introductionText, guide),
      ...pages.map(({ slug, ...content }) => {
        const [title, description] = headOf(slug, content, language);
        return page(slug, title, description, content);
      }),
    ];
  });
}

function guidePage({ language, slug, title, description, html, headings }: Guide): Page {
  return { language, slug, title, description, content: { kind: 'guide', html, headings } };
}

type ReferenceContent = Extract<Content, { kind: ReferencePage['kind'] }>;

/** Returns the title and the description of a page of the reference. */
function headOf(slug: string, content: ReferenceContent, language: Language): [string, string] {
  const say = words[language];
  if (content.kind === 'errors') return [say.errorsTitle, say.errorsText];
  if (content.kind === 'events') return [say.eventsTitle, say.eventsText];
  const resource = [...merchantResources, ...operatorResources].find((each) => each.slug === slug);
  const title = resource?.title[language] ?? slug;
  return [title, `${title}: ${content.endpoints.map(({ method, path }) => `${method} ${path}`).join(', ')}.`];
}

/**
 * Returns the groups of links in the sidebar: first the guides, grouped by the hundreds digit of their
 * `order`, then the reference.
 */
export function groupsOf(
  language: Language,
  { pages, guides }: { pages: readonly Page[]; guides: readonly Guide[] },
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
