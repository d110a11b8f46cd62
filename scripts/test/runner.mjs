/** Runs stages one after another, those of one group side by side. Runs on Node 20, without packages. */
import { mkdirSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { bold, red } from '../lib/output.mjs';
import { endProcesses } from '../lib/processes.mjs';
import { watchMemory } from './memory.mjs';

/** Time that processes started by a stage may take to end after it. */
const AFTER_MS = 10_000;

/** Builds the result of a stage: the sums, why parts of it did not run, and what failed. A stage that counted nothing was skipped, unless it only prepares. */
function completed(stage, result) {
  const { passed, failed, skipped = 0, skips = [], failures = [], output = '' } = result;
  const isEmpty = passed + failed + skips.length === 0 && stage.isPreparation !== true;
  const reasons = isEmpty ? [output.trim().split('\n').at(-1) || 'it had nothing to do'] : skips;
  return { passed, failed, skipped, skips: reasons, failures, output };
}

/** Runs one stage; any error in it is one failure, and the next stage still runs. */
async function runStage(stage, { node, env, folder }, isQuiet) {
  const own = join(folder, stage.name);
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o755);
  const begin = performance.now();
  const heading = bold(`\n${stage.title}`);
  if (!isQuiet) console.log(heading);
  const memory = watchMemory(own);
  let result;
  try {
    result = completed(stage, await stage.work({ node, env: { ...env, TMPDIR: own }, folder: own, isQuiet }));
  } catch (error) {
    const failures = [{ name: stage.name, message: error.message }];
    result = { passed: 0, failed: 1, skipped: 0, skips: [], failures, output: red(`  ✗ ${error.message}`) };
  }
  const left = await endProcesses(own, AFTER_MS);
  const output = [
    isQuiet ? heading : '',
    result.output.trimEnd(),
    ...left.map((line) => `  left running, now ended: ${line}`),
  ];
  const seconds = (performance.now() - begin) / 1000;
  return {
    ...result,
    stage,
    seconds,
    peakBytes: memory.stop(),
    printed: output.filter((part) => part !== '').join('\n'),
  };
}

/** Stages of one group in a row make one step. */
function stepsOf(stages) {
  const steps = [];
  for (const stage of stages) {
    const last = steps.at(-1);
    if (stage.group !== undefined && last?.[0].group === stage.group) last.push(stage);
    else steps.push([stage]);
  }
  return steps;
}

/**
 * Runs the stages in their order. The first of a group prints as it goes, the others when all have ended. `skip(stage)` returns a result to
 * use instead of running it, or undefined; `done(result)` is called for each that ran. Resolves to
 * `[{ stage, passed, failed, skipped, skips, failures, seconds, peakBytes }]`.
 */
export async function runStages(stages, context, { skip = () => undefined, done = () => undefined } = {}) {
  const results = [];
  for (const step of stepsOf(stages)) {
    const known = step.map((stage) => ({ stage, result: skip(stage) }));
    for (const { stage, result } of known)
      if (result !== undefined)
        results.push({
          ...completed(stage, result),
          stage,
          seconds: result.seconds ?? 0,
          peakBytes: 0,
          note: result.note,
        });
    const open = known.filter(({ result }) => result === undefined).map(({ stage }) => stage);
    const ran = await Promise.all(open.map(async (stage, i) => await runStage(stage, context, i > 0)));
    for (const result of ran) {
      if (result.printed !== '') console.log(result.printed);
      done(result);
      results.push(result);
    }
  }
  return results;
}
