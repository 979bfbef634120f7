import { createRequire } from 'node:module';
import { escapeHtml } from './escape.ts';

/** What is used of highlight.js: its own types bring those of browsers into every program that is checked with this one. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  registerAliases(aliases: string[], of: { languageName: string }): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

const LANGUAGES = ['bash', 'go', 'http', 'java', 'json', 'php', 'python', 'sql', 'typescript'];

const load = createRequire(import.meta.url);
const hljs: Highlighter = load('highlight.js/lib/core');
for (const name of LANGUAGES) hljs.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));
hljs.registerAliases(['js', 'tsx'], { languageName: 'typescript' });

/** HTML of code with its parts marked by classes; as it is in a language that is not known. */
export function highlighted(language: string, code: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}
