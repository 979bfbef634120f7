import { styleText } from 'node:util';
import { inLine, painted, shownSafely } from './output/safely.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A command's output and input. Results go to standard output, all other texts to standard error. */
export interface Terminal {
  print(line: string): void;
  info(line: string): void;
  /**
   * Shows one line that the next call replaces. Does nothing unless the output is a terminal. An empty text
   * removes the line.
   */
  progress(text: string): void;
  paint(style: Style, text: string): string;
  ask(question: string): Promise<string>;
  /** Asks a question and does not show the answer while the person types it. */
  askSecret(question: string): Promise<string>;
}

// Do not read `process.stdin` here, because the first access opens it.
const { stdout, stderr, env } = process;
/** The exit code after SIGINT: 128 plus the number of the signal, as in shells. */
const INTERRUPTED = 130;
const ERASE_LINE = '\r\u001b[2K';

export function createTerminal(): Terminal {
  const hasColours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const safely = hasColours ? painted : shownSafely;
  let shown = '';

  const progress = (text: string) => {
    if (!stderr.isTTY) return;
    stderr.write(ERASE_LINE + text);
    shown = text;
  };
  // Writes above the progress line: removes the line, writes the output, and shows the line again.
  const above = (write: () => void) => {
    const shownBefore = shown;
    if (shownBefore) progress('');
    write();
    if (shownBefore) progress(shownBefore);
  };
  return {
    print: (line) => above(() => stdout.write(`${safely(line)}\n`)),
    info: (line) => above(() => stderr.write(`${safely(line)}\n`)),
    progress,
    paint: (style, text) => (hasColours ? styleText(style, inLine(text), { validateStream: false }) : text),
    ask: (question) =>
      process.stdin.isTTY ? askPerson(shownSafely(question), stderr) : nextLine(shownSafely(question)),
    async askSecret(question) {
      if (!process.stdin.isTTY) return nextLine(question);
      // Show the question only after `askPerson` has turned off the terminal's echo.
      const answer = askPerson('', await nowhere(), () => stderr.write(question));
      return answer.finally(() => stderr.write('\n'));
    },
  };
}

/** Returns a stream that discards the echo of a password. */
async function nowhere(): Promise<NodeJS.WritableStream> {
  const { Writable } = await import('node:stream');
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

async function askPerson(
  question: string,
  output: NodeJS.WritableStream,
  onPrompt: () => void = () => undefined,
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: process.stdin, output, terminal: true });
  const gone = new AbortController();
  asking.once('close', () => gone.abort());
  asking.once('SIGINT', () => process.exit(INTERRUPTED));
  try {
    const answer = asking.question(question, { signal: gone.signal });
    onPrompt();
    return await answer;
  } finally {
    asking.close();
  }
}

let lines: AsyncIterator<string> | undefined;

/** Answers a question with the next line of standard input, for input that is not a terminal. */
async function nextLine(question: string): Promise<string> {
  stderr.write(`${question}\n`);
  const { createInterface } = await import('node:readline/promises');
  lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const { value, done } = await lines.next();
  return done ? '' : value;
}
