import type { OptionOf } from './context.ts';

export const everywhere = {
  profile: { type: 'string' },
  lang: { type: 'string', values: ['pt', 'en'] },
  json: { type: 'boolean' },
  live: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Record<string, OptionOf>;

/** Returns whether the next word is the value of this option, which may come before a command. */
export function takesValue(option: string | undefined): boolean {
  return option === '--profile' || option === '--lang';
}
