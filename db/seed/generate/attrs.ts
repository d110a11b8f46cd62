import { GAMES } from '#db/catalogue/index.ts';
import type { FieldSeed } from '#db/catalogue/types.ts';
import { cumulative, normal, pick, quantile, type Random, weighted, integer } from './random.ts';
import { ITEM_SPECS } from './texts.ts';

export type AttrValue = string | number | boolean | (string | number)[] | Record<string, number>;

/** Generator and formatter of a field's values, prepared once per game. `rich` is how rich the account is, standard normal. */
export interface FieldPlan {
  readonly key: string;
  readonly required: boolean;
  make(next: Random, rich: number): AttrValue;
  /** The value as text; empty when it is not worth mentioning (zero, 无). */
  render(value: AttrValue, inTenThousands: boolean): string;
}

/** Lists in which later options are better; in all other lists earlier options are more common. */
const SCALES: readonly string[] = [
  'rank',
  'last_rank',
  'best_rank',
  'fire_rank',
  'battle_rank',
  'noble',
  'vip',
  'honor',
  'forge',
  'gem',
  'safe_box',
  'national_mark',
  'progress',
  'abyss',
  'tower',
  'avatar',
];

/** Shares of the options of the common fields, in their order. */
const SHARES: Readonly<Record<string, Float64Array>> = {
  account_source: cumulative([62, 12, 26]),
  phone_bind: cumulative([12, 76, 12]),
  mail_bind: cumulative([40, 48, 12]),
  penalty: cumulative([88, 11, 1]),
};

/** Chance of yes. */
const YES: Readonly<Record<string, number>> = {
  second_realname: 0.64,
  anti_addiction: 0.22,
  health_limit: 0.2,
  can_rank: 0.9,
  muted: 0.08,
};

const NOTHING: readonly string[] = ['无', '未定级', '未满星', '无打造', '普通时装'];

/** A number as sellers write it: 63180 becomes 6.3万 if requested. */
function numberText(value: number, inTenThousands: boolean): string {
  if (value === 0) return '';
  if (!inTenThousands || value < 10_000) return String(value);
  return value < 1_000_000 ? `${Math.floor(value / 1000) / 10}万` : `${Math.floor(value / 10_000)}万`;
}

function rangePlan(field: FieldSeed): FieldPlan {
  const { key, required, min = 0, max = 0, typical = [min, max] } = field;
  const [low, high] = typical;
  const wide = low > 0 && high / low > 8;
  return {
    key,
    required,
    make(next, rich) {
      const u = quantile(0.85 * rich + 0.6 * normal(next));
      const value = wide ? low * (high / low) ** u : low + (high - low) * u ** 1.4;
      const beyond = u > 0.97 ? 1 + next() : 1;
      return Math.min(max, Math.max(min, Math.round(value * beyond)));
    },
    render: (value, inTenThousands) => (typeof value === 'number' ? numberText(value, inTenThousands) : ''),
  };
}

function singlePlan(field: FieldSeed): FieldPlan {
  const options = field.options ?? [];
  const labels = new Map(options.map((o) => [o.v, NOTHING.includes(o.label) ? '' : o.label]));
  const shares = SHARES[field.key];
  const scale = SCALES.includes(field.key);
  const n = options.length;
  return {
    key: field.key,
    required: field.required,
    make(next, rich) {
      let rank: number;
      if (shares !== undefined) rank = weighted(next, shares);
      else if (scale) rank = Math.floor(quantile(0.7 * rich + 0.75 * normal(next)) ** 0.75 * n);
      else rank = Math.floor(next() ** 1.35 * n);
      return options[Math.min(n - 1, rank)]?.v ?? 1;
    },
    render: (value) => labels.get(value as string | number) ?? '',
  };
}

/** Some of the options in their order, more of them for a rich account. */
function some(next: Random, rich: number, values: readonly (string | number)[]): (string | number)[] {
  const share = 0.1 + 0.5 * quantile(rich);
  const chosen = values.filter(() => next() < share);
  return chosen.length > 0 ? chosen : [pick(next, values)];
}

function multiPlan(field: FieldSeed): FieldPlan {
  const options = field.options ?? [];
  const values = options.map((o) => o.v);
  const labels = new Map(options.map((o) => [String(o.v), o.label]));
  const counted = field.kind === 'item_count';
  const max = field.max ?? 1;
  return {
    key: field.key,
    required: field.required,
    make(next, rich) {
      const chosen = some(next, rich, values);
      if (!counted) return chosen;
      return Object.fromEntries(chosen.map((v) => [v, 1 + Math.floor(next() ** 2.4 * max)]));
    },
    render(value) {
      const first = Array.isArray(value) ? value[0] : Object.keys(value)[0];
      return labels.get(String(first)) ?? '';
    },
  };
}

const GAME_NAMES = GAMES.filter((g) => g.code !== 'zyq').map((g) => g.name);

function textPlan(field: FieldSeed): FieldPlan {
  const labels =
    field.key === 'game_name'
      ? GAME_NAMES
      : field.key === 'item_spec'
        ? ITEM_SPECS
        : ['见图片', '满破三张', '基本齐全'];
  return {
    key: field.key,
    required: field.required || field.key === 'item_spec',
    make: (next) => pick(next, labels),
    render: (value) => (typeof value === 'string' ? value : ''),
  };
}

function boolPlan(field: FieldSeed): FieldPlan {
  const chance = YES[field.key] ?? 0.5;
  return {
    key: field.key,
    required: field.required,
    make: (next) => next() < chance,
    render: (value) => (value === true ? field.label : ''),
  };
}

/** Prepares one field. */
export function planField(field: FieldSeed): FieldPlan {
  switch (field.kind) {
    case 'range':
      return rangePlan(field);
    case 'single':
      return singlePlan(field);
    case 'multi':
    case 'item_count':
      return multiPlan(field);
    case 'bool':
      return boolPlan(field);
    case 'text':
      return textPlan(field);
  }
}

/** Fills in the fields: the required ones always, the others with the chance `filled`, because sellers leave things out. */
export function makeAttrs(
  next: Random,
  plans: readonly FieldPlan[],
  rich: number,
  filled: number,
): Record<string, AttrValue> {
  const attrs: Record<string, AttrValue> = {};
  for (const plan of plans) if (plan.required || next() < filled) attrs[plan.key] = plan.make(next, rich);
  // The best rank ever cannot be below today's; both lists have the same options in the same order.
  const { rank, best_rank: best } = attrs;
  if (typeof rank === 'number' && typeof best === 'number') attrs.best_rank = Math.max(rank, best);
  return attrs;
}

/** A round amount between two bounds, as sellers offer coin. */
export function roundAmount(next: Random, low: number, high: number): number {
  const value = low * (high / low) ** next();
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1) * integer(next, 1, 5);
  return Math.min(high, Math.max(Math.ceil(low), Math.round(value / step) * step));
}
