/**
 * Matches patterns that use only the tokens that JSON Schema 2020-12 (core, 6.4) recommends, and no escapes.
 */
const PORTABLE = /^(\[\^?[^\\[\]]+\]|\((?!\?)|[)|^$.]|[*+?]\??|\{\d+(,\d*)?\}\??|[^\\[\](){}*+?])*$/u;

/** Rewrites a pattern with tokens that every engine supports. Returns null if that is not possible. */
export function portablePattern(pattern: string): string | null {
  let isInClass = false;
  const rewritten = pattern.replace(/\\.|\(\?:|[[\]]/gs, (token) => {
    if (token === '[' || token === ']') isInClass = token === '[';
    const members = { '\\d': '0-9', '\\w': 'A-Za-z0-9_' }[token];
    if (members) return isInClass ? members : `[${members}]`;
    return { '\\/': '/', '(?:': '(' }[token] ?? token;
  });
  return PORTABLE.test(rewritten) ? rewritten : null;
}

/** Removes the pattern from a schema that has a format, or if some engines cannot compile the pattern. */
export function publishPattern(schema: { format?: string | undefined; pattern?: string | undefined }): void {
  const { format, pattern } = schema;
  if (pattern === undefined) return;
  const portable = format === undefined ? portablePattern(pattern) : null;
  if (portable === null) delete schema.pattern;
  else schema.pattern = portable;
}
