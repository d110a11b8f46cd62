import { showValue } from '#subjects/games/rules/attr-text.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import { type Catalogue } from '#subjects/games/server/service.ts';
import { AGE, AREA, type Account, type Column } from './model/features.ts';
import { effectsOf, type ModelBody } from './model/model.ts';

/** The effect of a field on the price compared with the average account, in fen. */
export interface PriceFactor {
  key: string;
  label: string;
  value: string;
  usual: string;
  amount: number;
}

/** Number of lines; the smaller effects are combined in the last one. */
const MAX_LINES = 8;

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** The typical value among the sales: the median of a number, the share of the account's own option. */
function usualOf(body: ModelBody, field: Pick<Field, 'key' | 'unit' | 'kind' | 'options'>, value: unknown): string {
  const score = body.columns.find(
    (c): c is Extract<Column, { kind: 'score' }> => c.field === field.key && c.kind === 'score',
  );
  const median = score?.knots[Math.floor(score.knots.length / 2)];
  if (median !== undefined && field.kind === 'single')
    return `中位 ${field.options?.find((o) => Number(o.v) === median)?.label ?? ''}`.trim();
  if (median !== undefined) return `中位 ${Math.round(median)}${field.kind === 'range' ? (field.unit ?? '') : ' 项'}`;
  const text = typeof value === 'boolean' ? 'yes' : String(value);
  const at = body.columns.findIndex((c) => c.field === field.key && c.kind === 'is' && c.value === text);
  const yesAt = body.columns.findIndex((c) => c.field === field.key && c.kind === 'is' && c.value === 'yes');
  if (value === false && yesAt >= 0) return `${percent(1 - (body.linear.means[yesAt] ?? 0))} 的号没有`;
  return at < 0 ? '' : `${percent(body.linear.means[at] ?? 0)} 的号是这样`;
}

/**
 * From the average account to this one, field by field, the largest effect first. Effects are multiplicative, so each is applied to the price
 * after the previous ones; the lines add up to `typicalFen` exactly.
 */
export function linesOf(
  all: Catalogue,
  gameId: number,
  body: ModelBody,
  account: Account,
  typicalFen: number,
): { baseFen: number; lines: PriceFactor[] } {
  const fields = new Map(all.fieldsOf(gameId).map((f) => [f.key, f]));
  const effects = [...effectsOf(body, account)]
    .filter(([key]) => key !== AGE && (key === AREA ? account.areaId !== null : account.attrs[key] !== undefined))
    .toSorted((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const baseFen = Math.round(typicalFen / Math.exp(effects.reduce((sum, [, effect]) => sum + effect, 0)));
  let passed = 0;
  let sumFen = 0;
  const lines = effects.slice(0, MAX_LINES).flatMap(([key, effect]): PriceFactor[] => {
    const before = Math.round(baseFen * Math.exp(passed));
    passed += effect;
    const amount = Math.round(baseFen * Math.exp(passed)) - before;
    sumFen += amount;
    const area = all.area(account.areaId ?? 0);
    if (key === AREA)
      return [
        {
          key,
          label: '大区',
          value: area?.name ?? '',
          usual: usualOf(body, { key, kind: 'single' }, account.areaId),
          amount,
        },
      ];
    const field = fields.get(key);
    const value = account.attrs[key];
    return field
      ? [{ key, label: field.label, value: showValue(field, value, false), usual: usualOf(body, field, value), amount }]
      : [];
  });
  const rest = typicalFen - baseFen - sumFen;
  if (effects.length > MAX_LINES)
    lines.push({ key: '$rest', label: `其余 ${effects.length - MAX_LINES} 项`, value: '', usual: '', amount: rest });
  else if (rest !== 0 && lines.length > 0)
    lines[lines.length - 1] = { ...lastOf(lines), amount: lastOf(lines).amount + rest };
  return { baseFen: lines.length === 0 ? typicalFen : baseFen, lines };
}

function lastOf(lines: readonly PriceFactor[]): PriceFactor {
  const last = lines.at(-1);
  if (!last) throw new Error('lastOf requires at least one line');
  return last;
}
