/** Counts what a test tool left in its result file. Runs on Node 20, without packages. */
import { readFileSync } from 'node:fs';
import { red } from './output.mjs';

/**
 * Reads a test tool's result file. A tool that failed without naming a failed test (it crashed, found no tests, or ran
 * out of time) counts as one failure.
 */
export function tally(file, count, { code, timedOut }) {
  let result = { passed: 0, failed: 0, failures: [] };
  try {
    result = count(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.log(red(timedOut ? '  out of time, stopped' : '  left no result'));
    return { passed: 0, failed: 1 };
  }
  if (result.failed === 0 && (code !== 0 || result.passed === 0)) result.failed = 1;
  return result;
}
