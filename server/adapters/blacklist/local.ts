import type { Blacklist } from '#server/ports/blacklist.ts';

/** Numbers of the demo market: belonging to nobody, listed by the played service. */
const LISTED: readonly string[] = ['100000001', 'heihao-demo', '13000000001'];
/** Asked for this one, the played service does not answer, so that 'unknown' can be seen. */
const SILENT = '100000000';

/** The external blacklist of the demo market. */
export function localBlacklist(): Blacklist {
  return {
    name: '联合黑名单（演示）',
    check: (content) =>
      content === SILENT
        ? Promise.reject(new Error('the played service does not answer'))
        : Promise.resolve(LISTED.includes(content) ? 1 : 0),
  };
}
