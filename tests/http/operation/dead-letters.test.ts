/** Dead letters as staff see and decide them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deadLetterList, decideDeadLetter } from '#subjects/back-office/contract/dead-letters.ts';
import { codes } from '#contract/codes.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';

let t: TestApp;
let admin: TestStaff;
beforeAll(async () => {
  t = await testApp();
  admin = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

const codeOf = async (input: { id: number; act: 'again' | 'discard'; reason: string }): Promise<number> =>
  (await admin.client.call(decideDeadLetter, input)).code;

async function letter(what: 'job' | 'event', name: string, ref: string, payload: object = {}): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into dead_letter (what, name, ref, payload, error, attempts, first_failed_at)
    values (${what}, ${name}, ${ref}, ${JSON.stringify(payload)}::jsonb, 'Error: broken', 8, now() - interval '1 hour') returning id`.execute(
    t.ctx.db,
  );
  return rows[0]?.id ?? 0;
}

test('shows what failed, without user content', async () => {
  const id = await letter('event', 'chat.card', '5', {
    orderId: 7,
    key: 'k',
    title: '张三 13800138000',
    content: '密码 abc',
  });
  const { list, total } = await admin.client.ok(deadLetterList, {});
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({
    id,
    whatName: '事件',
    name: 'chat.card',
    title: '交易群卡片',
    about: 'key k，订单 7',
    reason: '程序出错，请把技术信息发给技术人员',
    error: 'Error: broken',
    attempts: 8,
    outcome: null,
  });
  await admin.client.ok(decideDeadLetter, { id, act: 'discard', reason: '已由人工处理' });
  expect((await admin.client.ok(deadLetterList, {})).list).toEqual([]);
  const [decided] = (await admin.client.ok(deadLetterList, { status: 'decided' })).list;
  expect(decided).toMatchObject({ id, outcome: '已放弃', note: '已由人工处理' });
});

test('a job that is run again is due immediately with all attempts, and an event is handled; of eight concurrent decisions one succeeds', async () => {
  const job = await letter('job', 'order.expire', '999999999');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => codeOf({ id: job, act: 'again', reason: '原因已排除' })),
  );
  expect(answers.toSorted((a, b) => a - b)).toEqual([0, ...Array.from({ length: 7 }, () => codes.NOT_FOUND[0])]);
  const { rows } =
    await sql`select attempts, faults from timer where kind = 'order.expire' and ref = '999999999'`.execute(t.ctx.db);
  expect(rows).toEqual([{ attempts: 0, faults: 0 }]);
  const event = await letter('event', 'order.paid', '6', { orderId: 999_999_999 });
  await admin.client.ok(decideDeadLetter, { id: event, act: 'again', reason: '原因已排除' });
  const written = await sql`select topic, payload from outbox where payload->>'orderId' = '999999999'`.execute(
    t.ctx.db,
  );
  expect(written.rows).toEqual([{ topic: 'order.paid', payload: { orderId: 999_999_999 } }]);
  const audits = await sql<{
    act: string;
  }>`select act from audit_log where target in (${`job:${job}`}, ${`job:${event}`}) order by id`.execute(t.ctx.db);
  expect(audits.rows.map(({ act }) => act)).toEqual(['job.again', 'job.again']);
});

test('an unknown kind can only be discarded', async () => {
  const id = await letter('job', 'gone.kind', '1');
  expect(await codeOf({ id, act: 'again', reason: '原因已排除' })).toBe(codes.BAD_INPUT[0]);
  await admin.client.ok(decideDeadLetter, { id, act: 'discard', reason: '内容已过时' });
});
