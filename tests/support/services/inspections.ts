/** Inspections: a market with one game whose accounts have two fields, sellers, listings, and staff that read them. */
import { sql } from 'kysely';
import { expect } from 'vitest';
import * as c from '#subjects/inspections/contract/inspection.ts';
import { brokenInvariants, loadBalances } from '#subjects/ledger/server/service.ts';
import { onDue } from '#subjects/inspections/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '../servers/build.ts';
import { passTime } from '../time/clock.ts';
import { addGoods } from '../goods/goods.ts';
import { staffPicture } from '../orders/orders.ts';
import { addValuedGame } from '../orders/sales.ts';

export const SAID = { skins: 300, clean: true };
export const FIELDS = { account: 'hero2026', password: 'Tiger-77-river' };

export interface Shelf {
  seller: TestUser;
  sn: string;
  id: number;
}

/** Opens the market over a separate database; end it with `close`. */
export async function openInspections() {
  const t: TestApp = await testApp();
  await addValuedGame(t.ctx);
  const [kefu, second, third] = [
    await t.newStaff({ role: 'service' }),
    await t.newStaff({ role: 'service' }),
    await t.newStaff({ role: 'service' }),
  ];
  const pictures = new Map<TestStaff, string>();
  for (const staff of [kefu, second, third]) pictures.set(staff, await staffPicture(staff));

  /** A listing on sale. */
  async function shelf(options: { seller?: TestUser; priceFen?: number; attrs?: object } = {}): Promise<Shelf> {
    const seller = options.seller ?? (await t.newUser({ soldCount: 9 }));
    const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: options.priceFen ?? 50_000 });
    await sql`update goods set attrs = ${JSON.stringify(options.attrs ?? SAID)}::jsonb where id = ${goods.id}`.execute(
      t.ctx.db,
    );
    return { seller, ...goods };
  }
  /** Requests an inspection by the seller; returns the task. */
  async function ask(goods: Shelf): Promise<number> {
    return (await goods.seller.client.ok(c.inspectionAsk, { goodsSn: goods.sn, fields: FIELDS })).taskId;
  }
  const claim = (taskId: number, staff = kefu) => staff.client.call(c.staffInspectionClaim, { taskId });
  const open = (taskId: number, staff = kefu) =>
    staff.client.call(c.staffInspectionOpen, { taskId, reason: '登录核对' });
  const record = (taskId: number, details: object, staff = kefu) =>
    staff.client.call(c.staffInspectionRecord, {
      taskId,
      details: details as never,
      pictures: [pictures.get(staff)] as never,
    });
  /** Claims, opens, and records. */
  async function read(
    taskId: number,
    details: object = SAID,
    staff = kefu,
  ): Promise<{ status: string; differs: number }> {
    expect((await claim(taskId, staff)).code).toBe(0);
    expect((await open(taskId, staff)).code).toBe(0);
    const answer = await record(taskId, details, staff);
    expect(answer.code, answer.msg).toBe(0);
    return answer.data as { status: string; differs: number };
  }
  /** A listing that was read as stated some days ago. */
  async function inspected(days = 8, options: Parameters<typeof shelf>[0] = {}): Promise<Shelf & { taskId: number }> {
    const goods = await shelf(options);
    const taskId = await ask(goods);
    await read(taskId);
    await passTime(t.ctx.db, 'goods', { id: goods.id }, { days });
    await passTime(t.ctx.db, 'inspection_task', { id: taskId }, { days });
    return { ...goods, taskId };
  }
  /** Requests another inspection by a buyer; returns the task, sealed by the seller. */
  async function again(goods: Shelf, buyer: TestUser): Promise<number> {
    const { taskId } = await buyer.client.ok(c.inspectionAgain, { goodsSn: goods.sn });
    await goods.seller.client.ok(c.inspectionSeal, { taskId, fields: FIELDS });
    return taskId;
  }
  /** Lets the clock of a task run out. */
  async function due(taskId: number): Promise<void> {
    await sql`update inspection_task set due_at = now() - interval '1 second' where id = ${taskId}`.execute(t.ctx.db);
    await onDue(t.ctx, taskId);
  }
  const task = async (id: number) =>
    (
      await sql<{ status: string; sealed: boolean; erased: boolean; differs: number }>`
        select status, sealed_enc is not null as sealed, erased_at is not null as erased, differs from inspection_task where id = ${id}`.execute(
        t.ctx.db,
      )
    ).rows[0];
  const mark = async (goods: Shelf) =>
    (await sql<{ at: Date | null }>`select inspected_at as at from goods where id = ${goods.id}`.execute(t.ctx.db))
      .rows[0]?.at ?? null;
  const available = async (user: TestUser) => (await loadBalances(t.ctx.db, user.id)).availableFen;
  const fund = async () =>
    (
      await sql<{ fen: number }>`
        select coalesce(sum(balance), 0)::bigint as fen from ledger_account where key like 'platform:guarantee_fund:%'`.execute(
        t.ctx.db,
      )
    ).rows[0]?.fen ?? 0;
  /** Checks the books and that no fee is left behind, and ends. */
  async function close(): Promise<void> {
    expect(await brokenInvariants(t.ctx.db)).toEqual([]);
    const { rows } = await sql`
      select from inspection_task where status in ('done', 'closed') and sealed_enc is not null`.execute(t.ctx.db);
    expect(rows).toHaveLength(0);
    await t.close();
  }
  return {
    t,
    kefu,
    second,
    third,
    shelf,
    ask,
    claim,
    open,
    record,
    read,
    inspected,
    again,
    due,
    task,
    mark,
    available,
    fund,
    close,
  };
}

export type Inspections = Awaited<ReturnType<typeof openInspections>>;
