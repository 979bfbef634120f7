import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plataforma } from '@plataforma/sdk';
import { claimSite, type Platform } from '@plataforma/testing';
import { type CommandLine, commandLineOf } from './command-line.ts';

/** A platform, and a person who has logged in to it. */
export interface Stage {
  platform: Platform;
  home: string;
  cli: CommandLine;
  plataforma: Plataforma;
  stop(): Promise<void>;
}

export async function startStage(settings: Parameters<typeof claimSite>[0] = {}): Promise<Stage> {
  const site = await claimSite({ logLevel: 'info', replicas: 1, ...settings });
  const home = await mkdtemp(join(tmpdir(), 'plataforma-cli-'));
  const platform = await site.start();
  const { baseUrl, demo } = platform.facts;
  const stage: Stage = {
    platform,
    home,
    cli: commandLineOf(home),
    plataforma: new Plataforma({ apiKey: demo.sandboxKey, baseUrl }),
    async stop() {
      await stage.platform.stop();
      await site.clear();
      await rm(home, { recursive: true, force: true });
    },
  };
  const { code, err } = await logIn(stage);
  if (code !== 0) throw new Error(err);
  return stage;
}

/** As a person does: the password is asked for. */
export function logIn({ platform, cli }: Pick<Stage, 'platform' | 'cli'>, args: readonly string[] = []) {
  const { baseUrl, demo } = platform.facts;
  return cli.run(['login', '--url', baseUrl, '--email', demo.email, ...args], `${demo.password}\n`);
}
