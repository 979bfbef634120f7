import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Exact versions of the tools, so that later runs use the same versions. */
const GO_GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const JAVA_GENERATOR = '7.25.0';
const NEWMAN = 'newman@6.2.2';
const PYTHON_PACKAGES = [
  'openapi-python-client==0.29.1',
  'datamodel-code-generator==0.89.0',
  'schemathesis==4.32.5',
  'ofxparse==0.21',
  'ofxtools==1.1.1',
  'python-dateutil==2.9.0.post0',
  'urllib3==2.8.0',
];

/** Foreign programs in one folder. Each program is installed when it is needed for the first time. */
export interface Toolbox {
  python(): Promise<{ bin: string; env: Record<string, string> }>;
  go(): Promise<{ generator: string; env: Record<string, string> }>;
  javaGenerator(): Promise<string>;
  maven(): Promise<readonly string[]>;
  newman(): Promise<string>;
}

export function toolboxIn(folder: string): Toolbox {
  return {
    async python() {
      await requireProgram('python3', ['-m', 'venv', '--help'], 'Python 3.11 with venv');
      const venv = join(folder, `python-${PYTHON_PACKAGES.length}`);
      await installOnce(join(venv, 'complete.json'), PYTHON_PACKAGES, async () => {
        await runTool('python3', ['-m', 'venv', '--clear', venv]);
        await runTool(join(venv, 'bin/pip'), ['install', '--quiet', ...PYTHON_PACKAGES]);
      });
      const bin = join(venv, 'bin');
      return { bin, env: { PATH: `${bin}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1' } };
    },
    async go() {
      await requireProgram('go', ['version'], 'Go 1.26');
      const home = join(folder, 'go');
      const env = { GOPATH: home, GOBIN: join(home, 'bin'), GOFLAGS: '-modcacherw', GOTOOLCHAIN: 'local' };
      await installOnce(join(home, 'complete.json'), [GO_GENERATOR], () =>
        runTool('go', ['install', GO_GENERATOR], { env }),
      );
      return { generator: join(home, 'bin/oapi-codegen'), env };
    },
    async javaGenerator() {
      await requireProgram('java', ['-version'], 'Java 17');
      const name = `openapi-generator-cli-${JAVA_GENERATOR}.jar`;
      const jar = join(folder, name);
      if (!existsSync(jar)) {
        const path = `org/openapitools/openapi-generator-cli/${JAVA_GENERATOR}/${name}`;
        await download(`https://repo1.maven.org/maven2/${path}`, jar);
      }
      return jar;
    },
    async maven() {
      await requireProgram('mvn', ['-version'], 'Maven 3.8');
      return ['-q', '-B', `-Dmaven.repo.local=${join(folder, 'maven')}`];
    },
    async newman() {
      const home = join(folder, 'npm');
      await installOnce(join(home, 'complete.json'), [NEWMAN], () =>
        runTool('npm', ['install', '--prefix', home, '--ignore-scripts', '--no-save', NEWMAN]),
      );
      return join(home, 'node_modules/.bin/newman');
    },
  };
}

async function requireProgram(command: string, args: readonly string[], name: string): Promise<void> {
  await runTool(command, args).catch((cause) => {
    throw new Error(`${command} does not run: install ${name}`, { cause });
  });
}

/**
 * Installs a program unless its mark file names the same versions. The mark file is written last, so that an
 * interrupted installation is repeated.
 */
async function installOnce(mark: string, versions: readonly string[], install: () => Promise<unknown>) {
  const complete = JSON.stringify(versions);
  if ((await readFile(mark, 'utf8').catch(() => '')) === complete) return;
  await install();
  await writeFile(mark, complete);
}

async function download(url: string, file: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(`${file}.part`, Buffer.from(await response.arrayBuffer()));
  await rename(`${file}.part`, file);
}
