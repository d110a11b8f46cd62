/** A game with boosting, boosters with packages, and orders of them. */
import { sql } from 'kysely';
import { boosterApply, updateBooster } from '#subjects/services/contract/booster.ts';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { placeServiceOrder, serviceAct } from '#subjects/services/contract/services.ts';
import { sealSecret } from '#subjects/orders/contract/handover.ts';
import { CATALOGUE_CHANNEL } from '#subjects/games/server/service.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { addDeposit } from './coins.ts';

export const BOOST_GAME = 88;

const step = (key: string, actor: string, more: object = {}) => ({
  key,
  title: key,
  actor,
  minutes: 60,
  evidence: false,
  required: true,
  explain: '按说明操作',
  ...more,
});

const STEPS = [
  step('account', 'buyer', { beforeShip: true, secret: true, fields: [{ key: 'account', required: true }] }),
  step('progress', 'seller', { beforeShip: true, evidence: true }),
  step('accept', 'buyer', { beforeShip: false }),
];

/** A game (id 88) in which boosting is offered. Call once per database. */
export async function addBoostGame(t: TestApp): Promise<void> {
  await sql`insert into game (id, code, name, game_type, initial, pinyin, initials, goods_types)
    values (${BOOST_GAME}, 'boost', '王者荣耀', 2, 'W', 'wangzherongyao', 'wzry', '[{"id":60,"name":"代练"}]') on conflict do nothing`.execute(
    t.ctx.db,
  );
  const body = JSON.stringify({ accounts: [], deliveries: [{ goodsTypes: [60], steps: STEPS }] });
  await sql`insert into catalogue_version (game_id, kind, version, body)
    values (${BOOST_GAME}, 'fields', 1, '[]'), (${BOOST_GAME}, 'handover', 1, ${body}::jsonb) on conflict do nothing`.execute(
    t.ctx.db,
  );
  t.ctx.bus.publish(CATALOGUE_CHANNEL, {});
}

export const PACKAGE = {
  gameId: BOOST_GAME,
  title: '星耀到王者，包赔掉星',
  scope: '星耀一到最强王者，含晋级赛，不改皮肤和铭文',
  unit: '次',
  price: '100.00',
  minNum: 1,
  maxNum: 5,
  minutes: 600,
  mode: 'account',
  safetyDeposit: '20.00',
  efficiencyDeposit: '10.00',
  milestones: [
    { title: '到星耀五星', sharePercent: 30 },
    { title: '到晋级赛', sharePercent: 30 },
    { title: '到最强王者', sharePercent: 40 },
  ],
} as const;

/** An approved booster with a deposit, money for the orders' deposits, and one package on sale. */
export async function openedBooster(
  t: TestApp,
  staff: TestStaff,
  options: { pack?: object; balanceFen?: number } = {},
): Promise<{ booster: TestUser; goodsSn: string; packageSn: string }> {
  const booster = await t.newUser({ balanceFen: options.balanceFen ?? 20_000 });
  await booster.client.ok(boosterApply, {
    name: '阿练',
    intro: '五年国服打野',
    gameIds: [BOOST_GAME],
    contact: 'QQ 12345678',
    skills: [{ gameId: BOOST_GAME, rank: '荣耀王者', note: '' }],
  } as never);
  await addDeposit(t, booster.id, 100_000, 'booster');
  const { list } = await staff.client.ok(providerList, { kind: 'booster' });
  const found = list.find((one) => one.userId === String(booster.id));
  if (!found) throw new Error('no such booster');
  await staff.client.ok(reviewProvider, { id: found.id, decision: 'approve', updateMark: found.updateMark });
  const { packages } = await booster.client.ok(updateBooster, { packages: [{ ...PACKAGE, ...options.pack }] } as never);
  const [pack] = packages;
  if (!pack?.goodsSn) throw new Error('the package has no listing');
  await putOnSale(t, pack.goodsSn);
  return { booster, goodsSn: pack.goodsSn, packageSn: pack.packageSn };
}

/** The effect of a listing's approval on it. */
export async function putOnSale(t: TestApp, goodsSn: string): Promise<void> {
  await sql`update goods set status = 2 where sn = ${goodsSn}`.execute(t.ctx.db);
}

export interface ServiceTrade {
  orderId: number;
  orderSn: string;
  buyer: TestUser;
  booster: TestUser;
}

/** The buyer hands the account over. */
export const seal = async ({ orderId, buyer }: Pick<ServiceTrade, 'orderId' | 'buyer'>) =>
  await buyer.client.call(sealSecret, { orderId, step: 1, fields: { account: 'user-1' } });

/** A paid order of a package; `accepted` by default, with the account encrypted by the buyer. */
export async function serviceTrade(
  t: TestApp,
  one: { booster: TestUser; goodsSn: string },
  options: { accepted?: boolean; sealed?: boolean; buyer?: TestUser } = {},
): Promise<ServiceTrade> {
  const buyer = options.buyer ?? (await t.newUser({ balanceFen: 50_000 }));
  const { orderId, orderSn } = await buyer.client.ok(placeServiceOrder, {
    goodsSn: one.goodsSn,
    num: 1,
    area: '微信一区',
  });
  await buyer.client.ok(balancePay, { orderId });
  await t.relay();
  if (options.accepted !== false) {
    await one.booster.client.ok(serviceAct, { orderId, act: 'accept' });
    if (options.sealed !== false) await seal({ orderId, buyer });
    await t.relay();
  }
  return { orderId, orderSn, buyer, booster: one.booster };
}
