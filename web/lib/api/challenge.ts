import { solveChallenge as solve } from 'altcha-lib/v1';
import { codes } from '#contract/codes.ts';
import { challenge } from '#subjects/accounts/contract/challenge.ts';
import type { Data } from '#contract/endpoint.ts';
import { ApiFailure } from './api-failure.ts';

type Challenge = Data<typeof challenge>;

/**
 * Requests a challenge with `get` and solves it; resolves to the header with the solution. Loaded only when the server
 * asks for one.
 */
export async function solveChallenge(
  get: (endpoint: typeof challenge) => Promise<Challenge>,
): Promise<Record<string, string>> {
  const puzzle = await get(challenge);
  const solution = await solve(puzzle.challenge, puzzle.salt, puzzle.algorithm, puzzle.maxnumber).promise;
  if (!solution) throw new ApiFailure(codes.CHALLENGE_REQUIRED[0], '安全验证没有通过，请刷新页面后重试', 429);
  const { algorithm, challenge: text, salt, signature } = puzzle;
  return { 'x-altcha': btoa(JSON.stringify({ algorithm, challenge: text, salt, signature, number: solution.number })) };
}
