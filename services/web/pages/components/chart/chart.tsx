import { useWords } from '../../shared/language.ts';
import layout from '../layout.module.css';
import { partWords } from '../words.ts';
import styles from './chart.module.css';

interface Point {
  /** The text of the point on the horizontal axis. */
  label: string;
  value: number;
}

interface Props {
  title: string;
  kind: 'line' | 'bars';
  points: readonly Point[];
  /** Formats a value in full. */
  format: (value: number) => string;
  /** Formats a value for the vertical axis, where the space is small. */
  short?: (value: number) => string;
  /** The text that replaces the vertical scale when every value is zero. */
  none: string;
}

const SIZE = 100;
const LABELS = 3;

/** Shows values over days as a picture, and as a table that only screen readers read. */
export function Chart({ title, kind, points, format, short = format, none }: Props) {
  const most = Math.max(0, ...points.map(({ value }) => value));
  const top = roundedUp(Math.max(1, most));
  return (
    <figure className={styles.chart}>
      <div className={styles.plot} aria-hidden="true">
        <div className={styles.drawn}>
          <svg
            viewBox={`0 0 ${SIZE} ${SIZE}`}
            preserveAspectRatio="none"
            className={styles.picture}
            aria-hidden="true"
          >
            <path className={styles.grid} d={`M0 0H${SIZE}M0 ${SIZE / 2}H${SIZE}M0 ${SIZE}H${SIZE}`} />
            {kind === 'line' ? <Line points={points} top={top} /> : <Bars points={points} top={top} />}
          </svg>
          <Tips points={points} format={format} />
          {most === 0 && <p className={styles.none}>{none}</p>}
        </div>
        <div className={styles.scale}>
          {most > 0 && (
            <>
              <span>{short(top)}</span>
              <span>{short(top / 2)}</span>
            </>
          )}
        </div>
        <div className={styles.axis}>
          {points.map(({ label }, at) => (
            <span key={label}>{isLabelled(at, points.length) && <span>{label}</span>}</span>
          ))}
        </div>
      </div>
      <Values title={title} points={points} format={format} />
    </figure>
  );
}

export function AwaitedChart() {
  const words = useWords(partWords);
  return (
    <div className={styles.plot} role="status" aria-label={words.loading}>
      <span className={styles.awaited} />
    </div>
  );
}

function Tips({ points, format }: Pick<Props, 'points' | 'format'>) {
  return (
    <div className={styles.points}>
      {points.map(({ label, value }) => (
        <span key={label} className={styles.point}>
          <span className={styles.tip}>
            {label} · {format(value)}
          </span>
        </span>
      ))}
    </div>
  );
}

interface Drawn {
  points: readonly Point[];
  top: number;
}

function Line({ points, top }: Drawn) {
  const coordinates = points.map(({ value }, at) => `${middleOf(at, points.length)} ${heightOf(value, top)}`);
  const first = middleOf(0, points.length);
  const last = middleOf(points.length - 1, points.length);
  return (
    <>
      <path className={styles.area} d={`M${first} ${SIZE}L${coordinates.join('L')}L${last} ${SIZE}Z`} />
      <path className={styles.line} d={`M${coordinates.join('L')}`} />
    </>
  );
}

function Bars({ points, top }: Drawn) {
  const width = SIZE / points.length;
  const bars = points.map(({ value }, at) => {
    return `M${at * width + width * 0.2} ${SIZE}V${heightOf(value, top)}h${width * 0.6}V${SIZE}Z`;
  });
  return <path className={styles.bars} d={bars.join('')} />;
}

function Values({ title, points, format }: Pick<Props, 'title' | 'points' | 'format'>) {
  const words = useWords(partWords);
  return (
    // The wrapper limits the height of the hidden table. Without the wrapper, the rows of the table would
    // make the page longer.
    <div className={layout.unseen}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns whether a point has a label. The first, the last and some evenly spaced points have one. */
function isLabelled(at: number, length: number): boolean {
  const gaps = Math.min(LABELS, length) - 1;
  const nearest = Math.round((at * gaps) / Math.max(1, length - 1));
  return at === Math.round((nearest * (length - 1)) / Math.max(1, gaps));
}

function middleOf(at: number, length: number): number {
  return ((at + 0.5) * SIZE) / Math.max(1, length);
}

function heightOf(value: number, top: number): number {
  return SIZE - (value / top) * SIZE;
}

/**
 * Returns the next higher number that is 2, 4, 6, 8 or 10 times a power of ten. The axis also shows half of
 * this number, which is then a round number too.
 */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.max(2, Math.ceil(value / power / 2) * 2 * power);
}
