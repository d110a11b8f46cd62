/** Orders whose time to ship is over, and the clock that ends them (decision 440). */
import { sql } from 'kysely';
import { handoverDone } from '#subjects/orders/contract/order.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import type { TestApp } from '../servers/build.ts';
import { passTime } from '../time/clock.ts';
import { type Trade, trade, userPicture } from './orders.ts';

const HOUR = 3600;

/** Balance of the buyer of `trade`, in fen. */
export const START = 30_000;
/** Items: agreed and delivered by the seller, counted by the buyer. */
export const ITEMS = { typeId: 27 };

interface Row {
  status: number;
  disputed: boolean;
  endHours: number | null;
  timers: number;
}

/** Helpers over one market. */
export function lateOrders(t: TestApp) {
  /** Paid, and the event of the payment worked on. */
  async function paid(options: Parameters<typeof trade>[1] = {}): Promise<Trade> {
    const at = await trade(t, options);
    await t.relay();
    return at;
  }
  /** Lets hours go by for an order and its clock, without running it. */
  async function later({ orderId }: Trade, hours: number): Promise<void> {
    await passTime(t.ctx.db, 'orders', { id: orderId }, { hours });
    await passTime(t.ctx.db, 'timer', { kind: 'order.late', ref: String(orderId) }, { hours });
  }
  async function pass(at: Trade, hours: number): Promise<void> {
    await later(at, hours);
    await t.timers();
    await t.relay();
  }
  /** Lets the time to ship be over. */
  async function overdue(at: Trade): Promise<void> {
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from ship_by - now())::float8 / ${HOUR} as hours from orders where id = ${at.orderId}`.execute(
      t.ctx.db,
    );
    await pass(at, (rows[0]?.hours ?? 0) + 0.1);
  }
  async function row({ orderId }: Trade): Promise<Row> {
    const { rows } = await sql<Row>`
      select status, disputed, round(extract(epoch from late_end_at - now()) / ${HOUR})::int as "endHours",
        (select count(*)::int from timer where kind = 'order.late' and ref = ${String(orderId)}) as timers
      from orders where id = ${orderId}`.execute(t.ctx.db);
    if (!rows[0]) throw new Error('no order');
    return rows[0];
  }
  const told = async (userId: number, { orderSn }: Trade): Promise<string[]> => {
    const { rows } = await sql<{ body: string }>`
      select body from notice where user_id = ${userId} and kind = 'order.overdue' and link like ${`%${orderSn}`} order by id`.execute(
      t.ctx.db,
    );
    return rows.map(({ body }) => body);
  };
  const worth = async (userId: number): Promise<number> => {
    const { availableFen, frozenFen } = await loadBalances(t.ctx.db, userId);
    return availableFen + frozenFen;
  };
  const casesOf = async ({ orderId }: Trade): Promise<{ id: number; sn: string; reason: string; opener: number }[]> =>
    (
      await sql<{ id: number; sn: string; reason: string; opener: number }>`
        select id, sn, reason_code as reason, opener_id as opener from dispute where order_id = ${orderId} order by id`.execute(
        t.ctx.db,
      )
    ).rows;
  const stock = async (id: number): Promise<{ status: number; stock: number }> => {
    const { rows } = await sql<{
      status: number;
      stock: number;
    }>`select status, stock from goods where id = ${id}`.execute(t.ctx.db);
    return rows[0] ?? { status: -1, stock: -1 };
  };
  const step = async (at: Trade, n: number) =>
    await at.seller.client.call(handoverDone, {
      orderId: at.orderId,
      step: n,
      pictures: [await userPicture(at.seller)],
    });
  return { paid, later, pass, overdue, row, told, worth, casesOf, stock, step };
}

export type LateOrders = ReturnType<typeof lateOrders>;
