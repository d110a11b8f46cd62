/**
 * `npm test`: brings what a bare machine lacks, then runs every gate and every test. `--lane=change` and `--lane=long` are `npm run
 * test:change` and `test:long`; names of stages run only those. The last line is `N passed, N failed, N skipped`: tests of Vitest and
 * Playwright, one for each gate and each attack script. Runs on Node 20, without packages.
 */
import { join } from 'node:path';
import { ensureBrowser } from './lib/browsers/browser.mjs';
import { bold, main, PlainError } from './lib/output.mjs';
import { ensurePackages, findNode, root } from './lib/prerequisites.mjs';
import { openSession } from './lib/session.mjs';
import { watchTree } from './test/clean-tree.mjs';
import { recordPassed, unchangedSince } from './test/covered.mjs';
import { memoryOfTree } from './test/remembered.mjs';
import { isSuccess, reportLines } from './test/report.mjs';
import { runStages } from './test/runner.mjs';
import { STAGES, stagesOf } from './test/stages.mjs';

const LANES = ['merge', 'change', 'long'];

/** Parses the command line. */
function readArguments(args) {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const names = args.filter((arg) => !arg.startsWith('--'));
  const lane = flags.find((flag) => flag.startsWith('--lane='))?.slice('--lane='.length) ?? 'merge';
  const isKnown = (flag) => flag === '--again' || (flag.startsWith('--lane=') && LANES.includes(lane));
  const wrong = [
    ...flags.filter((flag) => !isKnown(flag)),
    ...names.filter((name) => !STAGES.some((s) => s.name === name)),
  ];
  if (wrong.length > 0)
    throw new PlainError(
      `Unknown: ${wrong.join(' ')}. Stages: ${STAGES.map(({ name }) => name).join(' ')}; flag: --again`,
    );
  return { lane, names, again: flags.includes('--again') };
}

/** The settings of all stages: one random seed a run, unless one is set. */
function environmentOf(node, lane) {
  const seed = process.env.TEST_SEED ?? String(1 + Math.floor(Math.random() * 999_999));
  return {
    PATH: `${join(node, '..')}:${process.env.PATH}`,
    TEST_SEED: seed,
    CHEAT_SEED: process.env.CHEAT_SEED ?? seed,
    ...(lane === 'long' && { TEST_LANE: 'long' }),
  };
}

/** Returns the result of a stage without running it: remembered of an earlier long run, or nothing to prove. */
function skipping({ lane, names, again }, memory) {
  return (stage) => {
    if (lane === 'long') {
      const known = again ? undefined : memory.passed(stage.name);
      return known && { ...known, failed: 0, note: `passed on this tree at ${known.at}; --again repeats it` };
    }
    const reason = names.length > 0 ? undefined : unchangedSince(stage);
    return reason === undefined ? undefined : { passed: 0, failed: 0, skips: [reason] };
  };
}

/** The gate on the source tree as a result like those of stages; a change while you work is no fault, so `test:change` has none. */
function cleanTreeResult(written) {
  const failures = written.map((file) => ({
    name: `clean tree › ${file}`,
    message: 'was written in the source tree during the run',
  }));
  const failed = failures.length > 0 ? 1 : 0;
  return {
    stage: { name: 'clean-tree' },
    passed: 1 - failed,
    failed,
    skipped: 0,
    skips: [],
    failures,
    seconds: 0,
    peakBytes: 0,
  };
}

async function runLane(options, session, node) {
  const { lane, names } = options;
  const begin = performance.now();
  const env = environmentOf(node, lane);
  const seeds = `TEST_SEED=${env.TEST_SEED} CHEAT_SEED=${env.CHEAT_SEED}${env.TEST_LANE === 'long' ? ' TEST_LANE=long' : ''}`;
  console.log(`  ${seeds}`);
  const stages = stagesOf(lane, names);
  // Before an hour of other stages, not after it.
  if (stages.some(({ needs = [] }) => needs.includes('browser'))) await ensureBrowser();
  const memory = lane === 'long' ? memoryOfTree() : undefined;
  const endWatch = lane === 'change' ? undefined : watchTree();
  const done = ({ stage, failed, passed, ...rest }) => {
    if (failed === 0 && passed > 0) memory?.remember(stage.name, { passed, ...rest });
  };
  const context = { node, env, folder: session.folder };
  const results = await runStages(stages, context, { skip: skipping(options, memory), done });
  if (endWatch !== undefined) results.push(cleanTreeResult(endWatch()));
  if (lane === 'long')
    recordPassed(results.filter(({ failed, passed }) => failed === 0 && passed > 0).map(({ stage }) => stage));
  return { results, lines: reportLines(results, { seconds: (performance.now() - begin) / 1000, seeds }) };
}

await main(async () => {
  process.chdir(root);
  const options = readArguments(process.argv.slice(2));
  const session = await openSession({ command: ['npm test', ...process.argv.slice(2)].join(' ') });
  try {
    console.log(bold('\nPreparation'));
    await ensurePackages({ tests: true });
    const { results, lines } = await runLane(options, session, findNode());
    for (const line of lines) console.log(line);
    return isSuccess(results) ? 0 : 1;
  } finally {
    await session.close();
  }
});
