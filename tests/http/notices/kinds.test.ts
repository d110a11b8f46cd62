/** Completeness: each event has a listener or a reason to have none, each job a handler, each kind of notice a text and a sender. */
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JOBS } from '#server/jobs/kinds.ts';
import { type Topic, TOPICS } from '#server/jobs/topics.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

const sources = globSync('{server,subjects}/**/*.ts', { exclude: (name) => String(name).endsWith('.test.ts') }).concat(
  globSync('{db/functions,subjects/*/db}/*.sql'),
);
const textOf = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const functions = sources.flatMap((file) => (file.endsWith('.sql') ? (textOf.get(file) ?? []) : [])).join('\n');
let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());

describe('events', () => {
  test('each have a listener or a reason to have none', () => {
    const { listeners, registry } = t.app.effects;
    const topics = Object.entries(registry.topics);
    const deaf = topics.filter(([topic, { quiet }]) => !listeners.has(topic) && quiet === undefined);
    expect(deaf.map(([topic]) => topic)).toEqual([]);
    // A reason that is no longer needed must be removed.
    const heard = topics.filter(([topic, { quiet }]) => listeners.has(topic) && quiet !== undefined);
    expect(heard.map(([topic]) => topic)).toEqual([]);
  });

  test('written by database functions are registered with their payload fields', () => {
    const written = [
      ...functions.matchAll(
        /(?:insert into outbox \(topic, payload\) values |perform effect_emit)\((?!p_topic)(.*)\);/g,
      ),
    ].map(([, values]) => values ?? '');
    expect(written.length).toBeGreaterThan(5);
    for (const values of written) {
      // A step's events are named in the transition table, which the compiler checks against the registry.
      const topic = /^'([A-Za-z.]+)'/.exec(values)?.[1] ?? (values.startsWith('v_events') ? 'order.paid' : 'none');
      expect(Object.keys(TOPICS), values).toContain(topic);
      const fields = [...values.matchAll(/'([A-Za-z]+)', /g)].map(([, name]) => name).filter((name) => name !== topic);
      const shape = TOPICS[topic as Topic].payload.shape;
      const needed = Object.entries(shape).flatMap(([name, field]) =>
        field.safeParse(undefined).success ? [] : [name],
      );
      for (const name of needed) expect(fields, `${topic}: ${name}`).toContain(name);
      for (const name of fields) expect(Object.keys(shape), topic).toContain(name);
    }
  });
});

describe('jobs', () => {
  test('have a handler for each kind', () => {
    expect(Object.keys(JOBS).filter((kind) => !t.app.effects.runs.has(kind))).toEqual([]);
  });
});

describe('kinds of notice', () => {
  test('each have a text and code that sends them', async () => {
    const { rows } = await sql<{ code: string; texts: number }>`
      select k.code, (select count(*)::int from notice_template t where t.kind = k.code and t.channel = 'site') as texts from notice_kind k`.execute(
      t.ctx.db,
    );
    expect(rows.filter((k) => k.texts === 0)).toEqual([]);
    const code = sources
      .filter((f) => f.endsWith('.ts'))
      .map((f) => textOf.get(f) ?? '')
      .join('\n');
    expect(rows.map((k) => k.code).filter((kind) => !code.includes(`'${kind}'`))).toEqual([]);
  });

  test('used by the code are all registered', async () => {
    const { rows } = await sql<{ code: string }>`select code from notice_kind`.execute(t.ctx.db);
    const known = new Set(rows.map((k) => k.code));
    const covered = [...textOf]
      .filter(([file]) => file.startsWith('subjects/'))
      .flatMap(([, text]) => [...text.matchAll(/\bkind['"]?[:,] '([a-z]+\.[a-z_]+)'/g)].map(([, kind]) => kind ?? ''));
    expect(covered.length).toBeGreaterThan(10);
    expect([...new Set(covered)].filter((kind) => !known.has(kind))).toEqual([]);
  });
});
