import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runTool } from './run-tool.ts';
import type { Toolbox } from './toolbox.ts';

const CLIENTS = join(import.meta.dirname, 'clients');

interface Surroundings {
  toolbox: Toolbox;
  baseUrl: string;
  apiKey: string;
  /** The path of the platform's OpenAPI document. */
  document: string;
  /** The folder of the generated files. It is emptied at the start. */
  folder: string;
}

type Check = (surroundings: Surroundings) => Promise<string>;

/**
 * Returns the environment variables for a client's test program, with an order id that no other program uses.
 */
const journeyOf = ({ baseUrl, apiKey }: Surroundings) => ({
  BASE_URL: baseUrl,
  API_KEY: apiKey,
  ORDER: `release-${randomUUID()}`,
});

const oapiCodegen: Check = async (around) => {
  const { generator, env } = await around.toolbox.go();
  const cwd = await emptied(around, 'go/plataforma');
  const module = join(cwd, '..');
  await runTool(
    generator,
    ['-generate', 'types,client', '-package', 'plataforma', '-o', 'client.go', around.document],
    { cwd },
  );
  await cp(join(CLIENTS, 'main.go'), join(module, 'main.go'));
  await writeFile(
    join(module, 'go.mod'),
    'module example.org/release\n\ngo 1.26.0\n\nrequire github.com/oapi-codegen/runtime v1.9.0\n',
  );
  await runTool('go', ['mod', 'tidy'], { cwd: module, env });
  return runTool('go', ['run', '.'], { cwd: module, env: { ...env, ...journeyOf(around) } });
};

/** Runs one of the Python programs. The generated code is in the search path for Python modules. */
async function runPython(
  around: Surroundings,
  file: string,
  { paths = [], ofx = '' }: { paths?: readonly string[]; ofx?: string },
): Promise<string> {
  const { bin, env } = await around.toolbox.python();
  const PYTHONPATH = [...paths, CLIENTS].join(delimiter);
  return runTool(
    join(bin, 'python'),
    ['-c', `import runpy; runpy.run_path(${JSON.stringify(join(CLIENTS, file))})`],
    {
      env: { ...env, ...journeyOf(around), OFX: ofx, PYTHONPATH },
    },
  );
}

const openapiPythonClient: Check = async (around) => {
  const { bin, env } = await around.toolbox.python();
  const cwd = await emptied(around, 'openapi-python-client');
  const args = ['generate', '--path', around.document, '--fail-on-warning', '--output-path', 'client'];
  await runTool(join(bin, 'openapi-python-client'), args, { cwd, env });
  return runPython(around, 'openapi_python_client.py', { paths: [join(cwd, 'client')] });
};

const datamodelCodeGenerator: Check = async (around) => {
  const { bin, env } = await around.toolbox.python();
  const cwd = await emptied(around, 'datamodel-code-generator');
  const kind = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel'];
  await runTool(
    join(bin, 'datamodel-codegen'),
    ['--input', around.document, '--output', 'models.py', ...kind],
    { cwd, env },
  );
  return runPython(around, 'datamodel.py', { paths: [cwd] });
};

async function generatedBy(around: Surroundings, generator: 'python' | 'java'): Promise<string> {
  const jar = await around.toolbox.javaGenerator();
  const cwd = await emptied(around, `openapi-generator-${generator}`);
  // The webhooks are removed from the document, because the generator writes Python code with a syntax error
  // for them.
  const outputs = 'models,apis,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  await runTool('java', [
    '-jar',
    jar,
    'generate',
    '-g',
    generator,
    '-i',
    around.document,
    '-o',
    cwd,
    '--global-property',
    outputs,
  ]);
  return cwd;
}

const openapiGeneratorPython: Check = async (around) =>
  runPython(around, 'openapi_generator.py', { paths: [await generatedBy(around, 'python')] });

const openapiGeneratorJava: Check = async (around) => {
  const maven = await around.toolbox.maven();
  const cwd = await generatedBy(around, 'java');
  await cp(join(CLIENTS, 'Journey.java'), join(cwd, 'src/main/java/Journey.java'));
  await runTool('mvn', [...maven, '-Dmaven.javadoc.skip=true', 'package'], { cwd });
  const classpath = ['target/classes', 'target/lib/*'].join(delimiter);
  return runTool('java', ['-cp', classpath, 'Journey'], { cwd, env: journeyOf(around) });
};

/**
 * The operations that are not tried. They belong to operators, revoke the caller's key, slow the sandbox down
 * or move its clock.
 */
const NOT_TRIED = ' (/v1/admin/.*|/v1/auth/logout|/v1/api-keys/.*|/v1/sandbox/(provider|clock))$';
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';

const schemathesis: Check = async (around) => {
  const { bin, env } = await around.toolbox.python();
  const output = await runTool(
    join(bin, 'schemathesis'),
    [
      ...['run', around.document, '--url', around.baseUrl, '--header', `X-API-Key: ${around.apiKey}`],
      // All names are in one filter. With several filters, the tool excludes only operations that match all
      // of them.
      ...['--exclude-name-regex', NOT_TRIED],
      ...['--checks', CHECKS, '--phases', 'examples,fuzzing', '--max-examples', '10'],
      ...['--seed', '1', '--generation-deterministic', '--request-timeout', '60', '--no-color'],
    ],
    { env, cwd: await emptied(around, 'schemathesis'), timeoutMs: 1_200_000 },
  );
  return output.trim().split('\n').slice(-12).join(' ');
};

const newman: Check = async (around) => {
  const program = await around.toolbox.newman();
  const collection = `${around.baseUrl}/collection.json`;
  const output = await runTool(program, [
    'run',
    collection,
    '--color',
    'off',
    '--reporter-cli-no-assertions',
  ]);
  return /assertions.*/.exec(output)?.[0] ?? '';
};

async function readOfx(around: Surroundings, file: string): Promise<string> {
  const headers = { 'X-API-Key': around.apiKey, Accept: 'application/x-ofx' };
  const response = await fetch(`${around.baseUrl}/v1/statement`, { headers });
  const ofx = join(await emptied(around, file), 'statement.ofx');
  await writeFile(ofx, Buffer.from(await response.arrayBuffer()));
  return runPython(around, file, { ofx });
}

/**
 * The checks by the name of the foreign tool. The OFX readers come last, because they read rows that the
 * other clients create.
 */
export const checks: Readonly<Record<string, Check>> = {
  'oapi-codegen (Go)': oapiCodegen,
  'openapi-python-client': openapiPythonClient,
  'datamodel-code-generator': datamodelCodeGenerator,
  'openapi-generator (Python)': openapiGeneratorPython,
  'openapi-generator (Java)': openapiGeneratorJava,
  newman,
  ofxparse: (around) => readOfx(around, 'read_ofxparse.py'),
  ofxtools: (around) => readOfx(around, 'read_ofxtools.py'),
  Schemathesis: schemathesis,
};

async function emptied({ folder }: Surroundings, name: string): Promise<string> {
  const path = join(folder, name);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  return path;
}
