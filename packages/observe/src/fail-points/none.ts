import type { FailPoint, Situation } from './names.ts';

/** Where a process may be made to die or to stop, by its name. Does nothing, unless Node runs with `--conditions=faults`. */
export function failPoint(_name: FailPoint): void {}

/** Tells a test that something rare has come about. Does nothing, unless Node runs with `--conditions=faults`. */
export function sometimes(_name: Situation): void {}
