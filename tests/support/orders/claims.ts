/** Sales with a guarantee, claims on them and their clocks, as the suites about guarantees need them. */
import { sql } from 'kysely';
import * as b from '#subjects/guarantees/contract/staff-claims.ts';
import type { Input } from '#contract/endpoint.ts';
import * as c from '#subjects/guarantees/contract/guarantee.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { passTime } from '../time/clock.ts';
import type { TestApp, TestStaff, TestUser } from '../servers/build.ts';
import { addGoods } from '../goods/goods.ts';

export const RECOVERY = 11;
export const TOPUP = 3;

export interface Owned {
  owner: TestUser;
  seller: TestUser;
  orderId: number;
  orderSn: string;
  goodsId: number;
  goodsSn: string;
  print: Buffer;
}

interface CoverOptions {
  owner?: TestUser;
  seller?: TestUser;
  /** Ties it to an earlier sale of the same account. */
  print?: Buffer;
  priceFen?: number;
  cover?: boolean;
  /** The tier; 找回包赔 (10 %) unless another is named. */
  tier?: number;
  reached?: 'paid' | 'completed';
}

let prints = 0;

/** The helpers of one application under test; `people` are two members of staff who decide together. */
export function claimsOn(t: TestApp, people: { service: TestStaff; other: TestStaff }) {
  const { service, other } = people;
  const db = t.ctx.db;

  /** Sells an account with a guarantee as far as asked. */
  async function buy(options: CoverOptions = {}): Promise<Owned> {
    const { priceFen = 10_000, cover = true, reached = 'completed', tier = RECOVERY } = options;
    const owner = options.owner ?? (await t.newUser({ balanceFen: priceFen * 3 }));
    const seller = options.seller ?? (await t.newUser({}));
    prints += 1;
    const print = options.print ?? Buffer.from(`account-${prints}`);
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 1, priceFen });
    await sql`update goods set fingerprint = ${print}, guarantee_ok = true where id = ${goods.id}`.execute(db);
    const { orderId, orderSn } = await owner.client.ok(placeOrder, {
      goodsSn: goods.sn,
      ...(cover && (tier === RECOVERY ? { fixEnsureId: tier } : { ensureId: tier })),
    });
    await owner.client.ok(balancePay, { orderId });
    if (reached === 'completed') {
      await seller.client.ok(offlineTranSub, { orderId });
      await owner.client.ok(confirmRecGoods, { orderId });
    }
    await t.relay();
    return { owner, seller, orderId, orderSn, goodsId: goods.id, goodsSn: goods.sn, print };
  }

  const coversOf = async (user: TestUser) => (await user.client.ok(c.coverList, {})).list;

  /** The key of a picture of the user's own. */
  async function proof(user: TestUser): Promise<string> {
    const key = `${String(user.id).padStart(26, '0')}-64x64`;
    await sql`insert into picture (key, owner_id, purpose, width, height, bytes, sha256)
      values (${key}, ${user.id}, 'evidence', 64, 64, 100, '') on conflict do nothing`.execute(db);
    return key;
  }

  async function claimOf(
    owner: TestUser,
    coverId: number,
    more: Partial<Input<typeof c.openClaim>> = {},
  ): Promise<Input<typeof c.openClaim>> {
    return {
      coverId,
      reason: 'recovered',
      explain: '今天登录提示密码错误，手机也被换绑了',
      amount: '100.00',
      pictures: [await proof(owner)],
      ...more,
    };
  }

  /** Opens a claim on what was bought, for its whole price unless asked otherwise. */
  async function claim(owned: Owned, more: Partial<Input<typeof c.openClaim>> = {}): Promise<string> {
    const cover = (await coversOf(owned.owner)).find(({ mine }) => mine);
    const input = await claimOf(owned.owner, cover?.coverId ?? 0, { amount: cover?.price ?? '0', ...more });
    return (await owned.owner.client.ok(c.openClaim, input)).claimSn;
  }

  async function claimed(priceFen?: number): Promise<Owned & { claimSn: string; coverId: number }> {
    const owned = await buy(priceFen === undefined ? {} : { priceFen });
    const coverId = (await coversOf(owned.owner))[0]?.coverId ?? 0;
    return { ...owned, coverId, claimSn: await claim(owned) };
  }

  const chasing = async (claimSn: string) =>
    await service.client.ok(b.staffClaimAction, { claimSn, act: 'accept', text: '截图核实，开始联系卖家' });

  async function timeUp(claimSn: string, kind: 'look' | 'pay'): Promise<void> {
    await passTime(db, 'guarantee_claim', { sn: claimSn, status: 'chasing' }, { until: 'deadline_at' });
    await sql`update timer set due_at = now() - interval '1 second' where kind = ${`guarantee.${kind}`}
      and ref = (select id::text from guarantee_claim where sn = ${claimSn})`.execute(db);
    await t.timers();
  }

  /** The colleague approves what was recorded about a claim. */
  async function approveSecond(claimSn: string): Promise<void> {
    const { draft } = await other.client.ok(b.staffClaimDetail, { claimSn });
    await other.client.ok(b.staffClaimSecond, { claimSn, draftId: draft?.draftId ?? 0, allow: '1' });
  }

  /** Two people pay: one records it, the other approves it. */
  async function payByTwo(claimSn: string, more: Partial<Input<typeof b.staffClaimAction>> = {}): Promise<void> {
    await service.client.ok(b.staffClaimAction, { claimSn, act: 'pay', text: '证据充分，同意赔付', ...more });
    await approveSecond(claimSn);
  }

  /** Money movements of a claim, by code. */
  const movements = async (orderId: number): Promise<{ code: string; fen: number }[]> =>
    (
      await sql<{ code: string; fen: number }>`
        select code, amount_fen::int as fen from ledger_transfer where order_id = ${orderId}
          and code in ('claim_paid', 'claim_recourse', 'deposit_penalty', 'debt_collected') order by code`.execute(db)
    ).rows;

  const balance = async (user: TestUser): Promise<number> => (await loadBalances(db, user.id)).availableFen;

  return {
    buy,
    coversOf,
    proof,
    claimOf,
    claim,
    claimed,
    chasing,
    timeUp,
    payByTwo,
    secondWord: approveSecond,
    taken: movements,
    balance,
  };
}
