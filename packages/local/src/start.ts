import { compileCache } from './compile-cache.ts';
import { closeDataFolder } from './data-folder.ts';
import { probePostgres } from './embedded-postgres.ts';
import { findInfrastructure, type Infrastructure } from './infrastructure.ts';
import { buildDocs, buildPages } from './pages.ts';
import { type Platform, startPlatform } from './platform/platform.ts';
import { INSPECTOR_PORT } from './platform/service-process.ts';
import { serviceNames } from './platform/settings-of.ts';
import { summaryOf } from './platform/summary.ts';
import { reasonOf } from './retry-with-backoff.ts';
import { type Supervisor, supervise } from './supervisor.ts';

// Only this user may read the files that this process and its child processes create.
process.umask(0o077);

const dataDir = process.env.DATA_DIR ?? '.local';
const external = takeServers();
// `||` treats an empty variable like an unset one, because some shells and editors set empty variables.
const port = Number(process.env.PORT || 8080);
const webPort = Number(process.env.WEB_PORT ?? port + 1);
const replicas = Number(process.env.REPLICAS ?? 1);
/** The service whose sources are watched, for example charges after `npm run dev:service charges`. */
const serviceName = process.argv[2];
const watched = [...serviceNames, 'web' as const].find((name) => name === serviceName);

let infrastructure: Infrastructure | undefined;
let platform: Platform | undefined;
let supervisor: Supervisor | undefined;
let stopping: Promise<void> | undefined;

/**
 * Stops the services, and then the servers that they use. A second Ctrl-C has no effect, because the first
 * one ends everything within seconds.
 */
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    console.log('\nStopping …');
    supervisor?.stop();
    let exitCode = code;
    for (const part of [platform, infrastructure]) {
      await part?.stop().catch((error) => {
        console.error(reasonOf(error));
        exitCode = 1;
      });
    }
    process.exit(exitCode);
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

// A timer keeps this process alive, because its child processes do not.
setInterval(() => undefined, 2 ** 30);

/**
 * Removes the addresses of the servers from the environment, because they contain passwords. Otherwise child
 * processes would inherit the addresses, and diagnostic reports would contain them.
 */
function takeServers() {
  const { DATABASE_URL, AMQP_URL } = process.env;
  delete process.env.DATABASE_URL;
  delete process.env.AMQP_URL;
  return { DATABASE_URL, AMQP_URL };
}

function requireSettings(): void {
  if (serviceName !== undefined && !watched) {
    throw new Error(`usage: npm run dev:service ${[...serviceNames, 'web'].join('|')}`);
  }
  if (!(Number.isInteger(replicas) && replicas >= 1 && replicas <= 10)) {
    throw new Error('REPLICAS: must be a number from 1 to 10');
  }
  if (![undefined, '0'].includes(process.env.METRICS_PORT)) {
    throw new Error('METRICS_PORT: must be 0 here, so that each process takes a free port and logs it');
  }
}

/**
 * Supervises the services and the servers that run as child processes. External servers and containers are
 * not supervised.
 */
function superviseAll({ programs, postgres }: Infrastructure, running: Platform): Supervisor {
  const need = { name: 'PostgreSQL', probe: () => probePostgres(postgres.url) };
  const services = [...Object.values(running.replicas).flat(), ...(running.web ? [running.web] : [])];
  const all = [
    ...programs.map((program) => ({ program })),
    ...services.map(({ program }) => ({ program, need })),
  ];
  return supervise(all, { say: console.log, onChange: running.saveFacts });
}

try {
  requireSettings();
  const startedAt = performance.now();
  await closeDataFolder(dataDir);
  const finding = findInfrastructure({ dataDir, external, say: console.log });
  [infrastructure] = await Promise.all([finding, compileCache(), buildPages()]);
  if (!stopping) {
    const web = { port: webPort };
    const options = { dataDir, port, web, replicas, watched, say: console.log };
    platform = await startPlatform({ ...options, ...infrastructure });
  }
  if (platform && !stopping) {
    supervisor = superviseAll(infrastructure, platform);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const readiness = `(${seconds} s). Ctrl-C stops everything; the data stays in ${dataDir}/.`;
    console.log(summaryOf(platform.facts, readiness));
    if (watched)
      console.log(`${watched} restarts when its sources change; debugger: 127.0.0.1:${INSPECTOR_PORT}`);
    // The start does not wait for the docs site. Until the site is built, `/docs` answers 503 with the
    // message that it is not built yet.
    buildDocs().catch((error) => console.error(reasonOf(error)));
  }
} catch (error) {
  // If the user stops the platform while it starts, the start fails; this failure is not printed.
  if (!stopping) console.error(reasonOf(error));
  await stop(1);
}
