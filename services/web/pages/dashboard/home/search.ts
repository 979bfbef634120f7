import { oneIn, type Search } from '../search.ts';

/** How far back the charts look. */
export const homeDays = ['7', '30', '90'] as const;

interface HomeSearch {
  days?: (typeof homeDays)[number] | undefined;
}

export function homeSearch(search: Search): HomeSearch {
  return { days: oneIn(search, 'days', homeDays) };
}
