import type { ComponentProps } from 'react';
import field from '../../components/field/field.module.css';
import layout from '../../components/layout.module.css';
import { Segments } from '../../components/tabs/tabs.tsx';

type Props<Value extends string> = ComponentProps<typeof Segments<Value>>;

/** A choice among the fields of a form, which has its label in sight as they have. */
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
