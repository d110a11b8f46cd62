/** The end of a run's output: failures, a line for each stage, the reasons for what was skipped, and the sums. Runs on Node 20. */
import { failureLines } from '../lib/failures.mjs';

/** Seconds as text: 12.3 s, 4 min 5 s. */
export function duration(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

function stageLine({ stage, passed, failed, skipped, seconds, peakBytes, note }) {
  const memory = peakBytes > 0 ? `, peak memory ${gigabytes(peakBytes)}` : '';
  const remark = note === undefined ? '' : ` (${note})`;
  return `  ${stage.name}: ${duration(seconds)}, ${passed} passed, ${failed} failed, ${skipped} skipped${memory}${remark}`;
}

/** Most names that the end repeats: more failures than this have one cause. */
const MAX_NAMES = 60;

/** The name of each failed test once more in a line, because the end is what is kept of a long output. */
function failedNames(results) {
  const names = results.flatMap(({ stage, failures }) => failures.map(({ name }) => `  failed ${stage.name}: ${name}`));
  const more = names.length - MAX_NAMES;
  return more > 0 ? [...names.slice(0, MAX_NAMES), `  and ${more} more`] : names;
}

const sum = (results, name) => results.reduce((total, result) => total + result[name], 0);

/**
 * The lines of the report; the last is `N passed, N failed, N skipped`, where each stage or part that was skipped counts as one. `seeds` is
 * how to repeat the run's choices.
 */
export function reportLines(results, { seconds, seeds }) {
  const failed = sum(results, 'failed');
  const skips = results.flatMap(({ stage, skips: reasons }) =>
    reasons.map((reason) => `  skipped ${stage.name}: ${reason}`),
  );
  return [
    ...failureLines(results.flatMap(({ failures }) => failures)),
    ...(failed > 0 ? ['', `  the same choices again: ${seeds} npm test -- STAGE`] : []),
    '',
    ...results.map(stageLine),
    `  total: ${duration(seconds)}, ${seeds}`,
    ...skips,
    ...failedNames(results),
    `${sum(results, 'passed')} passed, ${failed} failed, ${sum(results, 'skipped') + skips.length} skipped`,
  ];
}

/** Whether a run may end with 0: nothing failed, and something passed. */
export const isSuccess = (results) => sum(results, 'failed') === 0 && sum(results, 'passed') > 0;
