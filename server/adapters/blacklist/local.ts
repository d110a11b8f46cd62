import type { Blacklist } from '#server/ports/blacklist.ts';

/** Listed account numbers of the demo market, which belong to no user. */
const LISTED: readonly string[] = ['100000001', 'heihao-demo', '13000000001'];
/** The simulated service does not respond for this number, so that the result 'unknown' can be demonstrated. */
const SILENT = '100000000';

/** The external blacklist of the demo market. */
export function localBlacklist(): Blacklist {
  return {
    name: '联合黑名单（演示）',
    check: (content) =>
      content === SILENT
        ? Promise.reject(new Error('the simulated service does not respond'))
        : Promise.resolve(LISTED.includes(content) ? 1 : 0),
  };
}
