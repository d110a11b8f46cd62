/** The workbench lists what is due soonest first, over all pages and not only on the loaded one. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { staffImGroups } from '#contract/im-staff.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/build.ts';

let t: TestApp;
let an: TestStaff;
let bo: TestStaff;
let admin: TestStaff;

beforeAll(async () => {
  t = await testApp({});
  an = await t.newStaff({ role: 'service' });
  bo = await t.newStaff({ role: 'service' });
  admin = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

/**
 * Conversations of `an` whose last messages are ever later: an open one with a message of the user at each whole minute, one without a clock
 * at each half, and an ended one for every fifth.
 */
async function conversations(minutes: number): Promise<void> {
  await sql`
    with made as (insert into chat_group (group_type, dist_id, last_seq, status)
      select 2, 1, 1, case when n % 5 = 0 and half = 0 then 2 else 1 end from generate_series(1, ${minutes}::int) n, generate_series(0, 1) half
      order by n, half returning id, status),
    numbered as (select id, status, row_number() over (order by id) as n from made),
    seats as (insert into chat_member (group_id, member, role, is_current) select id, ${an.imUid}, 'staff', status = 1 from numbered)
    insert into chat_message (group_id, seq, uid, sender, client_msg_id, type, content, created_at)
    select id, 1, 'u' || id, case when n % 2 = 1 then '7' else ${an.imUid} end, 'c' || id, 'text', '{"content":"在吗"}',
      timestamptz '2026-01-01' + n * interval '30 seconds' from numbered`.execute(t.ctx.db);
}

/** Every page of a scope, and how many there were. */
async function walk(who: TestStaff, scope: 'mine' | 'all') {
  const groups = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await who.client.ok(staffImGroups, { scope, ...(cursor !== undefined && { cursor }) });
    groups.push(...page.list);
    cursor = page.next ?? undefined;
    pages++;
  } while (cursor !== undefined && pages < 20);
  return { groups, pages };
}

test('the nearest deadline comes first however old the conversation is, and each group is on one page', async () => {
  await conversations(130);
  const { groups, pages } = await walk(an, 'mine');
  expect(pages).toBe(3);
  expect(new Set(groups.map(({ groupId }) => groupId)).size).toBe(260);
  const clocked = groups.slice(0, 104);
  const quiet = groups.slice(104, 234);
  const ended = groups.slice(234);
  expect(clocked.every(({ replyTime, closed }) => replyTime !== null && !closed)).toBe(true);
  const deadlines = clocked.map(({ replyTime }) => Date.parse(replyTime ?? ''));
  expect(deadlines).toEqual(deadlines.toSorted((a, b) => a - b));
  expect(quiet.every(({ replyTime, closed }) => replyTime === null && !closed)).toBe(true);
  const spoken = quiet.map(({ lastTime }) => Date.parse(lastTime ?? ''));
  expect(spoken).toEqual(spoken.toSorted((a, b) => b - a));
  expect(ended.every(({ closed }) => closed)).toBe(true);
  const ids = ended.map(({ groupId }) => Number(groupId));
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect((await walk(admin, 'all')).groups.map(({ groupId }) => groupId)).toEqual(groups.map(({ groupId }) => groupId));
  expect((await walk(bo, 'mine')).groups).toEqual([]);
});

test('the queue is listed in the order in which it is served', async () => {
  await sql`insert into service_queue (group_id, dist_id, duty, since)
    select id, dist_id, 'any', now() + id * interval '1 minute' from chat_group where status = 1 order by id limit 3`.execute(
    t.ctx.db,
  );
  const { list } = await bo.client.ok(staffImGroups, { scope: 'waiting' });
  const ids = list.map(({ groupId }) => Number(groupId));
  expect(ids).toHaveLength(3);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test('an invalid cursor is refused', async () => {
  const { code } = await an.client.call(staffImGroups, { cursor: 'bm9uZQ' });
  expect(code).toBe(codes.BAD_INPUT[0]);
});
