/** Accounts sold to recyclers: a market with a fitted model, recyclers with money, requests that have come so far. */
import { sql } from 'kysely';
import { expect } from 'vitest';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import { handoverDone, sealSecret } from '#subjects/orders/contract/handover.ts';
import { loadBalances, brokenInvariants, releaseHold } from '#subjects/ledger/server/service.ts';
import { onDue } from '#subjects/recycling/server/accounts/clock.ts';
import { refitModels } from '#subjects/valuation/server/nightly.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '../servers/build.ts';
import { assign, staffPicture } from '../orders/orders.ts';
import { addSales, addValuedGame } from '../orders/sales.ts';

export const SAID = { skins: 300, clean: true };
const sealed = (account: string) => ({ fields: { account, password: 'Tiger-77-river' } });

export interface Asked {
  seller: TestUser;
  sn: string;
  id: number;
}
export type Sold = Asked & { orderId: number; buyer: TestUser };

/** Opens the market over a separate database; end it with `close`. */
export async function openRecycling() {
  const t: TestApp = await testApp();
  await addValuedGame(t.ctx);
  await addSales(t.ctx, 90);
  await refitModels(t.ctx);
  const kefu: TestStaff = await t.newStaff({ role: 'service' });
  const picture = await staffPicture(kefu);
  let numbers = 0;
  /** The accounts of requests, by number. */
  const accounts = new Map<string, string>();

  /** An admitted recycler. */
  async function recycler(balanceFen = 1_000_000, dayLimitFen = 100_000_000): Promise<TestUser> {
    const user = await t.newUser({ balanceFen });
    await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status) values (${user.id}, 1, '安心回收', ${dayLimitFen}, 1)`.execute(
      t.ctx.db,
    );
    return user;
  }
  const lastAccount = () => `acc${numbers}`;
  async function ask(seller?: TestUser, details: object = SAID): Promise<Asked> {
    const owner = seller ?? (await t.newUser());
    const accountNo = `acc${++numbers}`;
    const made = await owner.client.ok(c.recycleApply, { gameId: 1, details: details as never, accountNo });
    accounts.set(made.requestSn, accountNo);
    const { rows } = await sql<{ id: number }>`select id from recycle_request where sn = ${made.requestSn}`.execute(
      t.ctx.db,
    );
    return { seller: owner, sn: made.requestSn, id: rows[0]?.id ?? 0 };
  }
  /** Lets a request's clock run out. */
  async function due({ id }: Asked): Promise<void> {
    await sql`update recycle_request set due_at = now() - interval '1 second' where id = ${id}`.execute(t.ctx.db);
    await onDue(t.ctx, id);
  }
  /** Lets the time of taking over run out. */
  async function held(orderId: number): Promise<void> {
    await sql`update hold set release_at = now() where ref = ${String(orderId)}`.execute(t.ctx.db);
    await releaseHold(t.ctx.db, { orderId });
  }
  const info = ({ seller, sn }: Asked) => seller.client.ok(c.recycleInfo, { requestSn: sn });
  const balances = async (user: TestUser) => await loadBalances(t.ctx.db, user.id);
  const available = async (user: TestUser) => (await balances(user)).availableFen;
  const bid = (user: TestUser, { sn }: Asked, yuan: string) =>
    user.client.call(c.recycleBid, { requestSn: sn, price: yuan });
  async function handOver(seller: TestUser, orderId: number): Promise<void> {
    const { rows } = await sql<{ sn: string }>`select sn from recycle_request where order_id = ${orderId}`.execute(
      t.ctx.db,
    );
    await seller.client.ok(sealSecret, { orderId, step: 1, ...sealed(accounts.get(rows[0]?.sn ?? '') ?? '') });
    await seller.client.ok(handoverDone, { orderId, step: 1 });
  }
  /** Bids, and lets bidding end. */
  async function quoted(yuan = '700'): Promise<Asked & { buyer: TestUser }> {
    const request = await ask();
    const buyer = await recycler();
    expect((await bid(buyer, request, yuan)).code).toBe(0);
    await due(request);
    return { ...request, buyer };
  }
  /** Bids, ends bidding, accepts, seals; returns the order. */
  async function sold(yuan = '700'): Promise<Sold> {
    const request = await quoted(yuan);
    const { orderId } = await request.seller.client.ok(c.recycleAccept, { requestSn: request.sn, price: `${yuan}.00` });
    await handOver(request.seller, orderId);
    await assign(t, orderId, kefu);
    return { ...request, orderId };
  }
  /** Takes the floor that the platform offers, and seals; returns the order. */
  async function soldToPlatform(details: object = SAID): Promise<Asked & { orderId: number; floorPrice: string }> {
    const request = await ask(undefined, details);
    const { floorPrice } = await info(request);
    const price = floorPrice ?? '';
    const { orderId } = await request.seller.client.ok(c.recycleAccept, {
      requestSn: request.sn,
      price,
      floor: '1',
    } as never);
    await handOver(request.seller, orderId);
    await assign(t, orderId, kefu);
    return { ...request, orderId, floorPrice: price };
  }
  /** Inspects an account whose newest sealed version staff have opened. */
  const inspect = async (sn: string, details: object, staff = kefu, pictures = [picture]) => {
    await sql`insert into credential_opening (order_id, step, version, opener, party, purpose)
      select c.order_id, c.step, max(c.version), ${`staff:${staff.id}`}, 'staff', 'check_login'
      from sealed_credential c join recycle_request r on r.order_id = c.order_id where r.sn = ${sn} group by c.order_id, c.step`.execute(
      t.ctx.db,
    );
    return await staff.client.call(c.staffRecycleInspect, {
      requestSn: sn,
      details: details as never,
      pictures: pictures as never,
    });
  };
  /** Checks the books, that no bid is left behind, and ends. */
  async function close(): Promise<void> {
    // The sales that the model learns from were put into the tables without their payments.
    expect((await brokenInvariants(t.ctx.db)).filter((b) => !b.startsWith('O2 order 90S'))).toEqual([]);
    const { rows } =
      await sql`select from recycle_quote q join recycle_request r on r.id = q.request_id where q.status = 'open' and r.status <> all(${['bidding', 'quoted']}::text[])`.execute(
        t.ctx.db,
      );
    expect(rows).toHaveLength(0);
    await t.close();
  }
  return {
    t,
    kefu,
    recycler,
    lastAccount,
    ask,
    due,
    held,
    info,
    balances,
    available,
    bid,
    handOver,
    quoted,
    sold,
    soldToPlatform,
    inspect,
    close,
  };
}

export type Recycling = Awaited<ReturnType<typeof openRecycling>>;
