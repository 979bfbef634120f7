import type { OptionOf } from './context.ts';

export const everywhere = {
  profile: { type: 'string' },
  lang: { type: 'string', values: ['pt', 'en'] },
  json: { type: 'boolean' },
  live: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Record<string, OptionOf>;

/**
 * Returns true if the word after this option is the option's value. Knows only the options that may precede
 * the command.
 */
export function takesValue(option: string | undefined): boolean {
  return option === '--profile' || option === '--lang';
}
