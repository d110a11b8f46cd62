/** `npm run test:map`: runs the HTTP tests, all or the named files, and records in tests/touched.json what each touches. Runs on Node 20. */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { main } from '../lib/output.mjs';
import { ensurePackages, findNode, root } from '../lib/prerequisites.mjs';
import { openSession } from '../lib/session.mjs';
import { recordMap } from './touched-map.mjs';
import { runVitest } from './vitest-stage.mjs';

/** Recording costs some time: longer than the stage of `npm test`. */
const LIMIT_MS = 3_600_000;

await main(async () => {
  process.chdir(root);
  const session = await openSession({ command: 'npm run test:map' });
  try {
    await ensurePackages({ tests: true });
    const node = findNode();
    const folder = join(session.folder, 'map');
    mkdirSync(folder);
    const env = { PATH: `${join(node, '..')}:${process.env.PATH}`, TEST_MAP: folder, TMPDIR: session.folder };
    const context = { node, env, folder: session.folder, isQuiet: false };
    const { files, failed } = await runVitest(context, ['http', 'http-mocks'], {
      limitMs: LIMIT_MS,
      files: process.argv.slice(2),
    });
    const durations = new Map((files ?? []).map(({ name, ms }) => [relative(root, name), ms]));
    console.log(`  ${recordMap(folder, durations)} test files are recorded in tests/touched.json`);
    return failed === 0 ? 0 : 1;
  } finally {
    await session.close();
  }
});
