import type { Field } from '#subjects/games/contract/games.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { ladderOf } from '#subjects/services/rules/rank-ladder.ts';
import type { CoverFigure } from '#server/art/cover.ts';
import type { Tier } from '#server/art/palette.ts';
import { widthOf } from '#server/art/svg.ts';
import { type Scale, shareBelow } from './scale.ts';

export type Attrs = Readonly<Record<string, unknown>>;

/** Options that mean "none". */
const NOTHING: ReadonlySet<string> = new Set(['无', '未定级', '未满星', '无打造', '普通时装']);
/** Fields for where an account is played, not its contents. */
const PLATFORMS: ReadonlySet<string> = new Set(['os', 'system']);
/** Values that mean nothing without their field. */
const BARE = /^(?:[一二三四五六七八九十]+阶|V\d+)$/;
const TITLE_EM = 9;
const NOTE_EM = 15;
const FIGURES = 3;
const LABEL_LENGTH = 4;
/** A percentile below this is not shown. */
const WORTH_SAYING = 10;
/** A figure with at least this percentile comes first, regardless of the catalogue's order. */
const OUTSTANDING = 95;

/** Formats a number for covers: 1.86亿, 6.2万, 8,420, 0.53. */
export function shortNumber(value: number): string {
  const scaled = (by: number, unit: string) => {
    const decimals = value / by < 10 ? 2 : value / by < 1000 ? 1 : 0;
    return `${Number((value / by).toFixed(decimals))}${unit}`;
  };
  if (value >= 99_999_500) return scaled(100_000_000, '亿');
  if (value >= 10_000) return scaled(10_000, '万');
  return value < 1000 ? String(Math.round(value * 100) / 100) : Math.round(value).toLocaleString('en-US');
}

/** A field's label in at most four characters: 荣耀典藏皮肤 → 荣耀典藏, 皮肤数量 → 皮肤. */
export function shortLabel(label: string): string {
  const core = (label.split('(')[0] ?? '').replace(/(?:总?数量?|点数)$/, '');
  if ([...core].length <= LABEL_LENGTH) return core === '' ? label : core;
  const stripped = core.replace(/(皮肤|角色|武器|共鸣者|从者|外观|时装|等级)$/, '');
  return [...stripped].slice(0, LABEL_LENGTH).join('');
}

/** A unit of ten thousand as a factor and its base: 万金币 is 10,000 and 金币. */
export const unitParts = (unit: string): { times: number; base: string } =>
  unit.charAt(0) === '万' ? { times: 10_000, base: unit.slice(1) } : { times: 1, base: unit };

/** A figure as text: a unit of ten thousand belongs to the number, 26000 万 is 2.6亿. */
const valueOf = (field: Field, value: number): string => shortNumber(value * unitParts(field.unit ?? '').times);

interface Candidate {
  field: Field;
  value: number;
  order: number;
  share: number | undefined;
  /** Length of the ring, 0 to 100. */
  ring: number;
}

/** The position within the bounds of the form field, used when there are too few listings to compare with. */
function placeInForm({ min = 0, max = 0 }: Field, value: number): number {
  const span = Math.log1p(Math.max(0, max - min));
  return span === 0 ? 0 : Math.min(100, Math.round((Math.log1p(Math.max(0, value - min)) / span) * 100));
}

function candidatesOf(fields: readonly Field[], attrs: Attrs, scale: Scale, taken: string | undefined): Candidate[] {
  return fields
    .filter((f) => f.kind === 'range' && (f.inCard || f.numericSlot !== undefined) && f.key !== taken)
    .toSorted((a, b) => Number(b.inCard) - Number(a.inCard))
    .flatMap((field, order) => {
      const value = attrs[field.key];
      if (typeof value !== 'number' || value <= 0) return [];
      const share = shareBelow(scale, field.key, value);
      return [{ field, value, order, share, ring: share ?? placeInForm(field, value) }];
    });
}

/** The three figures that favour the listing most, the strongest first. */
function chosen(candidates: readonly Candidate[]): Candidate[] {
  const best = candidates.toSorted((a, b) => b.ring - a.ring || a.order - b.order);
  const firsts = best.filter(({ order }) => order < 2);
  const lead = best[0] && best[0].ring >= OUTSTANDING ? best[0] : (firsts[0] ?? best[0]);
  return lead ? [lead, ...best.filter((c) => c !== lead)].slice(0, FIGURES) : [];
}

