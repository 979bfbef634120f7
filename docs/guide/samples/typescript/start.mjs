// Node runs TypeScript without a build from 22.18 on. This file reports an older Node, which cannot run
// receiver.ts.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const isSufficient = major > 22 || (major === 22 && minor >= 18);
if (isSufficient) await import('./receiver.ts');
else {
  console.error(`receiver.ts needs Node 22.18 or newer, and this is ${process.versions.node}.`);
  // The file in which `npm start` records the Node that it installed for this project.
  const noted = new URL('../../../../node_modules/.installed.json', import.meta.url);
  const own = existsSync(noted) ? JSON.parse(readFileSync(noted, 'utf8')).node : null;
  const self = fileURLToPath(import.meta.url);
  console.error(
    own ? `The one of this project is here: ${own} ${self}` : `Without installing one: npx node@24 ${self}`,
  );
  process.exitCode = 1;
}
