/**
 * The stages of the three lanes. A stage is `{ name, title, lanes, work }`; `work({ node, env, folder, isQuiet })` resolves to
 * `{ passed, failed, skipped, skips, failures, output }`. Neighbours of one `group` run side by side: they wait more than they compute, or use
 * one thread. `needs` names what the run prepares before ('built': pages, server and template database; 'browser'). A stage with `covered` is
 * skipped in `npm test` while those files are as in the last passed long run (decision 490). Runs on Node 20, without packages.
 */
import { join } from 'node:path';
import {
  runAttacks,
  runEngine,
  runFloor,
  runOldJourneys,
  runPlaywright,
  runRehearsal,
  runTrial,
} from '../lib/browsers/browser-stages.mjs';
import { runChecks } from '../lib/checks.mjs';
import { root } from '../lib/prerequisites.mjs';
import { run } from '../lib/run.mjs';
import { runRecipes } from '../recipes/run.mjs';
import { runAffected } from './affected-stage.mjs';
import { runSmoke } from './smoke.mjs';
import { runSupply } from './supply.mjs';
import { runVitest } from './vitest-stage.mjs';

// Each limit is three times what its stage needs on a quiet machine of two fast cores, so that one three times slower ends by itself.
const PREPARE_LIMIT_MS = 360_000;
const QUICK_LIMIT_MS = 180_000;
const UNIT_LIMIT_MS = 1_800_000;
const HTTP_LIMIT_MS = 1_800_000;
const INVARIANTS_LIMIT_MS = 1_800_000;
const CLUSTER_LIMIT_MS = 900_000;
const MISSING_LIMIT_MS = 60_000;
/** How tests/cluster/missing.ts ends where packages are missing. */
const LACKS_PACKAGES = 3;

/** Files on which every stage with several servers or an installation depends. */
const BASE = ['package-lock.json', 'server/db', 'server/config', 'server/main.ts', 'server/app.ts', 'deploy'];
const CLUSTER = [
  ...BASE,
  'server/jobs',
  'server/kernel',
  'server/adapters',
  'tests/cluster',
  'tests/support/servers/server-process.ts',
];
const ROLLING = [...CLUSTER, 'db/migrations', 'db/functions', 'subjects/*/db', 'scripts/migrate.ts'];
const REHEARSE = [
  ...BASE,
  'server/adapters',
  'db',
  'scripts',
  'tests/rehearse',
  'web/layouts',
  'subjects/back-office/staff',
  ':!scripts/test',
];

/** Projects of vitest.config.ts: those whose files share processes, and those whose files have one each. */
const QUICK = ['quick', 'quick-alone'];
const HTTP = ['http', 'http-mocks'];

const MERGE = ['merge'];
const LONG = ['long'];
const BOTH = ['merge', 'long'];
const CHANGE = ['change'];

/** Builds the pages and the server and fills the template database, unless that is done already. Counts nothing but its failure. */
async function prepare({ node, env }) {
  const programs = ['scripts/prebuild.mjs', 'tests/support/database/fill-template.ts'];
  const ends = await Promise.all(
    programs.map(async (file) => await run(node, [join(root, file)], { env, timeoutMs: PREPARE_LIMIT_MS })),
  );
  const failures = ends.flatMap(({ code, output }, i) =>
    code === 0 ? [] : [{ name: `prepare › ${programs[i]}`, message: output.trim().slice(-3000) }],
  );
  return { passed: 0, failed: failures.length, failures, output: ends.map(({ output }) => output).join('') };
}

/** Files of tests/cluster, where Debian's packages for them are installed; else it names those that are missing. */
const cluster = (files) => async (context) => {
  const { node, env } = context;
  const { code, output } = await run(node, [join(root, 'tests/cluster/missing.ts')], {
    env,
    timeoutMs: MISSING_LIMIT_MS,
  });
  const missing = output.trim();
  if (code === LACKS_PACKAGES)
    return { passed: 0, failed: 0, skips: [`Debian packages are missing: apt-get install ${missing}`] };
  return await runVitest(context, ['cluster'], { limitMs: CLUSTER_LIMIT_MS, files });
};

const http = (shard) => async (context) =>
  await runVitest(context, HTTP, { limitMs: HTTP_LIMIT_MS, more: [`--shard=${shard}`] });

