import type { Point, Process } from './process.ts';
import { type Request, UNCONFIRMED_MS, type World } from './world.ts';

/** A possible next event, and the number of faults that it causes. */
export interface Option {
  faults: 0 | 1 | 2;
  act: () => Promise<void> | void;
}

export function optionsOf(world: World, process: Process, faultsLeft: number): Option[] {
  if (process.isIdle) return [{ faults: 0, act: () => process.start() }];
  const resume: Option = { faults: 0, act: () => resumeIn(world, process) };
  if (faultsLeft === 0) return [resume];
  if (process.point !== 'request') {
    return [
      resume,
      { faults: 1, act: () => die(world, process) },
      ...stallsOf(world, process),
      ...mishapsOf(world, process),
    ];
  }
  const delays = delaysOf(world, process);
  const deaths = faultsLeft > 1 ? delays.map((delay) => dyingAfter(world, process, delay)) : [];
  return [resume, { faults: 1, act: () => resumeIn(world, process, true) }, ...delays, ...deaths];
}

/** Returns the ways in which the provider may treat a delayed order that arrives. */
export function arrivalsOf(world: World, request: Request): Option[] {
  const arrive = async (isAgainstHabit: boolean) => {
    world.requests = world.requests.filter((each) => each !== request);
    world.arrive(request.from, isAgainstHabit);
    await request.sender?.resume();
  };
  return [
    { faults: 0, act: () => arrive(false) },
    { faults: 1, act: () => arrive(true) },
  ];
}

async function resumeIn(world: World, process: Process, isAgainstHabit = false): Promise<void> {
  if (process.point === 'request') world.arrive(process.name, isAgainstHabit);
  await process.resume();
}

function die(world: World, process: Process): void {
  world.narrate(() => `${process.name} dies before it ${doing[process.point ?? 'save']}, and starts anew`);
  process.die();
}

/**
 * Returns the possible pauses of a process: until its lease ends, or until UNCONFIRMED_MS after the end of
 * the lease. During the second pause, another process may confirm a refusal of the order.
 */
function stallsOf(world: World, process: Process): Option[] {
  const until = process.lease?.until.getTime() ?? world.now;
  const stall = (wakesAt: number) => () => {
    process.wakesAt = wakesAt;
    world.narrate(() => `${process.name} ${waiting[process.point ?? 'save']} until ${wakesAt} ms`);
  };
  return [until, until + UNCONFIRMED_MS]
    .filter((wakesAt) => wakesAt > world.now)
    .map((wakesAt) => ({ faults: 1, act: stall(wakesAt) }));
}

/** Returns the faults that are possible only at the point that the process has reached. */
function mishapsOf(world: World, process: Process): Option[] {
  switch (process.point) {
    case 'answer':
    case 'found':
      return [{ faults: 1, act: () => loseAnswer(world, process) }];
    case 'save':
      return [
        { faults: 1, act: () => forgetCommit(world, process) },
        { faults: 1, act: () => rollBack(world, process) },
      ];
    case 'find':
      return world.provider.hasTaken ? [{ faults: 1, act: () => hide(world, process) }] : [];
    default:
      return [];
  }
}

async function loseAnswer(world: World, process: Process): Promise<void> {
  world.narrate(() => `the answer to ${process.name} is lost`);
  await process.fail('the answer is lost');
}

async function forgetCommit(world: World, process: Process): Promise<void> {
  world.isCommitForgotten = true;
  await process.resume();
}

async function rollBack(world: World, process: Process): Promise<void> {
  world.narrate(() => `${process.name} loses the database before it has saved its result`);
  await process.fail('no connection');
}

async function hide(world: World, process: Process): Promise<void> {
  world.isHidden = true;
  world.isContractBroken = true;
  world.narrate(() => 'the provider does not show the order this once');
  await process.resume();
}

/**
 * Returns options that delay the arrival of an order. The order then arrives when its lease ends, at the last
 * moment that the network's contract allows, or much later.
 */
function delaysOf(world: World, process: Process): Option[] {
  const until = process.lease?.until.getTime() ?? world.now;
  const delay = (arrivesAt: number) => () => {
    world.requests.push({ arrivesAt, sender: process, from: process.name });
    process.isWaiting = true;
    if (arrivesAt >= until + UNCONFIRMED_MS) world.isContractBroken = true;
    world.narrate(() => `${process.name}’s order is held on the way until ${arrivesAt} ms`);
  };
  const arrivals = [until, until + UNCONFIRMED_MS - 1, until + 3 * UNCONFIRMED_MS];
  return arrivals.map((arrivesAt) => ({ faults: 1, act: delay(arrivesAt) }));
}

function dyingAfter(world: World, process: Process, delay: Option): Option {
  return {
    faults: 2,
    act() {
      delay.act();
      for (const request of world.requests) if (request.sender === process) request.sender = null;
      world.narrate(() => `${process.name} dies after its order has left, and starts anew`);
      process.die();
    },
  };
}

const doing: { [At in Point]: string } = {
  save: 'saves its result',
  token: 'has a token for its order',
  request: 'sends its order',
  answer: 'has the answer to its order',
  find: 'queries the order',
  found: 'has the result of its query',
};

const waiting: { [At in Point]: string } = {
  save: 'stands still before it saves its result',
  token: 'waits for a token for its order',
  request: 'stands still before it sends its order',
  answer: 'waits for the answer to its order',
  find: 'stands still before it queries the order',
  found: 'waits for the result of its query',
};
