import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Language } from '../checkout/language.ts';
import { BUILT } from '../http/built.ts';

interface Wanted {
  language: Language;
  path: string;
  next: string | undefined;
  refused: string | undefined;
}

/** The server's part of the log-in, as it was built. */
interface Renderer {
  renderLogIn(wanted: Wanted): { title: string; body: string };
}

const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
);

const ENTRY = 'dashboard/index.html';
const PAGE = 'dashboard/session/log-in.tsx';

/** Writes the log-in's form, and what it looks like, into the dashboard's document. */
export async function readLogIn(): Promise<(document: string, wanted: Wanted) => string> {
  const renderer: Renderer = await import(join(BUILT, 'dashboard-server', 'server.mjs'));
  const text = await readFile(join(BUILT, 'dashboard', '.vite/manifest.json'), 'utf8');
  const links = linksOf(manifest.parse(JSON.parse(text)));
  return (document, wanted) => {
    const { title, body } = renderer.renderLogIn(wanted);
    return document
      .replace('<html lang="pt-BR">', `<html lang="${wanted.language}">`)
      .replace('<title>Plataforma</title>', () => `<title>${title}</title>\n    ${links}`)
      .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`);
  };
}

/** The page's own files, which its script would only then ask for. */
function linksOf(known: z.infer<typeof manifest>): string {
  const there = withImports(known, ENTRY);
  const added = [...withImports(known, PAGE)].filter((key) => !there.has(key));
  const styles = added.flatMap((key) => known[key]?.css ?? []);
  return [...new Set(styles)].map((file) => `<link rel="stylesheet" href="/${file}">`).join('');
}

function withImports(known: z.infer<typeof manifest>, key: string, all = new Set<string>()): Set<string> {
  if (all.has(key)) return all;
  all.add(key);
  for (const each of known[key]?.imports ?? []) withImports(known, each, all);
  return all;
}
