import { en } from './en.ts';
import { pt, type Words } from './pt.ts';

export type { Words };

const languages: Record<string, Words> = { pt, en };

/**
 * Returns the texts in Portuguese, unless `--lang` or the system's locale selects English. Returns undefined
 * for an unknown language in `--lang`.
 */
export function wordsFor(language: string | undefined, env: NodeJS.ProcessEnv): Words | undefined {
  if (language !== undefined) return languages[language.slice(0, 2).toLowerCase()];
  const system = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^en/i.test(system) ? en : pt;
}
