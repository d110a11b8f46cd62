/** Runs one search as a separate program (child.ts), so that a rule can be switched off before anything is loaded. */
import { spawn } from 'node:child_process';
import type { TestCluster } from '#tests/support/database/cluster.ts';
import type { Mutant } from './switched-off/mutant.ts';

export interface Outcome {
  actions: number;
  worlds: number;
  seconds: number;
  /** In how many worlds a promise was broken. */
  found: number;
  /** The seed of the first of them. */
  seed: number | null;
  /** In how many worlds each known finding was met. */
  known: Record<string, number>;
  /** The first promise that was. */
  promise: number | null;
  /** Findings and how often each occurred. */
  texts: Record<string, number>;
  stories: string[];
  /** How often each act was carried out, of how many tries. */
  acts: Record<string, readonly [done: number, tried: number]>;
}

/** A search in a separate process; with a mutant one rule is off in it. Rejects when the search itself fails. */
export function runSearch(
  cluster: TestCluster,
  options: {
    actions: number;
    seed: number;
    seats: number;
    mutant?: Mutant;
    /** Worlds of this theme, every second one. */
    theme?: string | undefined;
    /** Only this finding counts, known or not. */
    finding?: string | undefined;
    all?: boolean;
    print?: boolean;
  },
): Promise<Outcome> {
  const { actions, seed, seats, mutant, theme, finding } = options;
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    TZ: 'UTC',
    TEST_CLUSTER: JSON.stringify(cluster),
    CHEAT_ACTS: String(actions),
    CHEAT_SEED: String(seed),
    CHEAT_SEATS: String(seats),
    CHEAT_ALL: options.all === true ? '1' : '0',
    CHEAT_TELL: options.print === true ? '1' : '0',
    ...(theme !== undefined && { CHEAT_THEME: theme }),
    ...(finding !== undefined && { CHEAT_FINDING: finding }),
    ...(mutant && {
      CHEAT_MUTANT: mutant.name,
      CHEAT_THEME: mutant.theme,
      ...(mutant.finding !== undefined && { CHEAT_FINDING: mutant.finding }),
      CHEAT_EXCEPT: mutant.except ?? '',
      CHEAT_TOWARD: JSON.stringify(mutant.toward ?? {}),
    }),
  };
  const imports = mutant ? ['--import', './tests/invariants/cheats/switched-off/mutate.ts'] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...imports, 'tests/invariants/cheats/child.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const last = text.trim().split('\n').at(-1) ?? '';
      if (code === 0) resolve(JSON.parse(last) as Outcome);
      else reject(new Error(`the search ended with ${code}`));
    });
  });
}
