import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { peakMemoryOfChildren } from '../src/worker-memory.ts';

const script = `
  const held = Buffer.alloc(300 * 1024 * 1024, 1);
  console.log('held');
  process.stdin.on('data', () => process.exit(held[0] - 1));`;

test('the peak memory of a running child is measured', async () => {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');

  const [highest, none] = [peakMemoryOfChildren('Buffer.alloc(300'), peakMemoryOfChildren('no such command')];
  child.stdin.write('\n');
  await once(child, 'exit');

  expect(highest).toBeGreaterThan(300);
  expect(highest).toBeLessThan(600);
  expect(none).toBeNull();
});
