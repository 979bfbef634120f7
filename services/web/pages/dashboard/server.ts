/** What the server renders of the dashboard, before its script has loaded. */
export { renderFrame } from './frame/server.tsx';
export { renderLogIn } from './session/server.tsx';
