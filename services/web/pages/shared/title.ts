import { useEffect } from 'react';

/** Names the tab after the page and its object, while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
