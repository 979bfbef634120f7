/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CardText } from './card-fields.ts';
import { CardPage } from './card-page.tsx';
import { titleOf } from './frame.tsx';
import { stepOfVisit, useLive } from './live.tsx';
import { isOver, type Language, type VisitState } from './state.ts';

/**
 * The card form of a visit. It follows the visit's changes, and switches the language without losing the
 * input.
 */
export function LiveCard({ state, written }: { state: VisitState; written: CardText }) {
  const [visit] = useLive(state.visit, stepOfVisit);
  const [language, setLanguage] = useState(state.language);
  // True while the form sends its own payment. The form then receives the result itself, so the page ignores
  // the visit's changes.
  const isBusy = useRef(false);
  useEffect(() => {
    if (isOver(visit) && !isBusy.current) location.replace(`/pay/c/${visit.id}?lang=${language}`);
  }, [visit, language]);

  function choose(chosen: Language): void {
    setLanguage(chosen);
    history.replaceState(null, '', `?lang=${chosen}`);
    document.documentElement.lang = chosen;
    document.title = titleOf(visit, chosen, 'open');
  }
  return <CardPage {...state} {...{ visit, language, written, isBusy, choose }} />;
}
