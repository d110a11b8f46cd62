/** Many concurrent messages are stored by few commits: each gets its own result, in its own order, and none waits for ever. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewMessage } from '#subjects/chat/server/queries.ts';
import { queryIn, storeMessages } from '#subjects/chat/server/queries.ts';
import { storeBatched } from '#subjects/chat/server/messages/batcher.ts';
import { testApp, type TestApp } from '#tests/support/servers/build.ts';

const GROUPS = 6;
const MEMBERS = 4;
let t: TestApp;
let groups: { id: number; members: string[] }[];
let ids = 0;

const text = (groupId: number, sender: string, content = '您好'): NewMessage => ({
  groupId,
  sender,
  clientMsgId: `p-${++ids}`,
  uid: `pump-${ids}`,
  type: 'text',
  content: { content },
});

beforeAll(async () => {
  t = await testApp();
  groups = [];
  for (let g = 0; g < GROUPS; g++) {
    const { rows } = await sql<{
      id: number;
    }>`insert into chat_group (group_type, dist_id) values (2, 1) returning id`.execute(t.ctx.db);
    const id = rows[0]?.id ?? 0;
    // The same people sit in several groups, so that two commits could want the same rows from both ends.
    const members = Array.from({ length: MEMBERS }, (_, i) => String(800_000 + ((g + i) % GROUPS)));
    for (const member of members)
      await sql`insert into chat_member (group_id, member, role) values (${id}, ${member}, 'owner')`.execute(t.ctx.db);
    groups.push({ id, members });
  }
});

afterAll(async () => await t.close());

const stored = async (id: number): Promise<{ seq: number; client: string }[]> =>
  (
    await sql<{ seq: number; client: string }>`
      select seq, client_msg_id as client from chat_message where group_id = ${id} order by seq`.execute(t.ctx.db)
  ).rows;

test('concurrent messages are numbered without a gap, in the order of arrival', async () => {
  const messages = Array.from({ length: 3 }, () =>
    groups.flatMap(({ id, members }) => members.map((m) => text(id, m))),
  ).flat();
  const outcomes = await Promise.all(messages.map((message) => storeBatched(t.ctx, message)));
  expect(outcomes.every(({ outcome }) => outcome === 'stored')).toBe(true);
  for (const { id } of groups) {
    const rows = await stored(id);
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1));
    expect(rows.map((row) => row.client)).toEqual(
      messages.filter(({ groupId }) => groupId === id).map(({ clientMsgId }) => clientMsgId),
    );
  }
});

test('a repeated message, an outsider’s, one of a closed group and one over the limit do not affect the others', async () => {
  const [a, b, c] = groups.map(({ id, members }) => ({ id, members }));
  if (!a || !b || !c) throw new Error('groups');
  await sql`delete from limit_counter`.execute(t.ctx.db);
  await sql`update chat_group set status = 2 where id = ${c.id}`.execute(t.ctx.db);
  await sql`insert into limit_counter (key, hits, reset_at) values (${`chat:${a.members[2] ?? ''}`}, 20, now() + interval '1 minute')`.execute(
    t.ctx.db,
  );
  const before = (await stored(a.id)).length;
  const first = text(a.id, a.members[0] ?? '');
  await storeBatched(t.ctx, first);
  const list = [
    { ...first, uid: 'pump-again' },
    text(a.id, '999999'),
    text(a.id, a.members[1] ?? ''),
    text(a.id, a.members[2] ?? ''),
    text(c.id, c.members[3] ?? ''),
    text(0, b.members[3] ?? ''),
  ];
  const outcomes = await storeMessages(queryIn(t.ctx.db), list);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['repeated', 'YS301', 'stored', 'limited', 'YS302', 'YS301']);
  expect(outcomes[0]).toMatchObject({ seq: before + 1, uid: first.uid });
  expect(outcomes[2]).toMatchObject({ seq: before + 2 });
  expect((await stored(a.id)).map((row) => row.seq).at(-1)).toBe(before + 2);
  const { rows } = await sql<{ last: number }>`select last_seq as last from chat_group where id = ${a.id}`.execute(
    t.ctx.db,
  );
  expect(rows[0]?.last).toBe(before + 2);
  await sql`update chat_group set status = 1 where id = ${c.id}`.execute(t.ctx.db);
});

test('a message that the database rejects fails alone', async () => {
  await sql`delete from limit_counter`.execute(t.ctx.db);
  const [a, b] = groups;
  if (!a || !b) throw new Error('groups');
  const claimed = text(a.id, a.members[0] ?? '');
  // Stored before the others begin: of two concurrent ones either may be the first.
  await storeBatched(t.ctx, claimed);
  const results = await Promise.allSettled([
    storeBatched(t.ctx, text(a.id, a.members[1] ?? '')),
    storeBatched(t.ctx, { ...text(b.id, b.members[2] ?? ''), uid: claimed.uid }),
    storeBatched(t.ctx, text(b.id, b.members[3] ?? '')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('batches of two processes that share groups and people never deadlock', async () => {
  for (let turn = 0; turn < 15; turn++) {
    await sql`delete from limit_counter`.execute(t.ctx.db);
    const batch = (from: readonly { id: number; members: string[] }[]) =>
      from.map(({ id, members }, i) => text(id, members[(turn + i) % MEMBERS] ?? ''));
    const both = await Promise.all([
      storeMessages(queryIn(t.ctx.db), batch(groups)),
      storeMessages(queryIn(t.ctx.db), batch(groups.toReversed())),
    ]);
    expect(both.flat().every(({ outcome }) => outcome === 'stored')).toBe(true);
  }
  for (const { id } of groups) {
    const rows = await stored(id);
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1));
  }
});

test('the same message from two concurrent processes is stored once with one number', async () => {
  const [a] = groups;
  if (!a) throw new Error('groups');
  for (let turn = 0; turn < 10; turn++) {
    await sql`delete from limit_counter`.execute(t.ctx.db);
    const one = text(a.id, a.members[turn % MEMBERS] ?? '');
    const both = await Promise.all([
      storeMessages(queryIn(t.ctx.db), [one]),
      storeMessages(queryIn(t.ctx.db), [{ ...one, uid: `${one.uid}-again` }]),
    ]);
    expect(
      both
        .flat()
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['repeated', 'stored']);
  }
  const rows = await stored(a.id);
  expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1));
});

test('a lost connection of the batcher is opened again', async () => {
  await sql`delete from limit_counter`.execute(t.ctx.db);
  const [a] = groups;
  if (!a) throw new Error('groups');
  const line = t.ctx.openDedicatedConnection();
  const ask = <T extends object>(words: string, values: readonly unknown[]): Promise<T[]> =>
    line.query<T>(words, values);
  await storeMessages(ask, [text(a.id, a.members[0] ?? '')]);
  await ask('set role none', []);
  await expect(ask('select pg_terminate_backend(pg_backend_pid())', [])).rejects.toThrow();
  const [result] = await storeMessages(ask, [text(a.id, a.members[1] ?? '')]);
  expect(result?.outcome).toBe('stored');
});
