import type { ComponentProps } from 'react';
import field from '../../components/field/field.module.css';
import layout from '../../components/layout.module.css';
import { Segments } from '../../components/tabs/tabs.tsx';

type Props<Value extends string> = ComponentProps<typeof Segments<Value>>;

/** Segments with a visible label, so that they look like the other fields of a form. */
export function LabelledSegments<Value extends string>(props: Props<Value>) {
  return (
    <div className={layout.choice}>
      <span className={field.label} aria-hidden="true">
        {props.label}
      </span>
      <Segments<Value> {...props} />
    </div>
  );
}
