import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import { sellerLevelName } from '../rules/standing.ts';
import type * as c from '#subjects/seller-levels/contract/seller-level.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { holdOfLevel, saleHold, stageText } from '#subjects/deposits/server/service.ts';
import { loadSellerDetails } from './queries.ts';
import { type LevelSetting, type NeedKey, needsOf, type NeedState, type SellerDetails } from './rules.ts';

/** The public rule that defines how levels are counted. */
const RULE_NO = '7.1';
const HISTORY = 6;

type View = HandlerResult<typeof c.sellerLevel>;

const needText: Readonly<Record<NeedKey, { label: string; unit: (n: number) => string }>> = {
  buyers: { label: '不同买家', unit: (n) => `${n} 位` },
  fen: { label: '计入成交额', unit: (n) => `${yuanLabel(n)} 元` },
  days: { label: '实名天数', unit: (n) => `${n} 天` },
  bad: { label: '败诉与取消', unit: (n) => `${n} 次` },
  rating: { label: '评分', unit: (n) => `${(n / 100).toFixed(2)} 分` },
};

/** A requirement as text; requirements that a level does not have are omitted. */
function needView({ key, have, need, met }: NeedState, details: SellerDetails): View['ladder'][number]['needs'] {
  if (key === 'rating' && need === 0) return [];
  const { label, unit } = needText[key];
  const limit = key === 'bad' ? `不超过 ${unit(need)}` : unit(need);
  const has = key === 'rating' && have === 0 ? `${details.ratings} 位买家评价，暂不计` : unit(have);
  return [{ key, label, have: has, need: limit, met }];
}

const leftOutView = (details: SellerDetails, setting: LevelSetting): View['leftOut'] => [
  {
    label: '有关联的买家',
    count: details.leftOut.related,
    explain: '与您用过同一台设备、同一收款账户，有邀请关系，或互相买卖',
  },
  { label: '同一买家多买', count: details.leftOut.repeated, explain: `同一买家最多计 ${setting.perBuyerOrders} 单` },
  { label: '小额订单', count: details.leftOut.small, explain: `低于 ${yuanLabel(setting.minFen)} 元` },
  { label: '担保与线下订单', count: details.leftOut.private, explain: '双方事先约定的交易' },
];

const ruleText = (setting: LevelSetting): string[] => [
  `只看近 ${setting.windowDays} 天内完成、保护期已结束的订单，退款的部分扣除；刚完成的订单等货款解冻后计入。`,
  `同一买家最多计 ${setting.perBuyerOrders} 单、${yuanLabel(setting.perBuyerFen)} 元；${yuanLabel(setting.minFen)} 元以下的订单不计。`,
  `满 ${setting.ratingCount} 位买家评价后计评分，每位买家只取最近一次。`,
  '申诉败诉和付款后取消合计，偶发一次不影响升级。',
  '1 级起货款可在保护期内分段提前放出（规则 7.2），买家的保护期不变。',
  '每天凌晨和每次解冻、结案后重新计算，等级不能购买。',
];

/** The caller's own level, counted now. */
export async function loadStanding({ ctx, user }: UserCall): Promise<View> {
  const setting = ctx.dir.setting('seller_levels');
  const [details, stored, history, hold] = await Promise.all([
    loadSellerDetails(ctx.db, user.id, setting),
    sql<{ level: number; since: Date | null }>`
      select u.seller_level as level, s.level_since as since from app_user u left join seller_standing s on s.user_id = u.id where u.id = ${user.id}`.execute(
      ctx.db,
    ),
    sql<{ from: number; to: number; at: Date }>`
      select from_level as "from", to_level as "to", created_at as at from seller_level_change where user_id = ${user.id} order by id desc limit ${HISTORY}`.execute(
      ctx.db,
    ),
    saleHold(ctx, ctx.db, user.id),
  ]);
  const own = stored.rows[0];
  if (!details || !own) throw new AppError('NOT_FOUND');
  const { leftOut: _, fen, ...counted } = details;
  return {
    level: own.level,
    levelName: sellerLevelName(own.level),
    sinceTime: own.since,
    windowDays: setting.windowDays,
    counted: { ...counted, amount: fen },
    leftOut: leftOutView(details, setting).filter(({ count }) => count > 0),
    rules: ruleText(setting),
    ruleNo: RULE_NO,
    ladder: [undefined, ...setting.levels].map((need, level) => ({
      level,
      name: sellerLevelName(level),
      holdHours: holdOfLevel(ctx, level).hours,
      stagesText: stageText(holdOfLevel(ctx, level).stages),
      reached: level <= own.level,
      needs: need ? needsOf(need, details, setting).flatMap((state) => needView(state, details)) : [],
    })),
    holdHours: hold.hours,
    stagesText: stageText(hold.stages),
    hasDepositStep: hold.level > own.level,
    history: history.rows.map(({ from, to, at }) => ({
      fromName: sellerLevelName(from),
      toName: sellerLevelName(to),
      up: to > from,
      time: at,
    })),
  };
}
