/** Records the code that a test file touches: endpoints that it calls, functions that it enters. Recorded only under `TEST_MAP` (`npm run test:map`). */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';

/** The folder for the record of each file; unset in ordinary runs. */
export const MAP_FOLDER = process.env.TEST_MAP;

const calls = new Set<string>();
let session: Session | undefined;

/** Notes the call of an endpoint. */
export function noteCall(url: unknown): void {
  if (MAP_FOLDER === undefined || typeof url !== 'string') return;
  const path = url.split('?')[0] ?? '';
  if (path.startsWith('/api/')) calls.add(path);
}

type Coverage = {
  result: { url: string; functions: { functionName: string; ranges: { count: number; startOffset: number }[] }[] }[];
};

/** The functions that ran since the last call, as `file:name:offset`; the counters of V8 begin anew. */
async function takeEntered(): Promise<string[]> {
  const coverage = (await session?.post('Profiler.takePreciseCoverage')) as Coverage;
  return coverage.result.flatMap(({ url, functions }) => {
    const file = relative(process.cwd(), url.replace(/^file:\/\//, '').replace(/\?.*$/, ''));
    if (!/^(server|contract|subjects|web|db)\//.test(file)) return [];
    return functions.flatMap(({ functionName, ranges: [whole] }) =>
      whole !== undefined && whole.count > 0 && whole.startOffset > 0
        ? [`${file}:${functionName}:${whole.startOffset}`]
        : [],
    );
  });
}

/** Begins the record of a file: what ran before, such as loading modules, is left out. */
export async function beginFile(): Promise<void> {
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  await takeEntered();
  calls.clear();
}

/** Ends it; returns the paths called and the functions entered. */
export async function endFile(): Promise<{ calls: string[]; entered: string[] }> {
  return { calls: [...calls], entered: await takeEntered() };
}
