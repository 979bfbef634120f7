import type { Content, Endpoint, Field } from '../model.ts';

/** A page of the reference for programs that read Markdown. */
export function referenceMarkdown(content: Exclude<Content, { kind: 'home' | 'missing' | 'guide' }>): string {
  switch (content.kind) {
    case 'errors':
      return content.errors
        .map(({ code, status, when }) => `- \`${code}\` (${status}): ${textOf(when)}`)
        .join('\n');
    case 'events':
      return content.events
        .map(({ name, fields, example }) => `## ${name}\n\n${fieldsOf(fields)}\n\n${fenced('json', example)}`)
        .join('\n\n');
    case 'resource':
      return [
        ...content.endpoints.map(endpointOf),
        ...content.objects.map(({ name, fields }) => `## Object ${name}\n\n${fieldsOf(fields)}`),
      ].join('\n\n');
  }
}

function endpointOf(endpoint: Endpoint): string {
  const { method, path, summary, description, access, anyOf, params, query, body, answers, errors } =
    endpoint;
  const parts = [
    `## ${summary}`,
    `\`${method} ${path}\` (${[access, ...anyOf].join(', ')})`,
    textOf(description),
    listed('Path', params),
    listed('Query', query),
    ...body.map(({ name, fields }) => listed(`Body ${name}`.trim(), fields)),
    ...answers.map(({ status, object, fields }) =>
      object
        ? `Answer ${status}: ${object.name}${object.isList ? '[]' : ''}`
        : listed(`Answer ${status}`, fields),
    ),
    `Errors: ${errors.map(({ code }) => code).join(', ')}`,
    fenced('', endpoint.samples),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const listed = (title: string, fields: readonly Field[]) =>
  fields.length === 0 ? '' : `${title}:\n\n${fieldsOf(fields)}`;

function fieldsOf(fields: readonly Field[], indent = ''): string {
  return fields
    .map(({ name, type, isRequired, description, values, children }) => {
      const about = [type, isRequired ? 'required' : '', values.join(' | ')]
        .filter((each) => each !== '')
        .join(', ');
      const row = `${indent}- \`${name}\` (${about})${description === '' ? '' : `: ${textOf(description)}`}`;
      return children.length === 0 ? row : `${row}\n${fieldsOf(children, `${indent}  `)}`;
    })
    .join('\n');
}

/** Each block of code between fences. */
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

/** The text of HTML that was made here. */
export function textOf(html: string): string {
  return html
    .replace(/<code>(.*?)<\/code>/gs, '`$1`')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}
