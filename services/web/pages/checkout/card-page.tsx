/** @jsxImportSource preact */
import type { CardText } from './card-fields.ts';
import { CardForm } from './card-form.tsx';
import { cardWords } from './card-words.ts';
import { Choice } from './choose.tsx';
import { Frame } from './frame.tsx';
import type { Language, VisitState } from './state.ts';
import { words } from './words.ts';

interface Props extends VisitState {
  written?: CardText;
  /** True while this form sends a payment. */
  isBusy?: { current: boolean };
  choose?: (language: Language) => void;
}

/**
 * The page with the card form. It is separate from the visit's page, so that a buyer who pays by Pix loads
 * neither the form nor its script.
 */
export function CardPage({ visit, language, installation, written, isBusy, choose }: Props) {
  return (
    <Frame shop={visit} {...{ language, installation, choose }}>
      <CardForm {...{ visit, language, written, isBusy }} />
      <noscript>
        <p class="hint">{cardWords[language].script}</p>
      </noscript>
      {visit.methods.includes('PIX') && (
        <div class="other">
          <Choice {...{ visit, language }} way="pix" label={words[language].payByPix} isSecond />
        </div>
      )}
    </Frame>
  );
}
