/** Errors in the values of a setting as a whole: tiers that overlap, leave gaps or exceed the whole (decision 250). */

import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { grouped } from '#contract/rules/amounts.ts';

/** A problem of one field, by the field's path. */
export interface SettingProblem {
  readonly path: string;
  readonly text: string;
}

/** The value of another setting that a check compares with; undefined if it is not available. */
export type OtherSetting = (key: string) => unknown;

type Check = (value: never, other: OtherSetting) => SettingProblem[];

const WHOLE_BP = 10_000;
const percent = (bp: number): string => `${bp / 100}%`;
const yuan = (fen: number): string => `${grouped(fen / 100)} 元`;
const levelName = (level: number): string => (level === 0 ? '新卖家' : `${level} 级卖家`);

type Stages = SettingValue<'hold_stages'>;

function holdHours(hours: readonly number[], other: OtherSetting): SettingProblem[] {
  const stages = other('hold_stages') as Stages | undefined;
  return hours.flatMap((value, level): SettingProblem[] => {
    const before = hours[level - 1];
    const path = String(level);
    if (before !== undefined && value > before)
      return [{ path, text: `不能长于${levelName(level - 1)}的 ${before} 小时` }];
    const last = Math.max(0, ...(stages?.levels[level]?.parts.map((part) => part.hours) ?? []));
    return last >= value && last > 0 ? [{ path, text: `须长于该级最后一段提前放款的 ${last} 小时，请先修改分段` }] : [];
  });
}

function holdStages({ levels }: Stages, other: OtherSetting): SettingProblem[] {
  const hours = other('hold_hours') as readonly number[] | undefined;
  return levels.flatMap(({ openFen, parts }, level): SettingProblem[] => {
    const at = `levels.${level}`;
    const found: SettingProblem[] = [];
    const below = levels[level - 1];
    if (below && openFen < below.openFen)
      found.push({ path: `${at}.openFen`, text: `不能低于${levelName(level - 1)}的 ${yuan(below.openFen)}` });
    for (const [index, part] of parts.entries()) {
      const path = `${at}.parts.${index}.hours`;
      const before = parts[index - 1];
      const end = hours?.[level];
      if (before && part.hours <= before.hours) found.push({ path, text: `与前一段重叠，须晚于 ${before.hours} 小时` });
      else if (end !== undefined && part.hours >= end) found.push({ path, text: `须早于该级保护期的 ${end} 小时` });
    }
    const sum = parts.reduce((all, { bp }) => all + bp, 0);
    if (sum >= WHOLE_BP)
      found.push({
        path: `${at}.parts.${parts.length - 1}.bp`,
        text: `各段合计 ${percent(sum)}，须低于 100%，最后一段须留到保护期满`,
      });
    return found;
  });
}

type Need = SettingValue<'seller_levels'>['levels'][number];

const NEEDS = [
  ['buyers', 1, String],
  ['fen', 1, yuan],
  ['days', 1, (days: number) => `${days} 天`],
  ['rating', 1, (stars: number) => `${stars} 星`],
  ['badBp', -1, percent],
] as const;

function sellerLevels({ levels }: { levels: readonly Need[] }): SettingProblem[] {
  return levels.flatMap((need, index): SettingProblem[] => {
    const below = levels[index - 1];
    if (!below) return [];
    const found = NEEDS.filter(([name, sign]) => (need[name] - below[name]) * sign < 0).map(([name, sign, text]) => ({
      path: `levels.${index}.${name}`,
      text: `不能${sign === 1 ? '低' : '高'}于 ${index} 级的 ${text(below[name])}`,
    }));
    const same = NEEDS.every(([name]) => need[name] === below[name]);
    return same ? [{ path: `levels.${index}.buyers`, text: `与 ${index} 级完全相同，这一级永远不会单独出现` }] : found;
  });
}

const minMax = (value: Readonly<Record<string, number>>, min: string, max: string): SettingProblem[] =>
  (value[min] ?? 0) > (value[max] ?? 0) ? [{ path: max, text: `不能小于最低的 ${yuan(value[min] ?? 0)}` }] : [];

const deposit = (value: Readonly<Record<string, number>>): SettingProblem[] => [
  ...minMax(value, 'cancelMinFen', 'cancelMaxFen'),
  ...minMax(value, 'lossMinFen', 'lossMaxFen'),
];

interface LevelOfDeposit {
  name?: string;
  amountFen?: number;
  releaseDays?: number;
}

