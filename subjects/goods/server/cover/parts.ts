import type { Field } from '#subjects/games/contract/games.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { accountTypes, amountUnit, usesJDetail } from '#contract/rules/catalogue.ts';
import { unitsPerYuan } from '#subjects/quick-coin/rules/coin.ts';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { ladderOf } from '#subjects/services/rules/rank-ladder.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Cover, CoverFigure } from '#server/art/cover.ts';
import type { ItemIcon } from '#server/art/emblem.ts';
import { maskOf } from '#subjects/media/server/service.ts';
import { accountParts, type Attrs, shortNumber, unitParts } from './account.ts';
import type { Scale } from './scale.ts';

/** The package and provider behind a listing of boosting or companion play. */
export interface ServiceParts {
  rankFrom: number | null;
  rankTo: number | null;
  minutes: number;
  parts: number;
  safetyFen: number;
  together: boolean;
  userId: number;
  name: string;
  doneCount: number;
  onTimeRate: number | null;
  voiceSeconds: number | null;
}

/** The source data of a cover. */
export interface CoverSource {
  typeId: number;
  priceFen: number;
  stock: number;
  attrs: Attrs;
  /** The day of the inspection in China, MM-DD. */
  inspectedDay: string | null;
  region: string;
  game: { name: string; char: string; hue: number; scene: string };
  /** Fields of the game for the goods type. */
  fields: readonly Field[];
  /** All fields of the game, for its ranks. */
  gameFields: readonly Field[];
  scale: Scale;
  service: ServiceParts | null;
}

type Parts = Omit<Cover, 'game' | 'region'>;

const words = ({ fields, attrs }: CoverSource, key: string): string => {
  const field = fields.find((f) => f.key === key);
  return field ? showValue(field, attrs[key]) : '';
};

function account(s: CoverSource): Parts {
  const { title, note, tier, figures, rings } = accountParts(s.fields, s.attrs, s.scale);
  const day = s.inspectedDay;
  return {
    tier,
    title: title === '' ? s.game.name : title,
    note,
    figures,
    badge:
      day === null
        ? { text: '未验号', brief: '', isTicked: false }
        : { text: `已验号 ${day}`, brief: day, isTicked: true },
    emblem: { kind: 'rings', shares: rings, char: s.game.char },
  };
}

const MAX_DISCS = 6;

/** Coin: the amount per yuan comes first; the price itself is not part of a cover. */
function coin(s: CoverSource): Parts {
  const { amount } = s.attrs;
  const unit = amountUnit(s.typeId, s.fields.find((f) => f.key === 'amount')?.unit);
  const { times, base } = unitParts(unit);
  const lot = typeof amount === 'number' && amount > 0 ? amount * times : 0;
  const delivery = words(s, 'delivery');
  const figures: CoverFigure[] = [];
  if (lot > 0 && s.priceFen > 0)
    figures.push({ value: shortNumber(unitsPerYuan(lot, s.priceFen)), label: `${base} / 元` });
  figures.push({
    value: shortNumber(s.stock),
    label: '库存 份',
    ...(lot > 0 && { note: `共 ${shortNumber(lot * s.stock)}${base}` }),
  });
  const least = s.attrs.min_lot;
  if (typeof least === 'number') figures.push({ value: shortNumber(least * times), label: `${base} 起售` });
  return {
    tier: 1,
    title: lot > 0 ? `${shortNumber(lot)}${base} / 份` : s.game.name,
    note: '',
    figures,
    badge:
      delivery === ''
        ? undefined
        : { text: [...delivery].length > 2 ? delivery : `${delivery}交货`, brief: '', isTicked: false },
    emblem: {
      kind: 'pile',
      discs: Math.min(MAX_DISCS, Math.max(1, Math.round(Math.log10(Math.max(1, s.stock)) * 2.4))),
    },
  };
}

/** Icons by words in the item's kind. */
const ICON_WORDS: readonly (readonly [RegExp, ItemIcon])[] = [
  [/赠|礼|外观|时装|皮肤/, 'gift'],
  [/点券|代充|宝石|材料|升级|云豆|心法/, 'gem'],
  [/装备|武器|徽章|称号|翅膀|武将/, 'badge'],
];

