/** A game with coin, and shops that sell it, for tests whose subject is what happens to them afterwards. */
import { sql } from 'kysely';
import { createQuickCoin, shopQuickCoinApply } from '#subjects/quick-coin/contract/quick-coin.ts';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import type { TestApp, TestStaff, TestUser } from '#tests/support/servers/build.ts';

export const COIN_GAME = 77;
export const COIN_AREA = 7701;

/** A game (id 77) with coin in 万金币, two areas and one delivery step. Call once per database. */
export async function addCoinGame(t: TestApp): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types, coin_unit)
    values (${COIN_GAME}, 'coin', '地下城与勇士', 1, 'D', 'dixiachengyuyongshi', 'dxcyys', '[{"id":2,"name":"游戏币"}]', '万金币') on conflict do nothing`.execute(
    t.ctx.db,
  );
  await sql`insert into game_area (id, game_id, name) values (${COIN_AREA}, ${COIN_GAME}, '跨一区'), (${COIN_AREA + 1}, ${COIN_GAME}, '跨二区') on conflict (id) do nothing`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

let deposits = 0;

/** Puts money into a user's deposit of a role. */
export async function addDeposit(t: TestApp, userId: number, fen: number, role = 'shop'): Promise<void> {
  deposits += 1;
  const number = deposits;
  await post(t.ctx.db, [
    {
      code: 'topup',
      ref: `deposit-test:${number}`,
      debit: account.clearing('sandbox', number),
      credit: account.available(userId),
      fen,
      dist: 1,
    },
    {
      code: 'deposit_in',
      ref: `deposit-test:${number}`,
      debit: account.available(userId),
      credit: account.deposit(userId),
      fen,
      dist: 1,
    },
  ]);
  await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason)
    values (${userId}, ${role}, 1, ${fen}, ${`deposit-test:${number}`}, '缴纳保证金')`.execute(t.ctx.db);
}

const APPLICATION = { name: '阿市金币铺', intro: '只做跨一区', gameIds: [COIN_GAME], contact: 'QQ 12345678' } as const;

/** Sends in an application for a shop. */
export async function applyForShop(user: TestUser): Promise<void> {
  await user.client.ok(shopQuickCoinApply, { ...APPLICATION, gameIds: [COIN_GAME] });
}

/** The application or record of a user as the back office has it. */
export async function providerAt(staff: TestStaff, userId: number) {
  const { list } = await staff.client.ok(providerList, { kind: 'shop' });
  const found = list.find((one) => one.userId === String(userId));
  if (!found) throw new Error('no such provider');
  return found;
}

/** A shop that has been approved, with a deposit of the first level by default. */
export async function openedShop(
  t: TestApp,
  staff: TestStaff,
  options: { depositFen?: number } = {},
): Promise<TestUser> {
  const user = await t.newUser();
  await applyForShop(user);
  await addDeposit(t, user.id, options.depositFen ?? 100_000);
  const { id, updateMark } = await providerAt(staff, user.id);
  await staff.client.ok(reviewProvider, { id, decision: 'approve', updateMark });
  return user;
}

export const OFFER = {
  gameId: COIN_GAME,
  areaId: COIN_AREA,
  unit: '万金币',
  lotUnits: 1000,
  lotPrice: '19.00',
  stock: 100,
  minNum: 2,
  maxNum: 50,
  delivery: [1, 2],
  shipMinutes: 30,
} as const;

/** Makes an offer of a shop; returns its number. */
export async function offered(
  shop: TestUser,
  options: Partial<Record<keyof typeof OFFER, unknown>> = {},
): Promise<string> {
  const { quickCoinSn } = await shop.client.ok(createQuickCoin, { ...OFFER, ...options } as never);
  return quickCoinSn;
}