function depositLevels(roles: Readonly<Record<string, readonly (LevelOfDeposit | undefined)[]>>): SettingProblem[] {
  return Object.entries(roles).flatMap(([role, levels]): SettingProblem[] => {
    if (!levels[0]) return [{ path: `${role}.0.name`, text: '至少保留 1 级' }];
    return levels.flatMap((level, index): SettingProblem[] => {
      const at = `${role}.${index}`;
      if (!level) return [{ path: `${at}.name`, text: '等级须连续，中间不能留空' }];
      const missing = (
        [
          ['name', '名称'],
          ['amountFen', '金额'],
          ['releaseDays', '退还等待'],
        ] as const
      ).filter(([field]) => level[field] === undefined);
      if (missing.length > 0)
        return missing.map(([field, label]) => ({ path: `${at}.${field}`, text: `请填写${label}` }));
      const below = levels[index - 1]?.amountFen;
      return below !== undefined && (level.amountFen ?? 0) <= below
        ? [{ path: `${at}.amountFen`, text: `须高于前一级的 ${yuan(below)}` }]
        : [];
    });
  });
}

function withdraw(value: Readonly<Record<string, number>>): SettingProblem[] {
  const { minFen = 0, feeFen = 0, dayMaxFen = 0 } = value;
  if (feeFen >= minFen) return [{ path: 'feeFen', text: `须低于每笔最低的 ${yuan(minFen)}` }];
  return dayMaxFen < minFen ? [{ path: 'dayMaxFen', text: `不能低于每笔最低的 ${yuan(minFen)}` }] : [];
}

function topup(value: { minFen: number; maxFen: number; quickYuan: readonly number[] }): SettingProblem[] {
  if (value.maxFen < value.minFen) return [{ path: 'maxFen', text: `不能小于最低的 ${yuan(value.minFen)}` }];
  const outside = value.quickYuan.find((one) => one * 100 < value.minFen || one * 100 > value.maxFen);
  return outside === undefined ? [] : [{ path: 'quickYuan', text: `快捷金额 ${grouped(outside)} 元超出每笔的限额` }];
}

interface Fall {
  afterDays?: number;
  everyDays?: number;
  stepBp?: number;
  floorBp?: number;
}

interface Tier {
  kind: string;
  payoutBp: number;
  onOffer: boolean;
  reasons: Readonly<Record<string, { most: string; fall?: Fall }>>;
}

const FALL = ['afterDays', 'everyDays', 'stepBp', 'floorBp'] as const;

/** The parts of a cover that falls: all four or none, and never negative. */
function fallProblems(at: string, most: string, fall: Fall): SettingProblem[] {
  const missing = FALL.filter((name) => fall[name] === undefined);
  if (missing.length > 0) return missing.map((name) => ({ path: `${at}.fall.${name}`, text: '递减的四项须一起填写' }));
  if (most === 'receipts') return [{ path: `${at}.fall.afterDays`, text: '按凭证赔付的不递减，请留空' }];
  return (fall.stepBp ?? 0) + (fall.floorBp ?? 0) > WHOLE_BP
    ? [
        {
          path: `${at}.fall.stepBp`,
          text: `每次递减与最低合计 ${percent((fall.stepBp ?? 0) + (fall.floorBp ?? 0))}，不能超过 100%`,
        },
      ]
    : [];
}

function tier(value: Tier, other: OtherSetting): SettingProblem[] {
  const covered = Object.entries(value.reasons);
  const found = covered.flatMap(([name, { most, fall }]) => (fall ? fallProblems(`reasons.${name}`, most, fall) : []));
  if (covered.length === 0) found.push({ path: 'reasons.recovered.most', text: '至少保一种情况' });
  const receipts = covered.some(([, { most }]) => most === 'receipts');
  if (value.payoutBp > WHOLE_BP && !receipts)
    found.push({ path: 'payoutBp', text: '没有按凭证赔付的情况时，不能超过商品价的 100%' });
  const before = other('kind');
  if (before !== undefined && before !== value.kind)
    found.push({ path: 'kind', text: '已有档位的类型不能更改，请新建' });
  return found;
}

const staffSession = ({ idleMinutes = 0, maxMinutes = 0, stepUpMinutes = 0 }: Readonly<Record<string, number>>) => [
  ...(idleMinutes > maxMinutes ? [{ path: 'idleMinutes', text: `不能长于最长登录的 ${maxMinutes} 分钟` }] : []),
  ...(stepUpMinutes > maxMinutes ? [{ path: 'stepUpMinutes', text: `不能长于最长登录的 ${maxMinutes} 分钟` }] : []),
];

const checks: Readonly<Record<string, Check>> = {
  hold_hours: holdHours,
  hold_stages: holdStages,
  seller_levels: sellerLevels,
  deposit,
  deposit_levels: depositLevels,
  withdraw,
  topup,
  staffSession,
  tier,
};

/** The errors of a setting's value whose fields are valid individually. */
export function checkSetting(key: string, value: unknown, other: OtherSetting): SettingProblem[] {
  return checks[key]?.(value as never, other) ?? [];
}
