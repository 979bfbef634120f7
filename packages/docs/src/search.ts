import MiniSearch from 'minisearch';
import type { Guide } from './guides.ts';
import { addressOf, type Field, type Language, type Page } from './model.ts';
import { textOf } from './reference/markdown.ts';
import { type Found, searchOptions } from './search-options.ts';

type Entry = Omit<Found, 'id' | 'begin'>;

const SHOWN = 150;

/**
 * Returns the search index of a language. It contains the sections of guides, the endpoints, the objects, the
 * errors and the events.
 */
export function searchIndexOf(
  language: Language,
  { pages, guides }: { pages: readonly Page[]; guides: readonly Guide[] },
): string {
  const own = [
    ...guides.filter((guide) => guide.language === language).flatMap(sectionsOf),
    ...pages.filter((page) => page.language === language).flatMap(entriesOf),
  ];
  const index = new MiniSearch<Found>(searchOptions);
  index.addAll(own.map((entry, id) => ({ ...entry, id, begin: entry.text.slice(0, SHOWN) })));
  return JSON.stringify(index);
}

function sectionsOf({ language, slug, title, description, sections }: Guide): Entry[] {
  return sections.map((section): Entry => {
    const address = addressOf(language, slug) + (section.id === '' ? '' : `#${section.id}`);
    const text = section.id === '' ? `${description} ${section.text}` : section.text;
    return { address, title: section.title || title, pageTitle: title, text };
  });
}

function entriesOf({ language, slug, title: pageTitle, content }: Page): Entry[] {
  const at = (id: string) => `${addressOf(language, slug)}#${id}`;
  switch (content.kind) {
    case 'resource':
      return content.endpoints.map(({ name, method, path, summary, description, query, body }) => {
        const fields = [...query, ...body.flatMap(({ fields }) => fields)];
        const text = `${method} ${path} · ${textOf(description)} ${namesOf(fields)}`;
        return { address: at(name), title: summary, pageTitle, text };
      });
    case 'errors':
      return content.errors.map(({ code, when }) => ({
        address: at(code),
        title: code,
        pageTitle,
        text: textOf(when),
      }));
    case 'events':
      return content.events.map(({ name, fields }) => ({
        address: at(name),
        title: name,
        pageTitle,
        text: namesOf(fields),
      }));
    case 'guide':
      return slug.startsWith('reference/')
        ? content.headings.map(({ id, text }) => ({ address: at(id), title: text, pageTitle, text: '' }))
        : [];
    case 'home':
    case 'missing':
      return [];
  }
}

const namesOf = (fields: readonly Field[]) => [...new Set(fields.map(({ name }) => name))].join(' ');
