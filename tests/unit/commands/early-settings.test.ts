/** The checks of a start before installation agree with the server's. */
import { expect, test } from 'vitest';
import { BEGINNINGS, CHOICES, earlyProblems, NEEDS, NUMBERS } from '../../../scripts/lib/early-settings.mjs';
import { loadConfig } from '#server/config/config.ts';

/** The server's problems with one setting, given with the prefix so that every value is checked. */
function serverProblems(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const isNamed = (name: string, env: NodeJS.ProcessEnv): [early: boolean, server: boolean] => [
  earlyProblems(env).some((problem) => problem.startsWith(name)),
  new RegExp(`设置有误：${name}[ =](?!.*还需要)`).test(serverProblems(env)),
];

test.each(Object.entries(CHOICES))('%s: each permitted value, and another one', (name, choices) => {
  // Problems that depend on another setting are compared by their message, which is not about the value.
  for (const value of choices)
    expect(
      earlyProblems({ [`YOUSHI_${name}`]: value }).filter((text) => /应为/.test(text)),
      value,
    ).toEqual([]);
  for (const value of choices)
    expect(serverProblems({ [`YOUSHI_${name}`]: value }), value).not.toMatch(`${name}=${value} 应为`);
  expect(isNamed(name, { [`YOUSHI_${name}`]: 'other' })).toEqual([true, true]);
});

test.each(Object.entries(NUMBERS))('%s: its bounds', (name, [least, most]) => {
  for (const value of [least, most])
    expect(isNamed(name, { [`YOUSHI_${name}`]: String(value) }), String(value)).toEqual([false, false]);
  for (const value of [least - 1, most + 1, 'x'])
    expect(isNamed(name, { [`YOUSHI_${name}`]: String(value) }), String(value)).toEqual([true, true]);
});

test.each(Object.entries(BEGINNINGS))('%s: its beginning', (name) => {
  expect(isNamed(name, { [name]: 'mysql://x' })).toEqual([true, true]);
});

test.each(NEEDS)('$name=$choice needs the same', ({ name, choice, needed }) => {
  const env = { [name]: choice, DEMO: '1' };
  expect(earlyProblems(env)).toEqual([`${name}=${choice} 还需要 ${needed.join('、')}`]);
  const sentence = serverProblems(env);
  for (const one of needed) expect(sentence).toContain(one);
});

test('a demo in a log-in environment has no problem; a market outside the demo lacks everything at once', () => {
  expect(earlyProblems({ MAIL: '/var/mail/x', HOST: 'box', ROLE: 'admin', SMS: 'twilio', SECRET: 'abc' })).toEqual([]);
  const missing = earlyProblems({ DEMO: '0', MAIL: '/var/mail/x', PAY_PROVIDERS: 'alipay', DATABASE_POOL: 'many' });
  expect(missing).toHaveLength(1 + 1 + 10);
  expect(missing[0]).toBe('DATABASE_POOL=many 应为 2 到 200 的整数');
  expect(missing).toContain('没有设 MAIL：smtp 或 off');
  expect(missing.join()).toContain('PAY_PROVIDERS=alipay 还需要 PAY_ORIGIN');
});
