/** Staff who look people up in a list leave a record; what a link names is found or said to be gone. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffClaimList } from '#subjects/guarantees/contract/staff-claims.ts';
import { staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import { staffWithdrawList } from '#subjects/payments/contract/staff-money.ts';
import { staffTopupList } from '#subjects/payments/contract/staff-topups.ts';
import { codes } from '#contract/codes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';

let t: TestApp;
let staff: TestStaff;
let person: TestUser;
let other: TestUser;

beforeAll(async () => {
  t = await testApp();
  staff = await t.newStaff({ role: 'admin' });
  person = await t.newUser({ nickName: '被查找的人' });
  other = await t.newUser({ nickName: '旁人' });
  for (const user of [person, other]) {
    await sql`insert into hold (user_id, amount_fen, code, reason, ref) values (${user.id}, 100, 'staff_freeze', '测试', ${`t${user.id}`})`.execute(
      t.ctx.db,
    );
  }
});
afterAll(async () => await t.close());

const lists = [
  ['claim', staffClaimList, false],
  ['withdrawal', staffWithdrawList, true],
  ['hold', staffHoldList, true],
  ['topup', staffTopupList, true],
] as const;

async function records(list: string): Promise<{ target: string; detail: Record<string, unknown> }[]> {
  const { rows } = await sql<{ target: string; detail: Record<string, unknown> }>`
    select target, detail from audit_log where act = 'user.search' and detail->>'list' = ${list} order by id`.execute(
    t.ctx.db,
  );
  return rows;
}

describe.each(lists)('an audit entry of the list %s', (list, endpoint, byName) => {
  const search = (keyWord?: string) =>
    staff.client.ok(endpoint as Endpoint, { ...(keyWord !== undefined && { keyWord }) } as never);

  test('records the user searched for, without the phone', async () => {
    const { rows } = await sql<{
      union: string;
    }>`select union_num as "union" from app_user where id = ${person.id}`.execute(t.ctx.db);
    const union = rows[0]?.union ?? '';
    await search(person.phone);
    await search(union);
    await search(String(person.id));
    const found = await records(list);
    expect(found.map(({ target }) => target)).toEqual(['user', `user:${union}`, `user:${person.id}`]);
    expect(found.map(({ detail }) => detail.byPhone)).toEqual([true, false, false]);
    expect(JSON.stringify(found)).not.toContain(person.phone);
  });

  test('is written for a search by names, not for documents or the unfiltered list', async () => {
    const before = (await records(list)).length;
    await search();
    await search('WD2611220001');
    await search('261122113525089431');
    expect((await records(list)).length).toBe(before);
    await search('被查找');
    const after = await records(list);
    expect(after.length).toBe(before + (byName ? 1 : 0));
    if (byName) expect(after.at(-1)).toMatchObject({ target: 'user', detail: { name: '被查找' } });
  });
});

test('a phone and a public number find only that user', async () => {
  for (const word of [person.phone, String(person.id)]) {
    const { list } = await staff.client.ok(staffHoldList, { keyWord: word });
    expect(list.map(({ userId }) => userId)).toEqual([String(person.id)]);
  }
});

test('a missing conversation is reported as missing', async () => {
  const response = await staff.client.call(staffImSidebar, { groupId: '999999999' });
  expect([response.code, response.msg]).toEqual([codes.NOT_FOUND[0], '没有这个会话']);
});
