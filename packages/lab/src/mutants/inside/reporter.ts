interface Test {
  readonly path: string;
}

interface TestCase {
  readonly fullName: string;
  readonly status: string;
}

interface TestFile {
  readonly failureMessage?: string | null;
  readonly testResults: readonly TestCase[];
}

/** Reports each test to the parent process when the test ends. Jest itself reports only after all tests. */
export default class Reporter {
  onTestCaseResult({ path }: Test, { fullName, status }: TestCase): void {
    if (status === 'failed') process.send?.({ kind: 'failed', path, test: fullName });
    else process.send?.({ kind: 'passed' });
  }

  onTestResult({ path }: Test, { failureMessage, testResults }: TestFile): void {
    if (!failureMessage) process.send?.({ kind: 'file passed', path });
    else if (!testResults.some(({ status }) => status === 'failed'))
      process.send?.({ kind: 'failed', path, test: 'the file as a whole' });
  }
}
