/** The tokens of regular expressions that JSON Schema 2020-12 (core, 6.4) recommends, without any escape. */
const PORTABLE = /^(\[\^?[^\\[\]]+\]|\((?!\?)|[)|^$.]|[*+?]\??|\{\d+(,\d*)?\}\??|[^\\[\](){}*+?])*$/u;

/** Returns the pattern in tokens that every engine supports, or null if they cannot express it. */
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

/** Publishes a pattern only if no format expresses it and every engine compiles it. */
export function publishPattern(schema: { format?: string | undefined; pattern?: string | undefined }): void {
  const { format, pattern } = schema;
  if (pattern === undefined) return;
  const portable = format === undefined ? portablePattern(pattern) : null;
  if (portable === null) delete schema.pattern;
  else schema.pattern = portable;
}
