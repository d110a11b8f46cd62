/** A restored market holds back what is due until staff lets it go on. */
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quarantineBanner, quarantineState, releaseQuarantine } from '#subjects/back-office/contract/quarantine.ts';
import { codes } from '#contract/codes.ts';
import { closeMoment } from '#server/backup/after-moment.ts';
import { asSuperuser, databaseOf, superuserClient } from '#tests/support/database/database.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';

let t: TestApp;
let admin: TestStaff;
beforeAll(async () => {
  t = await testApp();
  admin = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

/** Performs the step of `npm run restore` before any server starts. */
const hold = async (): Promise<void> =>
  await asSuperuser(
    databaseOf(t.ctx),
    `insert into quarantine (restored_to, source) values ('2026-11-23 10:00:00+08', '/backups 20261123T014500Z')`,
  );

const release = async (): Promise<number> =>
  (await admin.client.call(releaseQuarantine, { reason: '账目与渠道已核对' })).code;

async function dueThings(): Promise<{ timer: number; outbox: number }> {
  const { rows } = await sql<{ timer: number; outbox: number }>`
    select (select count(*)::int from timer where kind = 'order.expire') as timer,
      (select count(*)::int from outbox where topic = 'goods.reindex') as outbox`.execute(t.ctx.db);
  return rows[0] ?? { timer: 0, outbox: 0 };
}

test('no job is due, and nothing is sent to a vendor, until it is released once with a reason', async () => {
  await t.relay();
  await t.timers();
  await hold();
  await sql`insert into timer (kind, ref, due_at) values ('order.expire', '999999999', now() - interval '1 hour')`.execute(
    t.ctx.db,
  );
  await sql`insert into outbox (topic, payload) values ('goods.reindex', '{"goodsId": 999999999}')`.execute(t.ctx.db);

  await t.relay();
  expect(await t.timers()).toBe(0);
  expect(await dueThings()).toEqual({ timer: 1, outbox: 1 });

  const held = codes.QUARANTINE[0];
  const message = { phone: '13800000009', code: '123456', purpose: 'login', site: '游市', siteCode: 'platform' };
  await expect(t.ctx.sms?.send(message)).rejects.toMatchObject({ code: held });
  await expect(t.ctx.mail?.send({ to: 'a@example.com', subject: 's', text: 't', code: '' })).rejects.toMatchObject({
    code: held,
  });
  const channel = t.ctx.pay.get('sandbox');
  await expect(
    channel?.payout({ no: 'W1', amountFen: 1 as never, account: 'a', name: 'n', remark: '' }),
  ).rejects.toMatchObject({ code: held });
  await expect(
    channel?.refund({ interSn: 'P1', refundNo: 'R1', amountFen: 1 as never, totalFen: 1 as never, reason: '' }),
  ).rejects.toMatchObject({ code: held });
  expect(t.sms).toEqual([]);
  expect(t.mails).toEqual([]);

  expect((await admin.client.ok(quarantineBanner, {})).restoredTo).toBe('2026-11-23T10:00:00+08:00');
  const { current } = await admin.client.ok(quarantineState, {});
  expect(current?.jobs).toContainEqual(
    expect.objectContaining({ name: 'order.expire', title: '未付款订单到期', count: 1 }),
  );
  expect(current?.events).toContainEqual(expect.objectContaining({ name: 'goods.reindex', count: 1 }));

  const answers = await Promise.all(Array.from({ length: 8 }, release));
  expect(answers.toSorted((a, b) => a - b)).toEqual([0, ...Array.from({ length: 7 }, () => codes.NOT_FOUND[0])]);
  await t.relay();
  expect(await t.timers()).toBeGreaterThan(0);
  expect(await dueThings()).toEqual({ timer: 0, outbox: 0 });
  await t.ctx.sms?.send(message);
  expect(t.sms).toHaveLength(1);

  const { past } = await admin.client.ok(quarantineState, {});
  expect(past).toMatchObject([{ reason: '账目与渠道已核对' }]);
  const { rows } = await sql<{
    act: string;
    staff: number;
  }>`select act, staff_id as staff from audit_log where act = 'quarantine.release'`.execute(t.ctx.db);
  expect(rows).toEqual([{ act: 'quarantine.release', staff: admin.id }]);
});

test('due withdrawals are counted with their sum', async () => {
  const { id: user } = await t.newUser();
  await hold();
  const { rows } = await sql<{ id: number }>`
    with payee as (insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
      values (${user}, 'alipay', decode('00', 'hex'), decode('01', 'hex'), 'a***', decode('00', 'hex')) returning id)
    insert into withdrawal (sn, dist_id, user_id, payout_account_id, amount_fen) select 'W26', 1, ${user}, id, 12345 from payee
    returning id`.execute(t.ctx.db);
  await sql`insert into timer (kind, ref, due_at) values ('withdraw.pay', ${String(rows[0]?.id)}, now())`.execute(
    t.ctx.db,
  );
  const { current } = await admin.client.ok(quarantineState, {});
  expect(current?.withdrawals).toEqual({ count: 1, amount: '123.45' });
  expect(await release()).toBe(0);
});

test('the server itself can neither start nor end one, and a role without the permission cannot release it', async () => {
  await expect(
    sql`insert into quarantine (restored_to, source) values (now(), 'x')`.execute(t.ctx.db),
  ).rejects.toMatchObject({ code: '42501' });
  await expect(sql`delete from quarantine`.execute(t.ctx.db)).rejects.toMatchObject({ code: '42501' });
  await hold();
  const finance = await t.newStaff({ role: 'finance' });
  expect((await finance.client.call(releaseQuarantine, { reason: '随便' })).code).toBe(codes.FORBIDDEN[0]);
  const away = await t.newStaff({ role: 'admin', stepUp: false });
  expect((await away.client.call(releaseQuarantine, { reason: '账目与渠道已核对' })).code).toBe(
    codes.FACTOR_REQUIRED[0],
  );
  expect((await admin.client.call(releaseQuarantine, { reason: '' })).code).toBe(codes.BAD_INPUT[0]);
  expect((await admin.client.ok(quarantineBanner, {})).restoredTo).not.toBeNull();
});

const HOUR_S = 3600;

async function lastNumbers(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    "select sequencename as name, coalesce(last_value, start_value) as last from pg_sequences where schemaname = 'public'",
  );
  return new Map(rows.map(({ name, last }) => [name, Number(last)]));
}

test('numbers used after the moment are never used again, and all sessions have ended', async () => {
  await addGame(t.ctx);
  const seller = await t.newUser();
  const other = await t.newStaff({ role: 'admin' });
  const { id: before } = await addGoods(t.ctx, { sellerId: seller.id });
  await sql`insert into sms_code (phone_hash, purpose, dist_id, code_hash, expires_at)
    values (decode('01', 'hex'), 'login', 1, decode('02', 'hex'), now() + interval '5 minutes')`.execute(t.ctx.db);
  const client = await superuserClient(databaseOf(t.ctx));
  try {
    // One that is nearly used up stops at its end.
    await client.query("select setval('game_number', 2147483600)");
    const { rows } = await client.query<{ moment: Date }>("select now() - interval '1 hour' as moment");
    const last = await lastNumbers(client);
    expect(await closeMoment(client, rows[0]?.moment as Date)).toBe(last.size);
    const moved = await lastNumbers(client);
    const steps = [...last].map(([name, number]) => [name, (moved.get(name) ?? 0) - number] as const);
    // A hundred a second for the hour that is lost and six hours' overlap, and 100,000 in one burst.
    const least = 100_000 + 100 * 7 * HOUR_S;
    const small = ['assignment_rule', 'distributor', 'league', 'league_team'].map((name) => `${name}_id_seq`);
    expect(
      steps
        .filter(([, step]) => step < least)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual([...small, 'game_area_number', 'game_number', 'game_server_number'].toSorted());
    expect(moved.get('game_number')).toBe(2_147_483_647);
    expect(moved.get('distributor_id_seq')).toBe((last.get('distributor_id_seq') ?? 0) + 1000);
    const after = await addGoods(t.ctx, { sellerId: seller.id });
    expect(after.id).toBeGreaterThanOrEqual(before + least);
    // The skipped listing ids leave room for a hundred such restores before the listing numbers run out.
    expect((moved.get('goods_id_seq') ?? 0) - (last.get('goods_id_seq') ?? 0)).toBeLessThan(2_700_000);
  } finally {
    await client.end();
  }
  expect((await other.client.call(quarantineState, {})).code).toBe(codes.LOGIN_REQUIRED[0]);
  const { rows: proofs } = await sql<{ left: number }>`
    select ((select count(*) from session) + (select count(*) from sms_code))::int as left`.execute(t.ctx.db);
  expect(proofs).toEqual([{ left: 0 }]);
});
