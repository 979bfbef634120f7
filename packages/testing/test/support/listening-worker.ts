import { createServer } from 'node:http';
import environmentOfWorker from '../../src/jest-environment.ts';

type Arguments = Parameters<typeof environmentOfWorker>;

const config = { projectConfig: { testEnvironmentOptions: {}, globals: {} } } as Arguments[0];
environmentOfWorker(config, { testPath: '/repository/services/charges/test/one.test.ts' } as Arguments[1]);
createServer().listen(0, '127.0.0.1', () => process.send?.('listening'));
