import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { approveReview, rejectReview, reviewGoods, reviewGoodsList } from '#subjects/goods/contract/staff-review.ts';
import { codes } from '#contract/codes.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { selfCheck } from '#subjects/back-office/contract/self-check.ts';
import { loadConfig } from '#server/config/config.ts';
import { staffPermissions, type StaffRole, staffRoles } from '#subjects/back-office/rules/staff.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let seller: TestUser;
/** One of each role, bound to no distributor except the operator, who has the second one. */
const people = {} as Record<StaffRole, TestStaff>;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser({ nickName: '卖家' });
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  for (const role of staffRoles) people[role] = await t.newStaff(role === 'operator' ? { role, distId: 2 } : { role });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** Acts in the audit log on a target, oldest first. */
async function auditActions(
  target: string,
): Promise<{ act: string; staff_id: number; detail: Record<string, unknown> }[]> {
  const { rows } = await sql<{ act: string; staff_id: number; detail: Record<string, unknown> }>`
    select act, staff_id, detail from audit_log where target = ${target} order by id`.execute(t.ctx.db);
  return rows;
}

describe('permissions', () => {
  const goodsSn = 'ZZ0000001';
  const guarded: readonly [keyof typeof staffPermissions, Endpoint, Input<Endpoint>][] = [
    ['user.read', adminQueryUserList, {}],
    ['goods.read', reviewGoodsList, {}],
    ['goods.read', reviewGoods, { goodsSn }],
    ['goods.review', approveReview, { goodsSn, version: 1 }],
    ['goods.review', rejectReview, { goodsSn, version: 1, reason: '图片不清' }],
  ];

  test.each(guarded)('%s by its roles only', async (permission, endpoint, input) => {
    for (const role of staffRoles) {
      const { code } = await people[role].client.call(endpoint, input);
      const allowed = (staffPermissions[permission] as readonly string[]).includes(role);
      expect([role, code === codes.FORBIDDEN[0]]).toEqual([role, !allowed]);
    }
  });

  test.each(guarded)(
    '%s: rejected without a staff session, and not found on a public host',
    async (_, endpoint, input) => {
      const visitor = t.client({ host: 'backstage.localhost' });
      expect((await visitor.call(endpoint, input)).status).toBe(401);
      expect((await seller.client.call(endpoint, input)).status).toBe(404);
    },
  );
});

describe('the review of goods', () => {
  test('approved listings are on sale once, with an audit entry', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
    const { client, id } = people.reviewer;
    const item = (await client.ok(reviewGoodsList, { keyWord: goods.sn })).list[0];
    expect(item).toMatchObject({ goodsSn: goods.sn, price: '100.00', seller: { nickName: '卖家' } });
    expect(item?.flags.map((f) => f.text)).toEqual(['没有图片', '新卖家']);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.call(approveReview, { goodsSn: goods.sn, version: item?.version ?? 0 })),
    );
    expect(responses.map((a) => a.code).sort((a, b) => a - b)).toEqual([0, ...Array(4).fill(codes.GOODS_STATE[0])]);
    const { rows } = await sql`select status from goods where id = ${goods.id}`.execute(t.ctx.db);
    expect(rows).toEqual([{ status: 2 }]);
    expect((await client.ok(reviewGoodsList, { keyWord: goods.sn })).total).toBe(0);
    expect(await auditActions(`goods:${goods.sn}`)).toEqual([
      { act: 'goods.approve', staff_id: id, detail: { sellerId: seller.id } },
    ]);
  });

  test('rejected listings keep the reason for the seller; a reason is required', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
    const { client } = people.admin;
    const version = (await client.ok(reviewGoodsList, { keyWord: goods.sn })).list[0]?.version ?? 0;
    expect((await client.call(rejectReview, { goodsSn: goods.sn, version, reason: '  ' })).msg).toBe(
      '驳回原因不能为空',
    );
    await client.ok(rejectReview, { goodsSn: goods.sn, version, reason: '截图与描述不符' });
    const { rows } = await sql`select status, review_note from goods where id = ${goods.id}`.execute(t.ctx.db);
    expect(rows).toEqual([{ status: 6, review_note: '截图与描述不符' }]);
    expect((await auditActions(`goods:${goods.sn}`)).map((a) => a.act)).toEqual(['goods.reject']);
  });

  test('a decision on a listing edited meanwhile is rejected', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
    const { client } = people.reviewer;
    await sql`update goods set version = version + 1 where id = ${goods.id}`.execute(t.ctx.db);
    expect((await client.call(approveReview, { goodsSn: goods.sn, version: 1 })).code).toBe(codes.GOODS_CHANGED[0]);
    expect(await auditActions(`goods:${goods.sn}`)).toEqual([]);
  });

  test('a reviewer of one distributor neither sees nor decides on listings of another', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
    const distStaff = await t.newStaff({ role: 'reviewer', distId: 2 });
    expect((await distStaff.client.ok(reviewGoodsList, {})).total).toBe(0);
    expect((await distStaff.client.call(approveReview, { goodsSn: goods.sn, version: 1 })).code).toBe(
      codes.GOODS_NOT_FOUND[0],
    );
  });
});

describe('the self-check page', () => {
  test('P5: responds to connections of this machine only, regardless of Host and proxy headers', async () => {
    const demo = await testApp({ env: { DEMO: '1' } });
    const send = async (remoteAddress: string, headers: Record<string, string> = {}): Promise<number> => {
      const { statusCode } = await demo.app.http.inject({
        url: '/api/test/selfCheck',
        remoteAddress,
        headers: { host: 'localhost', ...headers },
      });
      return statusCode;
    };
    try {
      await demo.timers();
      expect(await send('127.0.0.1')).toBe(200);
      expect(await send('::1')).toBe(200);
      expect(await send('192.0.2.7')).toBe(404);
      expect(await send('::ffff:192.0.2.7')).toBe(404);
      expect(await send('192.0.2.7', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
      // A proxy on this machine brings people from elsewhere.
      expect(await send('127.0.0.1', { 'x-forwarded-for': '192.0.2.7' })).toBe(404);
      expect(await send('127.0.0.1', { forwarded: 'for=192.0.2.7' })).toBe(404);
      expect(demo.ctx.config.host).toBe('127.0.0.1');
      expect(loadConfig({ HOST: '0.0.0.0', SECRET: 'x'.repeat(40) }).host).toBe('0.0.0.0');
      expect(t.ctx.config.host).toBe('0.0.0.0');
    } finally {
      await demo.close();
    }
  });

  test('exists in the demo market only', async () => {
    const response = await t.client().call(selfCheck, {});
    expect([response.status, response.code]).toEqual([404, codes.NOT_FOUND[0]]);
  });

  test('names the demo market’s adapters and finds no problem', async () => {
    const demo = await testApp({ env: { DEMO: '1' } });
    try {
      // Jobs set by the migrations have been due since they ran.
      await demo.timers();
      const check = await demo.client({ ip: '127.0.0.1' }).ok(selfCheck, {});
      expect(check.health.map((h) => [h.name, h.ok])).toEqual([
        ['数据库', true],
        ['事件', true],
        ['定时任务', true],
        ['账目', true],
      ]);
      expect(check.adapters.map((a) => a.port)).toContain('支付');
    } finally {
      await demo.close();
    }
  });
});
