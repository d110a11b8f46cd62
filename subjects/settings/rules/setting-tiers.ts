/** Guarantee tiers as settings: one form for each tier, with a version for each change of its terms (decision 250). */
import { claimReasons } from '#subjects/guarantees/rules/guarantee.ts';
import type { SettingField } from './setting-fields.ts';
import type { SettingSpec } from './setting-groups.ts';

const YUAN = 100;
const PREFIX = 'tier:';

/** Whether a key names a guarantee tier: 'tier:recovery'. */
export const isTierKey = (key: string): boolean => /^tier:[a-z_]{2,20}$/.test(key);
export const tierKey = (code: string): string => `${PREFIX}${code}`;
export const tierCode = (key: string): string => key.slice(PREFIX.length);

const MOST = [
  ['', '不保'],
  ['price', '最多商品价'],
  ['receipts', '按充值凭证'],
] as const;

const reasonFields = Object.entries(claimReasons).flatMap(([reason, { name }]): SettingField[] => {
  const at = `reasons.${reason}`;
  return [
    { path: `${at}.most`, label: '赔付范围', type: 'choice', options: MOST, row: name, optional: true },
    { path: `${at}.byItself`, label: '到期自动赔付', type: 'flag', row: name, optional: true },
    { path: `${at}.fall.afterDays`, label: '满几天后递减', type: 'days', min: 1, max: 3650, row: name, optional: true },
    { path: `${at}.fall.everyDays`, label: '每隔', type: 'days', min: 1, max: 3650, row: name, optional: true },
    { path: `${at}.fall.stepBp`, label: '每次递减', type: 'rate', min: 1, max: 10_000, row: name, optional: true },
    { path: `${at}.fall.floorBp`, label: '最低保留', type: 'rate', max: 10_000, row: name, optional: true },
  ];
});

const fields: readonly SettingField[] = [
  { path: 'name', label: '名称', type: 'text' },
  {
    path: 'kind',
    label: '类型',
    type: 'choice',
    options: [
      ['fixEnsure', '找回包赔'],
      ['ensure', '综合包赔'],
    ],
    hint: '每笔订单各类型最多选一档',
  },
  { path: 'onOffer', label: '在售', type: 'flag' },
  { path: 'bp', label: '费率', type: 'rate', max: 5000, hint: '按商品价；有近 180 天样本的游戏按实测费率' },
  { path: 'minFen', label: '最低费用', type: 'yuan', max: 1000 * YUAN },
  { path: 'payoutBp', label: '最多赔付', type: 'rate', min: 1, max: 30_000, hint: '占商品价' },
  { path: 'chaseDays', label: '追讨期', type: 'days', min: 1, max: 60, hint: '期满自动赔付或转人工' },
  { path: 'coverDays', label: '保障期', type: 'days', min: 1, max: 3650, optional: true, hint: '留空为长期' },
  { path: 'sort', label: '排序', type: 'count', max: 1000 },
  { path: 'coverText', label: '一句话说明', type: 'longText' },
  { path: 'exclusions', label: '不赔的情况（每行一条）', type: 'lines' },
  {
    path: 'games',
    label: '只用于这些游戏',
    type: 'idList',
    min: 1,
    max: 100_000,
    optional: true,
    hint: '游戏编号从小到大；留空为全部',
  },
  ...reasonFields,
];

/** The form of a tier. */
export const tierSpec = (key: string, name = '包赔档位'): SettingSpec => ({
  key,
  group: 'tiers',
  name,
  hint: '改动存为新的一版，已售出的保障仍按购买时的条款赔付。',
  twoPersons: true,
  rules: ['5.4', '5.5'],
  fields,
});

/** The initial form of a new tier. */
export const newTier = {
  onOffer: true,
  kind: 'ensure',
  minFen: 500,
  payoutBp: 10_000,
  chaseDays: 7,
  sort: 100,
  exclusions: [],
  reasons: {},
};

const isEmpty = (value: object): boolean => Object.values(value).every((one) => one === undefined);

/** Omits the reasons that a tier does not cover, and the unused parts of a cover that does not fall. */
export function wholeTier(value: Record<string, unknown>): void {
  const reasons = (value.reasons ?? {}) as Record<string, { most?: string; byItself?: boolean; fall?: object }>;
  value.reasons = Object.fromEntries(
    Object.entries(reasons)
      .filter(([, { most }]) => most)
      .map(([name, { most, byItself, fall }]) => [
        name,
        { most, byItself: byItself === true, ...(fall && !isEmpty(fall) && { fall }) },
      ]),
  );
}
