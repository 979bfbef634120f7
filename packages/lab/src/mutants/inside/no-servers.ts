/** In place of jest's global setup and teardown: the servers stay, from one run to the next. */
export default function leaveServersAlone(): void {}
