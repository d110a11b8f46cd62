/** Vitest's setup of each HTTP test file while `npm run test:map` records what the files touch. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { beginFile, endFile, MAP_FOLDER } from './touched.ts';

beforeAll(beginFile);

// Registered before the file's own hooks, so it runs after them.
afterAll(async () => {
  if (MAP_FOLDER === undefined) return;
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const name = `${file.replaceAll('/', '+')}.json`;
  writeFileSync(join(MAP_FOLDER, name), JSON.stringify({ file, ...(await endFile()) }));
});
