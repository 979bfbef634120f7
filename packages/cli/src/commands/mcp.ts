import { once } from 'node:events';
import type { Command } from '../context.ts';
import { VERSION } from '../version.ts';
import { WrongUse } from '../wrong-use.ts';
import { dashboardOf } from './open.ts';

const PROGRAM = 'plataforma-mcp';

/**
 * Starts the installed MCP server. Passes the key in an environment variable, because other users of the
 * machine could read an argument.
 */
export const mcp: Command = {
  isEndless: true,
  options: { write: { type: 'boolean' } },
  async run(context) {
    const { words, values, isLive, signal } = context;
    const { baseUrl, key } = context.connect();
    const env = { ...process.env, PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: key };
    const args = [...(values.write ? ['--write'] : []), ...(isLive ? ['--live'] : [])];
    const { spawn } = await import('node:child_process');
    const server = spawn(PROGRAM, args, { stdio: 'inherit', env });
    signal.addEventListener('abort', () => server.kill('SIGTERM'));
    const [code] = await once(server, 'exit').catch(async (error) => {
      if (error.code !== 'ENOENT') throw error;
      const site = await dashboardOf({ baseUrl }).catch(() => null);
      const from = `${site ?? baseUrl}/downloads`;
      const file = `plataforma-mcp-${VERSION}.tgz`;
      const lines = [
        `curl -fO ${from}/${file} &&`,
        `curl -fs ${from}/sha256sums.txt | sha256sum --check --ignore-missing &&`,
        `npm install --global ./${file}`,
      ];
      throw new WrongUse(words.installMcp(lines.join('\n')));
    });
    process.exitCode = code ?? 1;
  },
};
