/** `npm run bench -- cheats --acts 1000000`: the search for cheats (tests/invariants/cheats) for as long as wanted. */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startCluster } from '#tests/support/cluster.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    acts: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    seats: { type: 'string', default: '8' },
    all: { type: 'boolean', default: false },
  },
});

interface Outcome {
  acts: number;
  worlds: number;
  seconds: number;
  found: number;
  stories: string[];
}

/** Runs one search as a program of its own. */
function run(env: Record<string, string>, imports: readonly string[] = []): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...imports, 'tests/invariants/cheats/child.ts'], {
      env: { ...process.env, NODE_ENV: 'test', TZ: 'UTC', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    child.on('exit', (code) => {
      const last = text.trim().split('\n').at(-1) ?? '';
      if (code === 0) resolve(JSON.parse(last) as Outcome);
      else reject(new Error(`the search ended with ${code}`));
    });
  });
}

const { cluster, stop } = await startCluster();
try {
  const env = {
    TEST_CLUSTER: JSON.stringify(cluster),
    CHEAT_ACTS: values.acts,
    CHEAT_SEED: values.seed,
    CHEAT_SEATS: values.seats,
    CHEAT_TELL: '1',
    CHEAT_ALL: values.all ? '1' : '0',
  };
  const out = await run(env);
  console.log(
    `${out.acts} acts in ${out.worlds} worlds, ${Math.round(out.acts / out.seconds)} a second, ${out.found} cheats`,
  );
  for (const story of out.stories) console.log(`\n${story}`);
  if (out.found > 0) process.exitCode = 1;
} finally {
  await stop();
}
