import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, launch, waitUntilReady } from '@plataforma/local';
import type { Owner } from '../closers.ts';
import type { Peer } from './peer.ts';

/** nginx as a bare reverse proxy with kept connections, one worker as every process of ours is; null: not installed. */
export async function startNginx({ defer }: Owner, target: string): Promise<Peer | null> {
  const isInstalled = await promisify(execFile)('nginx', ['-v']).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return null;
  const dir = await mkdtemp(join(tmpdir(), 'plataforma-nginx-'));
  defer(() => rm(dir, { recursive: true, force: true }));
  const [port = 0] = await freePorts([null]);
  const file = join(dir, 'nginx.conf');
  await writeFile(file, configuration(dir, port, new URL(target).host));
  const running = launch({
    name: 'nginx',
    dir,
    command: 'nginx',
    args: ['-c', file, '-e', join(dir, 'error.log')],
    env: { PATH: process.env.PATH ?? '' },
    stopSignal: 'SIGTERM',
  });
  defer(running.stop);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(running, async () => void (await fetch(url)), 10_000);
  return { url };
}

function configuration(dir: string, port: number, target: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    worker_processes 1;
    pid ${dir}/nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ')}
      upstream echo { server ${target}; keepalive 256; }
      server {
        listen 127.0.0.1:${port} backlog=1024;
        keepalive_requests 1000000;
        location / { proxy_pass http://echo; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`;
}
