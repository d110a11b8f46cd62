import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Band } from './value.ts';

/** The terms of a floor, of setting `recycling`. */
export type FloorSetting = Pick<
  SettingValue<'recycling'>,
  'handlingBp' | 'recoveryBp' | 'capitalBpPerDay' | 'errorBp' | 'floorMaxFen'
>;

/** One change of the price with its reason, in fen; negative except for low optional answers, which count as the lower quartile. */
export interface FloorLine {
  label: string;
  reason: string;
  fen: number;
}

export interface Floor {
  typicalFen: number;
  lines: FloorLine[];
  floorFen: number;
}

const BP = 10_000;
const MAX_DAYS = 30;
const MAX_FALL = -0.15;
/** The lowest floor that is offered. */
export const MIN_FLOOR_FEN = 1000;

/** How far a floor may be above that of a model a month older, in basis points. */
const MAX_RISE_BP = 1500;

/** The prices that a floor counts with: at most so far above those of an earlier model, whichever price is meant. */
function limited(band: Band, past: Band | undefined): { lowFen: number; typicalFen: number } {
  const most = (fen: number): number => Math.round((fen * (BP + MAX_RISE_BP)) / BP);
  return past
    ? { lowFen: Math.min(band.lowFen, most(past.lowFen)), typicalFen: Math.min(band.typicalFen, most(past.typicalFen)) }
    : band;
}

interface FloorFacts {
  trend: number;
  days: number | null;
  recoveryBp: number | null;
  typicalFen?: number;
  /** The band of the same account by a model that is at least a month old (decision 768). */
  past?: Band | undefined;
}

/**
 * The price that the platform pays for an account immediately: the typical price minus the risks, each with its amount; the lines add up to
 * the floor. It never falls when the typical and low prices rise, so it is capped at the highest floor. Null when it would be below ten yuan.
 */
export function floorOf(band: Band, facts: FloorFacts, setting: FloorSetting): Floor | null {
  const { lowFen, typicalFen } = limited(band, facts.past);
  const answeredFen = band.typicalFen;
  const shownFen = facts.typicalFen ?? answeredFen;
  const part = (bp: number): number => -Math.round((typicalFen * bp) / BP);
  const fall = Math.max(MAX_FALL, Math.min(0, facts.trend));
  const recoveryBp = facts.recoveryBp ?? setting.recoveryBp;
  const days = Math.min(MAX_DAYS, Math.ceil(facts.days ?? MAX_DAYS));
  const rate = (bp: number): string => `${(bp / 100).toFixed(bp % 100 === 0 ? 0 : 1)}%`;
  // The rates apply to the amount after the optional answers, so that the reader can recompute them.
  const base = shownFen === typicalFen ? '参考价' : `${yuanLabel(typicalFen)} 元`;
  const lines: FloorLine[] = [
    ...(shownFen > answeredFen
      ? [{ label: '没填的项', reason: '按偏低的情况计，填全了更高', fen: answeredFen - shownFen }]
      : []),
    ...(shownFen < answeredFen
      ? [{ label: '偏低的选填项', reason: '最低按同类的下四分位计', fen: answeredFen - shownFen }]
      : []),
    ...(typicalFen < answeredFen
      ? [
          {
            label: '涨得过快的部分',
            reason: `一个月里最多按涨 ${rate(MAX_RISE_BP)} 计`,
            fen: typicalFen - answeredFen,
          },
        ]
      : []),
    {
      label: '近 30 日行情',
      reason: fall < 0 ? `同类成交价跌 ${(-100 * fall).toFixed(1)}%` : '没有下跌，不扣',
      fen: Math.round(typicalFen * fall),
    },
    {
      label: '估价误差',
      reason: `${base}与低价 ${yuanLabel(lowFen)} 元之差的 ${rate(setting.errorBp)}`,
      fen: -Math.round(((typicalFen - lowFen) * setting.errorBp) / BP),
    },
    {
      label: '找回风险',
      reason:
        facts.recoveryBp === null
          ? `按平台平均 ${rate(recoveryBp)} 计`
          : `按该游戏近一年的理赔和平台平均计，${rate(recoveryBp)}`,
      fen: part(recoveryBp),
    },
    { label: '收号、保管、再上架', reason: `${base}的 ${rate(setting.handlingBp)}`, fen: part(setting.handlingBp) },
    { label: '资金占用', reason: `预计 ${days} 天卖出`, fen: part(setting.capitalBpPerDay * days) },
  ];
  const raw = shownFen + lines.reduce((sum, l) => sum + l.fen, 0);
  const wholeFen = Math.floor(raw / 100) * 100;
  const floorFen = Math.min(wholeFen, setting.floorMaxFen);
  if (floorFen < MIN_FLOOR_FEN) return null;
  if (wholeFen !== raw) lines.push({ label: '取整', reason: '到元', fen: wholeFen - raw });
  if (floorFen < wholeFen)
    lines.push({
      label: '超出上限的部分',
      reason: `单个账号最多保底 ${yuanLabel(setting.floorMaxFen)} 元`,
      fen: floorFen - wholeFen,
    });
  return { typicalFen: shownFen, lines, floorFen };
}
