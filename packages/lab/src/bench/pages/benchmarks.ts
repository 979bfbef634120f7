import { firstPaint } from './first-paint.ts';
import { paidShown } from './paid-shown.ts';
import { sizes } from './sizes.ts';
import { startWithPages } from './start-with-pages.ts';

/** What `npm run bench -- pages` measures: in an own file, as it takes a browser. */
export const benchmarksOfPages = {
  sizes,
  'first-paint': firstPaint,
  'paid-shown': paidShown,
  'start-with-pages': startWithPages,
};
