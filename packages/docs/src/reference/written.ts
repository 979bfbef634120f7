import { renderInline, renderText } from '../markdown.ts';
import type { Endpoint, ErrorRow, Field } from '../model.ts';
import { markdownIn, type Translate } from '../translation.ts';
import type { Reference, ReferencePage } from './pages.ts';

/**
 * Returns the reference in one language: translates each text of the pages, and renders the descriptions as
 * HTML.
 */
export function written({ introduction, pages }: Reference, translate: Translate): Reference {
  const writer = writerOf(translate);
  return { introduction: markdownIn(introduction, translate), pages: pages.map(writer.page) };
}

function writerOf(translate: Translate) {
  const inline = (text: string) => (text === '' ? '' : renderInline(translate(text)));
  const field = (each: Field): Field => ({
    ...each,
    description: inline(each.description),
    children: each.children.map(field),
  });
  const withFields = <T extends { fields: Field[] }>(each: T): T => ({
    ...each,
    fields: each.fields.map(field),
  });
  const error = (each: ErrorRow): ErrorRow => ({ ...each, when: inline(each.when) });
  const endpoint = (each: Endpoint): Endpoint => ({
    ...each,
    summary: translate(each.summary),
    description: each.description === '' ? '' : renderText(translate(each.description)),
    params: each.params.map(field),
    query: each.query.map(field),
    body: each.body.map(withFields),
    answers: each.answers.map((answer) => ({
      ...withFields(answer),
      description: inline(answer.description),
    })),
    errors: each.errors.map(error),
  });
  const page = (each: ReferencePage): ReferencePage => {
    switch (each.kind) {
      case 'errors':
        return { ...each, errors: each.errors.map(error) };
      case 'events':
        return {
          ...each,
          description: inline(each.description),
          envelope: each.envelope.map(field),
          events: each.events.map(withFields),
        };
      case 'resource':
        return { ...each, endpoints: each.endpoints.map(endpoint), objects: each.objects.map(withFields) };
    }
  };
  return { page };
}
