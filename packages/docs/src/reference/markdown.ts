import type { words } from '../../site/words.ts';
import type { Content, Endpoint, Field, Language } from '../model.ts';

type Words = (typeof words)[Language];

export function referenceMarkdown(
  content: Exclude<Content, { kind: 'home' | 'missing' | 'guide' }>,
  say: Words,
): string {
  switch (content.kind) {
    case 'errors':
      return content.errors
        .map(({ code, status, when }) => `- \`${code}\` (${status}): ${textOf(when)}`)
        .join('\n');
    case 'events':
      return content.events
        .map(
          ({ name, fields, example }) =>
            `## ${name}\n\n${fieldsOf(fields, say)}\n\n${fenced('json', example)}`,
        )
        .join('\n\n');
    case 'resource':
      return [
        ...content.endpoints.map((endpoint) => endpointOf(endpoint, say)),
        ...content.objects.map(({ name, fields }) => `## ${say.object} ${name}\n\n${fieldsOf(fields, say)}`),
      ].join('\n\n');
  }
}

function endpointOf(endpoint: Endpoint, say: Words): string {
  const { method, path, summary, description, access, anyOf, params, query, body, answers, errors } =
    endpoint;
  const sections = [
    `## ${summary}`,
    `\`${method} ${path}\` (${[access, ...anyOf].join(', ')})`,
    textOf(description),
    listed(say.path, params, say),
    listed(say.query, query, say),
    ...body.map(({ name, fields }) => listed(`${say.body} ${name}`.trim(), fields, say)),
    ...answers.map(({ status, object, fields }) =>
      object
        ? `${say.answer} ${status}: ${object.name}${object.isList ? '[]' : ''}`
        : listed(`${say.answer} ${status}`, fields, say),
    ),
    `${say.errors}: ${errors.map(({ code }) => code).join(', ')}`,
    fenced('', endpoint.samples),
  ];
  return sections.filter((part) => part !== '').join('\n\n');
}

const listed = (title: string, fields: readonly Field[], say: Words) =>
  fields.length === 0 ? '' : `${title}:\n\n${fieldsOf(fields, say)}`;

function fieldsOf(fields: readonly Field[], say: Words, indent = ''): string {
  return fields
    .map(({ name, type, isRequired, description, values, children }) => {
      const about = [type, isRequired ? say.required : '', values.join(' | ')]
        .filter((each) => each !== '')
        .join(', ');
      const row = `${indent}- \`${name}\` (${about})${description === '' ? '' : `: ${textOf(description)}`}`;
      return children.length === 0 ? row : `${row}\n${fieldsOf(children, say, `${indent}  `)}`;
    })
    .join('\n');
}

/** Returns the code blocks in the HTML as Markdown code blocks. */
function fenced(language: string, html: string): string {
  return [...html.matchAll(/<code>(.*?)<\/code>/gs)]
    .map(([, code = '']) => `\`\`\`${language}\n${textOf(code)}\n\`\`\``)
    .join('\n\n');
}

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&amp;': '&',
};

/** Returns the plain text of HTML that this package has generated. */
export function textOf(html: string): string {
  return html
    .replace(/<code>(.*?)<\/code>/gs, '`$1`')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}
