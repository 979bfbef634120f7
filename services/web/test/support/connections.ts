import { connect, type Socket } from 'node:net';

/** Opens a stream. The result gives the text that has arrived so far and whether the stream has ended. */
export async function openStream(address: string, headers: Record<string, string> = {}) {
  const hungUp = new AbortController();
  const { status, body } = await fetch(address, { headers, signal: hungUp.signal });
  let text = '';
  let isOver = false;
  const read = async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
  };
  const reading = read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return { status, text: () => text, isOver: () => isOver, close: () => hungUp.abort(), reading };
}

/** Opens a connection and writes the beginning of a request, such as `GET /path`, and nothing else. */
export function write(
  address: string,
  request: string,
  headers: Record<string, string> = {},
  body = '',
): Socket {
  const { hostname, port } = new URL(address);
  const lines = Object.entries({ host: 'x', ...headers }).map((line) => line.join(': '));
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write([`${request} HTTP/1.1`, ...lines, '', body].join('\r\n'));
  return socket;
}
