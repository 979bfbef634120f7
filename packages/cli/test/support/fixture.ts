import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plataforma } from '@plataforma/sdk';
import { joinPlatform, type SharedPlatform } from '@plataforma/testing';
import { type CommandLine, commandLineOf } from './command-line.ts';

/** The platform that the tests share, with a command line that is logged in to an account. */
export interface CliFixture {
  platform: SharedPlatform;
  home: string;
  cli: CommandLine;
  plataforma: Plataforma;
  stop(): Promise<void>;
}

export async function startFixture(): Promise<CliFixture> {
  const home = await mkdtemp(join(tmpdir(), 'plataforma-cli-'));
  const platform = await joinPlatform();
  const { baseUrl, demo } = platform.facts;
  const fixture: CliFixture = {
    platform,
    home,
    cli: commandLineOf(home),
    plataforma: new Plataforma({ apiKey: demo.sandboxKey, baseUrl }),
    stop: () => rm(home, { recursive: true, force: true }),
  };
  const { code, err } = await logIn(fixture);
  if (code !== 0) throw new Error(err);
  return fixture;
}

/** Logs in to the demo account with its password, which is passed on standard input. */
export function logIn({ platform, cli }: Pick<CliFixture, 'platform' | 'cli'>, args: readonly string[] = []) {
  const { baseUrl, demo } = platform.facts;
  return cli.run(['login', '--url', baseUrl, '--email', demo.email, ...args], `${demo.password}\n`);
}
