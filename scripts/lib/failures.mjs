/**
 * The failed tests of a result file with their messages: `npm test` prints them once more at its end, because
 * the end is what is kept of a long output. Runs on Node 20, without packages.
 */
const MESSAGE_LINES = 60;
const MESSAGE_LIMIT = 6_000;

/** Removes the colours of a terminal from a text. */
const plain = (text) => text.replace(/\u001B\[[0-9;]*m/g, '');

/** The first lines of an error's message, with the first line of the stack that is in a test. */
function startOf(message = '') {
  const lines = plain(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const where = lines.find((line) => /tests\/.*:\d+:\d+/.test(line));
  const start = lines.slice(0, MESSAGE_LINES);
  const all = where === undefined || start.includes(where) ? start : [...start, where];
  return all.join('\n      ').slice(0, MESSAGE_LIMIT);
}

/**
 * The failed tests of Vitest's JSON report: `[{ name, message }]`. A file that could not be loaded counts under its
 * own name.
 */
export function vitestFailures({ testResults = [] }) {
  return testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    const own = failed.map(({ fullName, failureMessages }) => ({
      name: `${file.name.replace(/^.*\/tests\//, 'tests/')} › ${fullName}`,
      message: startOf(failureMessages.join('\n')),
    }));
    if (own.length > 0 || file.status !== 'failed') return own;
    return [{ name: file.name.replace(/^.*\/tests\//, 'tests/'), message: startOf(file.message) }];
  });
}

/** The failed tests of Playwright's JSON report, and the errors outside any test: `[{ name, message }]`. */
export function playwrightFailures({ suites = [], errors = [] }) {
  const found = errors.map(({ message }) => ({ name: 'Playwright', message: startOf(message) }));
  const visit = (suite) => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status !== 'unexpected' && test.status !== 'flaky') continue;
        const error = test.results.flatMap((result) => result.errors ?? [])[0];
        found.push({
          name: `${spec.file}:${spec.line} › ${spec.title} [${test.projectName}]`,
          message: startOf(`${error?.message ?? ''}\n${error?.stack ?? ''}`),
        });
      }
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of suites) visit(suite);
  return found;
}

/** The lines that list failed tests; none when nothing failed. */
export function failureLines(failures) {
  if (failures.length === 0) return [];
  return ['', 'Failed tests', ...failures.map(({ name, message }) => `  ✗ ${name}\n      ${message}`)];
}
