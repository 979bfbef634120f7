import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Reserves a folder. Returns the function that releases it, or null while another process has it. The
 * reservation is an abstract socket, because the kernel frees it at any end of the process.
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
