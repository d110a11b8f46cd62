import { randomUUID } from 'node:crypto';
import type { FaceCheck, RealName } from '#server/ports/real-name.ts';

// oxlint-disable-next-line forms/no-chinese-match -- names of the local register of people
const isWrong = (name: string): boolean => name.startsWith('错');

/** Takes no picture and has no page: the name decides the outcome, which is known when the user returns. */
const face: FaceCheck = {
  begin: ({ name }, { backUrl }) =>
    Promise.resolve({ ref: `${isWrong(name) ? 'F' : 'T'}${randomUUID()}`, url: backUrl }),
  outcome: (ref) => Promise.resolve(ref.startsWith('T') ? 'passed' : 'failed'),
};

/**
 * Decides by rule, for the demo market and tests: a name that begins with 错 does not match, one that begins with 查 is not on record,
 * every other well-formed pair matches.
 */
export function localRealName(): RealName {
  return {
    name: 'local',
    face,
    verify: ({ name }) =>
      Promise.resolve({
        // oxlint-disable-next-line forms/no-chinese-match -- names of the local register of people
        outcome: isWrong(name) ? 'mismatch' : name.startsWith('查') ? 'unknown' : 'match',
        providerRef: randomUUID(),
      }),
  };
}
