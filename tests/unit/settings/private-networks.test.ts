/** ASVS 12.3: connections to other machines use TLS, unless a setting names a private network. */
import { expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { isPlainAcross } from '#server/config/config-private.ts';
import { settingChecks } from '#server/config/start-checks.ts';

test.each([
  ['postgres://a:b@db.example/youshi', [], true],
  ['postgres://a:b@db.example/youshi?sslmode=prefer', [], true],
  ['postgres://a:b@db.example/youshi?sslmode=no-verify', [], true],
  ['postgres://a:b@db.example/youshi?sslmode=verify-full', [], false],
  ['postgres://a:b@localhost/youshi', [], false],
  ['postgres://a:b@127.0.0.1:5433/youshi', [], false],
  ['postgres://a:b@[::1]:5433/youshi', [], false],
  ['postgres://a:b@127.0.0.1.evil.example/youshi', [], true],
  ['postgres:///youshi?host=/var/run/postgresql', [], false],
  ['postgres:///youshi?host=db.example', [], true],
  ['postgres://a:b@database:5432/youshi', ['database'], false],
  ['postgres://a:b@database.example/youshi', ['database'], true],
  ['postgres://a:b@db.internal/youshi', ['*.internal'], false],
  ['postgres://a:b@10.1.2.3/youshi', ['10.0.0.0/8'], false],
  ['postgres://a:b@11.1.2.3/youshi', ['10.0.0.0/8'], true],
  ['postgres://a:b@[fd00::5]/youshi', ['fd00::/8'], false],
  ['redis://:secret@cache.example:6379', [], true],
  ['rediss://:secret@cache.example:6379', [], false],
  ['redis://:secret@10.0.0.9:6379', ['10.0.0.9'], false],
  ['groonga+http://search.example:10041', [], true],
  ['opensearch+https://u:p@search.example/goods', [], false],
])('%s with %j is plain text across machines: %s', (address, networks, isPlain) => {
  expect(isPlainAcross(address, networks)).toBe(isPlain);
});

test('a real market does not start with such a connection, and the sentence repeats no password', () => {
  const env = {
    DATABASE_URL: 'postgres://run:hunter22@db.example/youshi',
    BUS_URL: 'redis://:hunter22@cache.example',
    SECRET: 'a secret of tests, long enough to be taken',
    DEMO: '0',
    NODE_ENV: 'development',
  };
  const problemsOf = (more: Record<string, string>): string[] =>
    settingChecks(loadConfig({ ...env, ...more }))
      .flatMap(({ problem }) => problem ?? [])
      .filter((problem) => problem.includes('没有加密'));
  expect(problemsOf({}).map((problem) => problem.split(' ')[0])).toEqual(['DATABASE_URL', 'BUS_URL']);
  expect(problemsOf({}).join()).not.toContain('hunter22');
  expect(problemsOf({ PRIVATE_NETWORKS: 'db.example, cache.example' })).toEqual([]);
  expect(() => loadConfig({ ...env, PRIVATE_NETWORKS: '10.0.0.0/40' })).toThrow('PRIVATE_NETWORKS');
});
