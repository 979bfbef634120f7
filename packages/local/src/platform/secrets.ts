import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { newKeyPair } from '../key-pair.ts';
import { recordOf } from '../record-of.ts';

const keyPair = z.object({ privateKey: z.string(), publicKey: z.string() });

export const signers = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'] as const;

const sealingKey = z.string().default(newSealingKey);

const secrets = z.object({
  /**
   * The key pairs with which services sign. The data folder of an earlier release may lack some of the keys.
   * A default then creates the missing key.
   */
  keys: z.object({
    gateway: keyPair,
    charges: keyPair,
    withdrawals: keyPair.default(newKeyPair),
    ledger: keyPair.default(newKeyPair),
    webhooks: keyPair.default(newKeyPair),
  }),
  callbackSecret: z.string(),
  webhookKey: z.string(),
  /**
   * The key with which the gateway encrypts stored values. The default creates a key if the data folder of an
   * earlier release has none.
   */
  sealingKey,
  webKey: sealingKey,
  /** The key with which the service charges encrypts files of evidence for disputes. */
  fileKey: sealingKey,
  /** The keys with which services seal their rows. */
  rowKeys: z
    .object({
      gateway: sealingKey,
      charges: sealingKey,
      withdrawals: sealingKey,
      ledger: sealingKey,
      webhooks: sealingKey,
    })
    .prefault({}),
  /** False for the data folder of a release without seals, until its rows are sealed. */
  areRowsSealed: z.boolean().default(false),
  providerSecret: z.string(),
  operator: z.object({
    email: z.string(),
    password: z.string(),
    /** The secret of the second factor in base32; null until the first start asks for it. */
    totpSecret: z.string().nullable().default(null),
  }),
  demo: z.object({
    email: z.string(),
    password: z.string(),
    sandboxKey: z.string().nullable(),
    liveKey: z.string().nullable(),
  }),
  /**
   * The passwords of the owner role and the service's role of each database. The default is empty, because
   * data folders of earlier releases have no such passwords.
   */
  databasePasswords: z.record(z.string(), z.string()).default({}),
  /** The ports of the last start, by listener. */
  ports: z.record(z.string(), z.number()),
});

export type Secrets = z.infer<typeof secrets>;

const fileIn = (dataDir: string) => join(dataDir, 'secrets.json');

/** Reads the secrets that an earlier start stored in the data folder, or creates and stores new ones. */
export async function recallSecrets(dataDir: string): Promise<Secrets> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  if (text !== null) return secrets.parse(JSON.parse(text));
  const fresh = freshSecrets();
  await rememberSecrets(dataDir, fresh);
  return fresh;
}

export async function rememberSecrets(dataDir: string, value: Secrets): Promise<void> {
  await writeFile(`${fileIn(dataDir)}.new`, JSON.stringify(value, null, 2), { mode: 0o600 });
  await rename(`${fileIn(dataDir)}.new`, fileIn(dataDir));
}

function freshSecrets(): Secrets {
  return secrets.parse({
    keys: recordOf(signers, newKeyPair),
    callbackSecret: random(),
    webhookKey: newSealingKey(),
    providerSecret: random(),
    operator: { email: 'operator@plataforma.test', password: random() },
    demo: { email: 'demo@plataforma.test', password: random(), sandboxKey: null, liveKey: null },
    areRowsSealed: true,
    ports: {},
  });
}

/**
 * Returns the stored password of each name, or a new password. Throws if a stored password is empty, because
 * an empty password would let any caller log in.
 */
export function passwordsFor<Name extends string>(
  names: readonly Name[],
  stored: Record<string, string>,
): Record<Name, string> {
  return recordOf(names, (name) => {
    if (stored[name] === '') throw new Error(`the password of ${name} is empty: delete it from secrets.json`);
    return stored[name] ?? random();
  });
}

export type DatabasePasswords<Name extends string> = Record<'owner' | 'application', Record<Name, string>>;

/**
 * Returns the database passwords of all services, and the record of passwords that the caller stores for the
 * next start.
 */
export function databasePasswordsFor<Name extends string>(
  services: readonly Name[],
  stored: Record<string, string>,
): { passwords: DatabasePasswords<Name>; remembered: Record<string, string> } {
  const application = passwordsFor(services, stored);
  const owners = passwordsFor(
    services.map((service) => `${service}-owner` as const),
    stored,
  );
  const owner = recordOf(services, (service) => owners[`${service}-owner` as const]);
  return { passwords: { owner, application }, remembered: { ...stored, ...application, ...owners } };
}

function newSealingKey(): string {
  return randomBytes(32).toString('base64');
}

function random(): string {
  return randomBytes(18).toString('base64url');
}
