import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressAll } from '@plataforma/build';
import { build } from 'vite';
import { SITE } from './built.ts';
import { readGuides, readOperatorPages } from './guides.ts';
import { llmsFiles } from './llms.ts';
import { type Assets, languages, type Page, type Surroundings } from './model.ts';
import { groupsOf, pagesOf } from './pages.ts';
import { readReference } from './reference/pages.ts';
import { written } from './reference/written.ts';
import { searchIndexOf } from './search.ts';
import { readTranslate } from './translation.ts';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

/** The functions that the compiled file `site/server.tsx` exports. */
interface Renderer {
  renderPage(page: Page, around: Surroundings): string;
}

/**
 * Builds the site: the files for browsers, the pages in HTML and Markdown, the search indexes, and llms.txt.
 */
export async function buildSite(): Promise<void> {
  process.env.NODE_ENV = 'production';
  for (const mode of ['client', 'server']) await build({ configFile: join(DOCS, 'vite.config.ts'), mode });
  const renderer: Renderer = await import(join(DOCS, 'built/server/server.mjs'));
  const assets = await readAssets();
  const guides = await readGuides();
  const english = readReference();
  const reference = { pt: written(english, await readTranslate()), en: written(english, (text) => text) };
  const operatorPages = await readOperatorPages();
  const pages = pagesOf({ guides, reference });
  const files = new Map<string, string>();
  for (const page of pages) {
    const groups = groupsOf(page.language, { pages, guides });
    const others = new Set(
      pages.filter(({ language }) => language !== page.language).map(({ slug }) => slug),
    );
    const html = renderer.renderPage(page, { groups, assets, others });
    files.set(`${page.language}/${page.slug || 'index'}.html`, html);
  }
  for (const language of languages)
    files.set(`search-${language}.json`, searchIndexOf(language, { pages, guides }));
  for (const [path, text] of llmsFiles({ pages, guides, operatorPages, reference })) files.set(path, text);
  await Promise.all([...files].map(([path, text]) => save(path, text)));
  await compressAll(SITE);
}

async function save(path: string, text: string): Promise<void> {
  const file = join(SITE, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

interface Manifest {
  [key: string]: { file: string; src?: string; css?: string[] };
}

async function readAssets(): Promise<Assets> {
  const manifest: Manifest = JSON.parse(await readFile(join(SITE, '.vite/manifest.json'), 'utf8'));
  const fileOf = (fits: (key: string) => boolean) => {
    const key = Object.keys(manifest).find(fits);
    if (key === undefined) throw new Error('the build lacks a file');
    return `/docs/${manifest[key]?.file}`;
  };
  return {
    begin: fileOf((key) => key === 'begin.ts'),
    client: fileOf((key) => key === 'client.ts'),
    style: fileOf((key) => key.endsWith('.css')),
    font: fileOf((key) => key.endsWith('.woff2')),
  };
}