export const STAGES = [
  {
    name: 'static',
    title: 'Format, lint and types',
    lanes: CHANGE,
    group: 'first',
    work: async ({ node, env }) => await runChecks(node, { quickOnly: true, env }),
  },
  {
    name: 'check',
    title: 'Gates',
    lanes: BOTH,
    group: 'first',
    work: async ({ node, env }) => await runChecks(node, { env }),
  },
  {
    name: 'prepare',
    title: 'Build and template database',
    lanes: [],
    group: 'first',
    isPreparation: true,
    work: prepare,
  },
  {
    name: 'quick',
    title: 'Unit tests without a database',
    lanes: [...CHANGE, ...LONG],
    work: async (context) => await runVitest(context, QUICK, { limitMs: QUICK_LIMIT_MS }),
  },
  { name: 'affected', title: 'HTTP tests that the change affects', lanes: CHANGE, needs: ['built'], work: runAffected },
  { name: 'smoke', title: 'Smoke journeys', lanes: CHANGE, needs: ['built', 'browser'], work: runSmoke },
  {
    name: 'unit',
    title: 'Unit and HTTP tests',
    lanes: MERGE,
    needs: ['built'],
    work: async (context) => await runVitest(context, [...QUICK, 'unit', ...HTTP], { limitMs: UNIT_LIMIT_MS }),
  },
  {
    name: 'unit-slow',
    title: 'Unit tests with a database or a build',
    lanes: LONG,
    needs: ['built'],
    work: async (context) => await runVitest(context, ['unit'], { limitMs: QUICK_LIMIT_MS * 2 }),
  },
  {
    name: 'recipes',
    title: 'Recipes of docs/HOWTO.md, followed in a copy',
    lanes: LONG,
    work: async ({ node, env }) => await runRecipes(node, { env }),
  },
  { name: 'http-1', title: 'HTTP tests, first half', lanes: LONG, needs: ['built'], work: http('1/2') },
  { name: 'http-2', title: 'HTTP tests, second half', lanes: LONG, needs: ['built'], work: http('2/2') },
  {
    name: 'invariants',
    title: 'Invariants',
    lanes: BOTH,
    // The attacks are refused, cut off and restarted, and wait out the minute between two codes of an SMS.
    group: 'waiting',
    needs: ['built'],
    work: async (context) => await runVitest(context, ['invariants'], { limitMs: INVARIANTS_LIMIT_MS }),
  },
  {
    name: 'attacks',
    title: 'Black-box attacks',
    lanes: BOTH,
    group: 'waiting',
    needs: ['built'],
    work: async ({ node, env, isQuiet }) => await runAttacks(node, env, isQuiet),
  },
  {
    name: 'cluster',
    title: 'Several machines',
    lanes: BOTH,
    covered: CLUSTER,
    work: cluster(['tests/cluster/cluster.test.ts', 'tests/cluster/failover.test.ts']),
  },
  {
    name: 'rolling',
    title: 'Rolling upgrade',
    lanes: BOTH,
    covered: ROLLING,
    work: cluster(['tests/cluster/rolling.test.ts']),
  },
  {
    name: 'journeys',
    title: 'Browser tests',
    lanes: BOTH,
    needs: ['built', 'browser'],
    work: async ({ node, env }) => await runPlaywright(node, env),
  },
  {
    name: 'floor',
    title: 'Oldest browser',
    lanes: BOTH,
    needs: ['built', 'browser'],
    work: async ({ node, env, isQuiet }) => await runFloor(node, env, isQuiet),
  },
  {
    name: 'journeys-109',
    title: 'Browser tests in Chromium 109',
    lanes: LONG,
    needs: ['built', 'browser'],
    work: async ({ node, env }) => await runOldJourneys(node, env),
  },
  {
    name: 'firefox',
    title: 'Pages and acts in Firefox',
    lanes: LONG,
    needs: ['built'],
    work: async ({ node, env }) => await runEngine(node, env, 'firefox'),
  },
  {
    name: 'webkit',
    title: 'Pages and acts in WebKit',
    lanes: LONG,
    needs: ['built'],
    work: async ({ node, env }) => await runEngine(node, env, 'webkit'),
  },
  {
    name: 'rehearse',
    title: 'Opening rehearsal',
    lanes: BOTH,
    needs: ['built', 'browser'],
    covered: REHEARSE,
    work: async ({ node, env }) => await runRehearsal(node, env),
  },
  {
    name: 'trial',
    title: 'Trial market to its first payout',
    lanes: LONG,
    needs: ['built', 'browser'],
    work: async ({ node, env }) => await runTrial(node, env),
  },
  { name: 'supply', title: 'Supply chain', lanes: LONG, work: runSupply },
];

/** The stages to run: the named ones, else those of the lane, with what they need prepared. */
export function stagesOf(lane, names, stages = STAGES) {
  const wanted = stages.filter(({ name, lanes }) => (names.length > 0 ? names.includes(name) : lanes.includes(lane)));
  const needsBuild = wanted.some(({ needs = [] }) => needs.includes('built'));
  return stages.filter((stage) => wanted.includes(stage) || (stage.name === 'prepare' && needsBuild));
}
