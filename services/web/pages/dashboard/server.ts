/** The parts of the dashboard that the server renders before the script has loaded. */
export { renderFrame } from './frame/server.tsx';
export { isPage } from './paths.ts';
export { renderLogIn } from './session/server.tsx';
