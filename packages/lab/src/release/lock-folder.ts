import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Reserves a folder. Returns a function that releases the folder, or null if another process has reserved it.
 * The reservation is an abstract socket, because the kernel removes such a socket however the process ends.
 */
export async function lockFolder(folder: string): Promise<(() => void) | null> {
  const server = createServer();
  server.listen(`\0plataforma-${createHash('sha256').update(folder).digest('hex')}`);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (Object(error).code === 'EADDRINUSE') return null;
    throw error;
  }
  server.unref();
  return () => void server.close();
}
