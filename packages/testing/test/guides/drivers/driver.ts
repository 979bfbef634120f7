// Reads lines whose fields are in Base64. For each line, prints whether the code sample accepts the
// signature.
import { readFileSync } from 'node:fs';
import { verify, verifyStandard } from '../../../../../docs/guide/samples/typescript/verify.ts';

for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line === '') continue;
  const [body = Buffer.of(), ...rest] = line.split('\t').map((field) => Buffer.from(field, 'base64'));
  const [scheme, secrets = '', signature = '', id = '', timestamp = '', now] = rest.map(String);
  const list = secrets.split('\n');
  const standard = { id, timestamp, signatures: signature };
  const isBelieved =
    scheme === 'v1'
      ? verify(body, signature, list)
      : verifyStandard(body, standard, { secrets: list, now: Number(now) });
  process.stdout.write(`${isBelieved}\n`);
}