function item(s: CoverSource): Parts {
  const kind = words(s, 'item_kind');
  const limit = words(s, 'item_trade');
  const spec = words(s, 'item_spec');
  const isFree = limit === '可直接交易';
  return {
    tier: 1,
    title: kind === '' ? s.game.name : kind,
    note: isFree ? '' : limit,
    figures: [
      { value: shortNumber(s.stock), label: '库存 件' },
      ...(spec === '' ? [] : [{ value: spec, label: '规格' }]),
    ],
    badge: isFree ? { text: limit, brief: '', isTicked: true } : undefined,
    emblem: { kind: 'icon', icon: ICON_WORDS.find(([pattern]) => pattern.test(kind))?.[1] ?? 'box' },
  };
}

const hoursText = (minutes: number): string => `${Math.round(minutes / 6) / 10} 时`;

const punctual = ({ onTimeRate, doneCount }: ServiceParts, label: string): CoverFigure[] =>
  onTimeRate === null ? [] : [{ value: `${onTimeRate}%`, label, note: `${shortNumber(doneCount)} 单` }];

function boosting(s: CoverSource): Parts {
  const { service, attrs } = s;
  const ladder = ladderOf(s.gameFields);
  const low = ladder.findIndex(({ value }) => value === service?.rankFrom);
  const high = ladder.findIndex(({ value }) => value === service?.rankTo);
  const isRoute = low >= 0 && high > low;
  const kind = words(s, 'boost_kind') || s.game.name;
  const deposit = service && service.safetyFen > 0 ? `保证金 ¥${yuanLabel(service.safetyFen).replace('.00', '')}` : '';
  const hours = typeof attrs.boost_hours === 'number' ? attrs.boost_hours * 60 : (service?.minutes ?? 0);
  return {
    tier: isRoute ? (Math.min(3, Math.floor(((high + 1) / ladder.length) * 4 - 0.01)) as 0 | 1 | 2 | 3) : 1,
    title: isRoute ? `${ladder[low]?.label ?? ''} → ${ladder[high]?.label ?? ''}` : kind,
    note: isRoute ? kind : service?.together === true ? '组队带打，不用交账号' : '',
    figures: [
      ...(hours > 0 ? [{ value: hoursText(service?.minutes ?? hours), label: '承诺用时' }] : []),
      ...(service ? punctual(service, '按时完成') : []),
      ...(service && service.parts > 1
        ? [{ value: `${service.parts} 段`, label: '分段结算', note: '每段有凭证' }]
        : []),
    ],
    badge: deposit === '' ? undefined : { text: deposit, brief: deposit, isTicked: true },
    emblem: { kind: 'stairs', steps: isRoute ? high - low : 3 },
  };
}

function companion(s: CoverSource): Parts {
  const { service } = s;
  const kind = words(s, 'play_kind');
  const voice = service?.voiceSeconds ?? 0;
  return {
    tier: 1,
    title: service?.name ?? (kind || s.game.name),
    note: kind,
    figures: [
      ...(voice > 0 ? [{ value: `${voice}″`, label: '语音介绍' }] : []),
      ...(service
        ? [{ value: shortNumber(service.doneCount), label: '完成 单' }, ...punctual(service, '准时开始')]
        : []),
    ],
    // Every provider of companion play is a verified adult (providers, requireAdult).
    badge: service ? { text: '实名成年', brief: '实名成年', isTicked: true } : undefined,
    emblem: { kind: 'mask', mask: maskOf(service?.userId ?? 0, service?.name ?? '', voice > 0) },
  };
}

function partsOf(s: CoverSource): Parts {
  if (accountTypes.includes(s.typeId)) return account(s);
  if (usesJDetail(s.typeId)) return coin(s);
  if (s.typeId === BOOSTING) return boosting(s);
  if (s.typeId === COMPANION_PLAY) return companion(s);
  return item(s);
}

/** The cover of a listing. Attributes that are missing leave their places empty; the title falls back to the game's name. */
export const coverOf = (s: CoverSource): Cover => ({ ...partsOf(s), game: s.game, region: s.region });

/**
 * The cover of an account in recycling. Neither the floor price nor the number of bidders is on it: the bidding is blind, and bidders see
 * the cover.
 */
export const recyclingCover = (s: CoverSource): Cover => ({
  ...account(s),
  game: s.game,
  region: s.region,
  badge: { text: '回收', brief: '', isTicked: false },
});
