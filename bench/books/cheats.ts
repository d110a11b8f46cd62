/**
 * The search for cheats (tests/invariants/cheats). `npm run bench -- cheats --acts 1000000` searches for as long as wanted; `--mutants` switches
 * off one rule after the other and prints how soon the search finds each, `--mutant NAME` one of them with its story. `--theme NAME` leads every
 * second world to a theme, `--finding NAME,…` looks for single findings of findings.ts, known or fixed, and prints
 * the story of each; `--finding all` takes all of them.
 */
import { parseArgs } from 'node:util';
import { FINDINGS } from '#tests/invariants/cheats/rules/findings.ts';
import type { Mutant } from '#tests/invariants/cheats/switched-off/mutant.ts';
import { mutantOf, MUTANTS } from '#tests/invariants/cheats/switched-off/mutants.ts';
import { type Outcome, runSearch } from '#tests/invariants/cheats/run.ts';
import { startCluster } from '#tests/support/database/cluster.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    acts: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seats: { type: 'string', default: '8' },
    all: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    theme: { type: 'string' },
    finding: { type: 'string' },
  },
});
const [seed, seats] = [Number(values.seed), Number(values.seats)];

const SEARCH_ACTIONS = 1_000_000;
/** A rule that is switched off has to be found in fewer acts than CI does. */
const MUTANT_ACTIONS = 20_000;

const { cluster, stop } = await startCluster();

async function searchAll(): Promise<void> {
  const out = await runSearch(cluster, {
    actions: Number(values.acts ?? SEARCH_ACTIONS),
    seed,
    seats,
    all: values.all,
    theme: values.theme,
    print: true,
  });
  console.log(
    `${out.actions} acts in ${out.worlds} worlds, ${Math.round(out.actions / out.seconds)} a second, ${out.found} cheats`,
  );
  for (const [text, times] of Object.entries(out.texts)) console.log(`${times} × ${text}`);
  const acts = Object.entries(out.acts).map(([name, [done, tried]]) => `${name} ${done} of ${tried}`);
  console.log(`carried out: ${acts.toSorted().join(', ')}`);
  const known = Object.entries(out.known).map(([name, worlds]) => `${name} in ${worlds} worlds`);
  if (known.length > 0) console.log(`known findings: ${known.join(', ')}`);
  if (out.seed !== null) console.log(`first seed: ${out.seed}`);
  for (const story of out.stories) console.log(`\n${story}`);
  if (out.found > 0) process.exitCode = 1;
}

/** One line of the table in bench/results.md. */
function tableRow(mutant: Mutant, out: Outcome): string {
  const steps = out.stories[0]?.split('\n').filter((line) => !line.includes('=> ')).length ?? 0;
  const found = out.found > 0 ? [out.actions, out.seconds.toFixed(0), out.promise, steps] : ['not found', '', '', ''];
  return `| ${[mutant.name, mutant.rule, ...found].join(' | ')} |`;
}

async function searchMutants(mutants: readonly Mutant[]): Promise<void> {
  console.log(
    '| mutant | rule that is off | acts | seconds | promise | lines of its story |\n|---|---|--:|--:|--:|--:|',
  );
  for (const mutant of mutants) {
    const out = await runSearch(cluster, { actions: Number(values.acts ?? MUTANT_ACTIONS), seed, seats, mutant });
    console.log(tableRow(mutant, out));
    if (mutants.length === 1) console.log(out.stories[0] ?? '');
    if (out.found === 0) process.exitCode = 1;
  }
}

async function searchFindings(names: readonly string[]): Promise<void> {
  for (const finding of names) {
    const out = await runSearch(cluster, { actions: Number(values.acts ?? MUTANT_ACTIONS), seed, seats, finding });
    const where = `${out.actions} actions, ${out.seconds.toFixed(0)} s`;
    console.log(out.found > 0 ? `${finding}: ${where}, seed ${out.seed}` : `${finding}: not found in ${where}`);
    console.log(out.stories[0] ?? '');
    if (out.found === 0) process.exitCode = 1;
  }
}

try {
  if (values.finding !== undefined)
    await searchFindings(values.finding === 'all' ? FINDINGS.map(({ name }) => name) : values.finding.split(','));
  else if (values.mutant !== undefined) await searchMutants(values.mutant.split(',').map(mutantOf));
  else if (values.mutants) await searchMutants(MUTANTS);
  else await searchAll();
} finally {
  await stop();
}
