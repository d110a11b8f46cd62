import { BOOSTING } from '#contract/rules/order-status.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { milestoneShares } from '#contract/rules/service.ts';
import { reserveIds } from './bulk.ts';
import type { Market } from './market.ts';
import type { Person } from './people.ts';

export const HOUR = 60;
export const DAY = 1440;
const BUYER_BP = 100;
const SELLER_BP = 500;
/** The demo's booster (services.ts). */
const BOOSTER_INDEX = 5;

type State = 'working' | 'paused' | 'checking' | 'ended';

/** One open order as the demo has it: where it stands, and what came of it. */
export interface Plan {
  code: string;
  from: string;
  to: string;
  fen: number;
  hours: number;
  mode: 'account' | 'together';
  /** Minutes ago. */
  ago: number;
  status: 'open' | 'taken' | 'expired' | 'withdrawn';
  state?: State;
  /** Of the first stage: done and paid for the later states. */
  percent?: number;
  note?: string;
}

const PLANS: readonly Plan[] = [
  {
    code: 'wzry',
    from: '钻石一',
    to: '最强王者',
    fen: 26_000,
    hours: 20,
    mode: 'account',
    ago: 12,
    status: 'open',
    note: '不用点券和改名卡，晚上十点后打',
  },
  { code: 'wzry', from: '星耀三', to: '最强王者', fen: 15_800, hours: 12, mode: 'together', ago: 35, status: 'open' },
  {
    code: 'hpjy',
    from: '皇冠五',
    to: '无敌战神',
    fen: 32_000,
    hours: 30,
    mode: 'account',
    ago: 58,
    status: 'open',
    note: '组排四排都行',
  },
  { code: 'lol', from: '黄金四', to: '铂金一', fen: 18_800, hours: 24, mode: 'account', ago: 190, status: 'open' },
  {
    code: 'wzry',
    from: '永恒钻石三',
    to: '至尊星耀五',
    fen: 8800,
    hours: 10,
    mode: 'account',
    ago: 5 * HOUR,
    status: 'taken',
    state: 'working',
    percent: 60,
  },
  {
    code: 'wzry',
    from: '至尊星耀五',
    to: '最强王者',
    fen: 16_000,
    hours: 16,
    mode: 'account',
    ago: 9 * HOUR,
    status: 'taken',
    state: 'paused',
    percent: 100,
  },
  {
    code: 'hpjy',
    from: '钻石二',
    to: '皇冠一',
    fen: 12_000,
    hours: 12,
    mode: 'together',
    ago: DAY,
    status: 'taken',
    state: 'checking',
    percent: 100,
  },
  {
    code: 'wzry',
    from: '荣耀黄金',
    to: '永恒钻石五',
    fen: 6600,
    hours: 8,
    mode: 'account',
    ago: 2 * DAY,
    status: 'taken',
    state: 'ended',
  },
  { code: 'lol', from: '白银一', to: '黄金四', fen: 5000, hours: 12, mode: 'account', ago: 4 * DAY, status: 'expired' },
  {
    code: 'wzry',
    from: '王者十星',
    to: '王者二十星',
    fen: 20_000,
    hours: 20,
    mode: 'account',
    ago: 6 * DAY,
    status: 'withdrawn',
  },
];

export interface Made {
  plan: Plan;
  id: number;
  sn: string;
  orderId: number;
  buyer: Person;
  booster: { id: number; userId: number };
  gameId: number;
  gameName: string;
  kind: number | null;
  feeFen: number;
  commissionFen: number;
  shares: number[];
  safetyFen: number;
  efficiencyFen: number;
  /** What the first stage has paid. */
  advanceFen: number;
}

export const STAGES = [
  { title: '完成一半', shareBp: 5000 },
  { title: '打到目标', shareBp: 5000 },
];

export const isPaidAhead = ({ state }: Plan): boolean => state === 'paused' || state === 'checking';

/** Who pays an open order: the demo's own buyer as far as the balance goes, then others who have the money. */
async function payers(market: Market, people: readonly Person[]): Promise<(fen: number) => Person | undefined> {
  const { rows } = await market.client.query<{ id: string; fen: string }>(
    `select split_part(key, ':', 2) as id, balance::text as fen from ledger_account where key like 'user:%:available'`,
  );
  const left = new Map(rows.map((r) => [Number(r.id), Number(r.fen)]));
  return (fen) => {
    const buyer = people.find((p) => p.verified && p.index !== BOOSTER_INDEX && (left.get(p.id) ?? 0) >= fen);
    if (buyer) left.set(buyer.id, (left.get(buyer.id) ?? 0) - fen);
    return buyer;
  };
}

/** The open orders with their numbers, prices, payers and booster. */
export async function planned(market: Market, people: readonly Person[]): Promise<Made[]> {
  const [ids, orderIds] = [
    await reserveIds(market.client, 'boost_request', PLANS.length),
    await reserveIds(market.client, 'orders', PLANS.length),
  ];
  const { rows } = await market.client.query<{ id: string; userId: string }>(
    `select id::text, user_id::text as "userId" from provider where kind = 'booster' and status = 'approved' order by id`,
  );
  const payer = await payers(market, people);
  return PLANS.flatMap((plan, i): Made[] => {
    const game = GAMES.find((g) => g.code === plan.code && g.goodsTypes.some(({ id }) => id === BOOSTING));
    const booster = rows[0];
    const buyer = payer(plan.fen + feeOf(plan.fen, BUYER_BP));
    if (!game || !booster || !buyer) return [];
    const kind = game.fields.find(({ key }) => key === 'boost_kind')?.options?.[0]?.v;
    const shares = milestoneShares(
      plan.fen,
      STAGES.map((s) => s.shareBp),
    );
    const commissionFen = feeOf(plan.fen, SELLER_BP);
    const first = shares[0] ?? 0;
    return [
      {
        plan,
        id: ids[i] ?? 0,
        sn: `BRDEMO${String(i + 1).padStart(4, '0')}`,
        orderId: orderIds[i] ?? 0,
        buyer,
        booster: { id: Number(booster.id), userId: Number(booster.userId) },
        gameId: game.id,
        gameName: game.name,
        kind: typeof kind === 'number' ? kind : null,
        feeFen: feeOf(plan.fen, BUYER_BP),
        commissionFen,
        shares,
        safetyFen: Math.round(plan.fen / 5),
        efficiencyFen: Math.round(plan.fen / 10),
        // As order_pay_part computes it: less the commission, and one fen stays.
        advanceFen: isPaidAhead(plan) ? first - Math.ceil((commissionFen * first) / plan.fen) - 1 : 0,
      },
    ];
  });
}
