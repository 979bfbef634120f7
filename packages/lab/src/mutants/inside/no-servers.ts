/**
 * Replaces the global setup and teardown of jest. The servers of the mutants command then keep running
 * between two runs of jest.
 */
export default function leaveServersAlone(): void {}
