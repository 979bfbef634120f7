import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import '../shared/tokens.css';
import '../shared/base.css';
import { reloadOnceForNewRelease } from '../shared/new-release.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { isFormThere } from './session/typed.ts';

reloadOnceForNewRelease();

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');

// The server's form stays, and takes what is typed, until the page that takes its place has loaded whole.
if (isFormThere()) await router.load();
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
