/** The workbench lists what is due soonest first, over all pages and not only on the loaded one, and reads no more than the page. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { sendMessage } from '#subjects/chat/contract/im.ts';
import { staffImGroups, staffImSend } from '#subjects/chat/contract/im-staff.ts';
import { offlineTranSub } from '#subjects/orders/contract/order.ts';
import { serviceLevels } from '#subjects/chat/rules/service-levels.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addGame } from '#tests/support/goods/goods.ts';
import { readingsOf } from '#tests/support/database/slopes.ts';
import { trade } from '#tests/support/market/chat.ts';

let t: TestApp;
let an: TestStaff;
let bo: TestStaff;
let admin: TestStaff;

beforeAll(async () => {
  t = await testApp({});
  await addGame(t.ctx);
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
    with made as (insert into chat_group (group_type, dist_id, last_seq, status, last_at, reply_by)
      select 2, 1, 1, case when n % 5 = 0 and half = 0 then 2 else 1 end, said, chat_reply_by(case half when 0 then '7' else ${an.imUid} end, 'text', said)
      from generate_series(1, ${minutes}::int) n, generate_series(0, 1) half,
        lateral (select timestamptz '2026-01-01' + (n * 2 + half - 1) * interval '30 seconds' as said) s
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

/** The conversation as a supervisor's list has it. */
const inAll = async (groupId: string) => (await walk(admin, 'all')).groups.find((group) => group.groupId === groupId);

test('the clocks of a conversation are those of its last message and of its order', async () => {
  await sql`update staff set on_duty = im_uid = ${bo.imUid}`.execute(t.ctx.db);
  const { buyer, seller, orderId, groupId } = await trade(t);
  const shipBy = (await inAll(groupId))?.stepTime;
  expect(shipBy).toBeTruthy();
  expect((await inAll(groupId))?.replyTime).toBeNull();

  const words = { groupId, clientMsgId: 'one', content: '在吗' };
  await buyer.client.ok(sendMessage, words);
  const asked = await inAll(groupId);
  const waited = Date.parse(asked?.replyTime ?? '') - Date.parse(asked?.lastTime ?? '');
  expect(waited).toBe(serviceLevels.chat.seconds * 1000);
  // Of lines that follow each other the first has the clock.
  await buyer.client.ok(sendMessage, { groupId, clientMsgId: 'further', content: '急' });
  expect((await inAll(groupId))?.replyTime).toBe(asked?.replyTime);
  // Of the same message, sent again after the answer, nothing is due.
  await bo.client.ok(staffImSend, { groupId, clientMsgId: 'two', content: '您好' });
  await buyer.client.ok(sendMessage, words);
  expect((await inAll(groupId))?.replyTime).toBeNull();

  await seller.client.ok(offlineTranSub, { orderId });
  const { rows } = await sql<{ same: boolean; step: Date; status: number }>`
    select g.step_by is not distinct from o.auto_confirm_at and o.auto_confirm_at is not null as same, g.step_by as step, o.status
    from chat_group g join orders o on o.id = g.order_id where g.id = ${groupId}::bigint`.execute(t.ctx.db);
  expect(rows[0]).toMatchObject({ same: true, status: 2 });
  expect((await inAll(groupId))?.stepTime).not.toBe(shipBy);
});

/** Database pages that a page of all conversations touches among any number of them; a scan of 100,000 touches several times as many. */
const MAX_PAGES = 1_500;

test('a page of all conversations is no more to read among 100,000', async () => {
  const { next } = await admin.client.ok(staffImGroups, { scope: 'all' });
  const pagesRead = async (cursor: string | null): Promise<number> => {
    // As after any hour of a market: without statistics of all tables the plan differs from run to run.
    await sql`analyze`.execute(t.ctx.db);
    const readings = await readingsOf(
      async () => await admin.client.ok(staffImGroups, { scope: 'all', ...(cursor !== null && { cursor }) }),
    );
    return Math.max(...readings.filter(({ text }) => text.includes('chat_urgency')).map(({ pages }) => pages));
  };
  /** The statistics are of a sample: one unlucky plan is no growth. */
  const least = async (cursor: string | null): Promise<number> =>
    Math.min(await pagesRead(cursor), await pagesRead(cursor));
  const few = await least(null);
  expect(few).toBeGreaterThan(0);
  expect(few).toBeLessThan(MAX_PAGES);
  await sql`insert into chat_group (group_type, dist_id, status, last_at, reply_by)
    select 2, 1, case when n % 4 = 0 then 2 else 1 end, timestamptz '2026-02-01' + n * interval '1 second',
      case when n % 2 = 1 then timestamptz '2026-02-01' + n * interval '1 second' end from generate_series(1, 133000) n`.execute(
    t.ctx.db,
  );
  for (const cursor of [null, next]) expect(await least(cursor)).toBeLessThan(MAX_PAGES);
});
