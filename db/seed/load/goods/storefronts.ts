import { GoodsStatus } from '#contract/rules/statuses.ts';
import { generateGoods } from '#db/seed/generate/goods.ts';
import { cumulative, mixSeed, random, type Random, weighted, integer } from '#db/seed/generate/random.ts';
import type { MarketGoods } from './market-goods.ts';
import type { Market } from '../market.ts';
import { type Person, sellerLevel } from '../people/people.ts';

/** New sellers have few and cheap goods until their fifth sale (domain.md 4). */
const NEW_SELLER_SALES = 5;
const NEW_SELLER_COUNT = 10;
const NEW_SELLER_MAX_FEN = 300_000;
/** One in this number of goods is a person's own account rather than a shop's. */
const PERSONAL_SHARE = 0.16;

const REJECTIONS = [
  '标题含有联系方式，请删除后重新提交',
  '图片与描述不符，请补充段位和皮肤截图',
  '价格明显低于市场价，请确认后重新提交',
  '描述要求站外联系，请改为站内沟通',
];

/** Chooses who sells what, the same for the same market and number of goods before it. */
export interface Shelves {
  /** Goods `index` with its id, seller and state. */
  add(index: number, id: number): MarketGoods;
}

function statusOf(next: Random): number {
  const x = next();
  if (x < 0.9) return 2;
  if (x < 0.93) return 3;
  if (x < 0.955) return 1;
  if (x < 0.97) return 6;
  return x < 0.985 ? 7 : 0;
}

/** Opens the shelves of these people's shops; demo logins have a fixed part. */
export function openShelves(market: Market, people: readonly Person[]): Shelves {
  const shops = people.filter((p) => p.verified && p.sold >= NEW_SELLER_SALES);
  const sums = cumulative(shops.map((p) => 4 + p.sold ** 0.85));
  const room = people
    .filter((p) => p.verified && p.sold < NEW_SELLER_SALES && p.index > 5)
    .map((person) => ({ person, left: NEW_SELLER_COUNT }));

  const personal = (next: Random, priceFen: number): Person | undefined => {
    if (priceFen > NEW_SELLER_MAX_FEN || room.length === 0) return undefined;
    const at = integer(next, 0, room.length - 1);
    const slot = room[at];
    if (!slot) return undefined;
    slot.left--;
    if (slot.left <= 0) room.splice(at, 1);
    return slot.person;
  };

  return {
    add(index, id) {
      const next = random(mixSeed(market.seed, index, 21));
      const seed = generateGoods({ seed: market.seed, index });
      const own = next() < PERSONAL_SHARE ? personal(next, seed.priceFen) : undefined;
      const seller = own ?? shops[weighted(next, sums)];
      if (!seller) throw new RangeError('nobody to sell');
      const status = statusOf(next);
      // Listings in review are recent, and so are rejections.
      const createdAgo =
        status === GoodsStatus.Reviewing
          ? integer(next, 2, 600)
          : status === GoodsStatus.Rejected
            ? integer(next, 300, 4000)
            : seed.createdAgoMinutes;
      const refreshedAgo = status === GoodsStatus.OnSale ? Math.floor(createdAgo * next() ** 2) : createdAgo;
      return {
        id,
        seed: { ...seed, createdAgoMinutes: createdAgo },
        sellerId: seller.id,
        distId: seller.distId,
        status,
        createdAt: market.ago(createdAgo),
        refreshedAt: market.ago(refreshedAgo),
        sellerLevel: sellerLevel(seller),
        reviewNote: status === GoodsStatus.Rejected ? (REJECTIONS[index % REJECTIONS.length] ?? null) : null,
        follows: 0,
      };
    },
  };
}
