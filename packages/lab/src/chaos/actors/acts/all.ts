import type { Act } from './act.ts';
import { deadLetters } from './dead-letters.ts';
import { desk } from './desk.ts';
import { joining } from './joining.ts';
import { keys } from './keys.ts';
import { links } from './links.ts';
import { moneyBack } from './money-back.ts';
import { moneyIn } from './money-in.ts';
import { moneyOut } from './money-out.ts';
import { ownSandbox } from './own-sandbox.ts';
import { strangers } from './strangers.ts';
import { webhooks } from './webhooks.ts';

export const allActs: readonly Act[] = [
  ...moneyIn,
  ...links,
  ...moneyBack,
  ...moneyOut,
  ...ownSandbox,
  ...webhooks,
  ...keys,
  ...joining,
  ...desk,
  ...strangers,
  ...deadLetters,
];
