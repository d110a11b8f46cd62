/** Interpretation of npm's responses about signatures and advisories: a registry that does not answer is no pass and no failure. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

type Outcome = { skip?: string; failure?: string };
const { advisoryOutcome, signatureOutcome } = (await import(
  pathToFileURL(join(process.cwd(), 'scripts/test/supply.mjs')).href
)) as {
  advisoryOutcome: (text: string) => Outcome;
  signatureOutcome: (code: number, text: string) => Outcome;
};

test('signatures: all are right, one is wrong, one is missing, nobody answers', () => {
  const answer = (invalid: string[], missing: string[]): string =>
    JSON.stringify({
      invalid: invalid.map((name) => ({ name, version: '1.0.0' })),
      missing: missing.map((name) => ({ name, version: '2.0.0' })),
    });
  expect(signatureOutcome(0, answer([], []))).toEqual({});
  expect(signatureOutcome(1, answer(['fastify'], ['pg'])).failure).toContain('fastify@1.0.0, pg@2.0.0');
  for (const text of ['', '{"error":{"code":"ENOTFOUND"}}'])
    expect(signatureOutcome(1, text).skip).toContain('does not answer');
});

test('advisories: none, a low one, a high one, nobody answers', () => {
  const answer = (...severities: string[]): string =>
    JSON.stringify({
      vulnerabilities: Object.fromEntries(severities.map((severity, i) => [`p${i}`, { name: `p${i}`, severity }])),
    });
  expect(advisoryOutcome(answer())).toEqual({});
  expect(advisoryOutcome(answer('low', 'moderate'))).toEqual({});
  expect(advisoryOutcome(answer('low', 'high')).failure).toBe('advisories: p1 (high)');
  expect(advisoryOutcome('npm warn audit 405\n{"message":"405 Method Not Allowed"}').skip).toContain('does not answer');
});
