import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import '../shared/tokens.css';
import '../shared/base.css';
// These imports put the components of nearly every page in the first file, because on a slow connection each
// further file causes a delay.
import '../components/badge/badge.tsx';
import '../components/card/card.tsx';
import '../components/table/table.tsx';
import '../components/values/values.tsx';
import './changes/change-button.tsx';
import './changes/confirm-change.tsx';
import './failed.tsx';
import './lists/columns.tsx';
import './lists/links.tsx';
import './lists/list-query.ts';
import './read.tsx';
import { failureWords } from '../shared/error-words.ts';
import { currentLanguage } from '../shared/language.ts';
import { reloadOnceForNewRelease } from '../shared/new-release.ts';
import { sayWhenSlow } from '../shared/slow.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

reloadOnceForNewRelease();

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');

// The server's HTML and its log-in form remain usable until the page has loaded completely.
if (root.hasChildNodes()) {
  document.documentElement.dataset.begun = '';
  const stop = sayWhenSlow(failureWords[currentLanguage()].slow);
  await router.load();
  stop();
  router.subscribe('onBeforeNavigate', () => delete document.documentElement.dataset.begun);
}
// Renders synchronously. Otherwise a key press would be lost between reading the server's form and replacing
// it.
flushSync(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
