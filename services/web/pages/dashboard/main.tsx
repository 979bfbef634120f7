import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import '../shared/tokens.css';
import '../shared/base.css';
// What nearly every page shows comes with the first file: each file more is a way more on a slow connection.
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
import { reloadOnceForNewRelease } from '../shared/new-release.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

reloadOnceForNewRelease();

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');

// What the server wrote stays, and its form takes what is typed, until the page that takes its place has loaded whole.
if (root.hasChildNodes()) {
  document.documentElement.dataset.begun = '';
  await router.load();
  router.subscribe('onBeforeNavigate', () => delete document.documentElement.dataset.begun);
}
// At once: a key between what is read of that form and the fields that take its place would be lost.
flushSync(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
