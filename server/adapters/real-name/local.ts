import { randomUUID } from 'node:crypto';
import type { RealName } from '#server/ports/real-name.ts';

/**
 * Decides by rule, for the demo market and tests: a name that begins with 错 does not match, one that begins with 查 is not on record,
 * every other well-formed pair matches.
 */
export function localRealName(): RealName {
  return {
    name: 'local',
    verify: ({ name }) =>
      Promise.resolve({
        // oxlint-disable-next-line forms/no-chinese-match -- names of the local register of people
        outcome: name.startsWith('错') ? 'mismatch' : name.startsWith('查') ? 'unknown' : 'match',
        providerRef: randomUUID(),
      }),
  };
}