/** Options that few other listings have, rarest first; whole names only. */
function rareNames(fields: readonly Field[], attrs: Attrs, { options }: Scale): string {
  const held = fields.flatMap((field) => {
    if (field.kind !== 'multi' && field.kind !== 'item_count') return [];
    const value = attrs[field.key];
    const keys = Array.isArray(value) ? value.map(String) : Object.keys((value as object | undefined) ?? {});
    return keys.flatMap((v) => {
      const label = field.options?.find((o) => String(o.v) === v)?.label;
      return label === undefined || NOTHING.has(label) ? [] : [{ label, count: options.get(`${field.key}:${v}`) ?? 0 }];
    });
  });
  let text = '';
  let count = 0;
  for (const { label } of held.toSorted((a, b) => a.count - b.count)) {
    const longer = text === '' ? label : `${text} · ${label}`;
    if (count === FIGURES) break;
    if (widthOf(longer) > NOTE_EM) continue;
    text = longer;
    count += 1;
  }
  return text;
}

const labelOf = (field: Field | undefined, attrs: Attrs): string => {
  const label = field ? showValue(field, attrs[field.key]) : '';
  return NOTHING.has(label) ? '' : label;
};

/** A level as text: 联觉 52 级; without a separate label 52 级. */
const levelText = ({ label }: Field, value: number): string =>
  `${label === '等级' ? '' : `${label.replace(/等级$/, '')} `}${value} 级`;

/** Rank or class, then related values while there is room; with the key of the level when it is included. */
function titleOf(fields: readonly Field[], attrs: Attrs): { title: string; level: string | undefined } {
  const rankField = fields.find((f) => f.kind === 'single' && (f.key === 'rank' || f.key.endsWith('_rank')));
  const rank = labelOf(rankField, attrs);
  const others = fields.filter((f) => f.kind === 'single' && f.inCard && f !== rankField && !PLATFORMS.has(f.key));
  const level = fields.find((f) => f.key === 'level' && typeof attrs[f.key] === 'number');
  const levelLine = level ? levelText(level, Number(attrs[level.key])) : '';
  const parts = [rankField, ...others].map((field, i) => {
    const text = labelOf(field, attrs);
    // 七阶 or V4 alone says nothing without the name of its field.
    return i === 0 || rank === '' ? text.replace(BARE, `${field?.label.replace(/等级$/, '') ?? ''} $&`) : text;
  });
  const words = parts.filter((text) => text !== '' && !/^\d+$/.test(text));
  const isLevelled = level !== undefined && (rank === '' || words.length === 0) && level.inCard;
  const [first = '', second = ''] = isLevelled ? [words[0] ?? levelLine, words.length === 0 ? '' : levelLine] : words;
  const both = second === '' ? first : `${first} · ${second}`;
  const title = widthOf(both) <= TITLE_EM ? both : first;
  return { title, level: level && title.includes(levelLine) ? level.key : undefined };
}

/** The level of the account: by its rank among the game's ranks, else by the percentile of its first figure. */
function tierOf(fields: readonly Field[], attrs: Attrs, lead: number | undefined): Tier {
  const ladder = ladderOf(fields);
  const field = fields.find((f) => f.key === 'rank') ?? fields.find((f) => f.key.endsWith('_rank'));
  const at = ladder.findIndex(({ value }) => field !== undefined && value === attrs[field.key]);
  const place = at >= 0 ? (at + 1) / ladder.length : (lead ?? 0) / 100;
  return place <= 0.5 ? 0 : place <= 0.75 ? 1 : place <= 0.92 ? 2 : 3;
}

/** First-charge accounts have discounts instead of numbers. */
function wordFigures(fields: readonly Field[], attrs: Attrs): CoverFigure[] {
  return fields
    .filter((f) => f.kind === 'single' && f.inCard)
    .map((f) => ({ value: labelOf(f, attrs), label: shortLabel(f.label) }))
    .filter(({ value }) => value !== '')
    .slice(0, FIGURES);
}

export interface AccountParts {
  title: string;
  note: string;
  tier: Tier;
  figures: CoverFigure[];
  /** Length of the ring of each figure, 0 to 100; none for figures given as text. */
  rings: number[];
}

/** The texts of an account's cover, from its attributes and the other accounts on sale. Unknown texts are empty. */
export function accountParts(fields: readonly Field[], attrs: Attrs, scale: Scale): AccountParts {
  const { title, level } = titleOf(fields, attrs);
  const picked = chosen(candidatesOf(fields, attrs, scale, level));
  const figures = picked.map(({ field, value, share }) => ({
    value: valueOf(field, value),
    label: shortLabel(field.label),
    ...(share !== undefined && share >= WORTH_SAYING && { note: `超过 ${share}%` }),
  }));
  return {
    title,
    note: rareNames(fields, attrs, scale),
    tier: tierOf(fields, attrs, picked[0]?.ring),
    figures: picked.length > 0 ? figures : wordFigures(fields, attrs),
    rings: picked.map(({ ring }) => ring),
  };
}
