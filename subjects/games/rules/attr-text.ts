import type { Field } from '#subjects/games/contract/games.ts';

const MAX_LABELS = 4;

function labelOf(field: Field, value: unknown): string {
  return field.options?.find((o) => String(o.v) === String(value))?.label ?? '';
}

function joinLabels(labels: readonly string[], isFull: boolean): string {
  if (isFull || labels.length <= MAX_LABELS) return labels.join('、');
  return `${labels.slice(0, MAX_LABELS).join('、')} 等 ${labels.length} 项`;
}

/** Yes-or-no fields about the presence of something whose name does not show this. */
const IS_THERE: ReadonlySet<string> = new Set(['anti_addiction', 'health_limit', 'alts', 'play_voice']);

/** The labels of a yes-or-no field: 防沉迷 has 有 and 无, 可二次实名 has 是 and 否. */
export const boolLabels = ({ key, label }: Pick<Field, 'key' | 'label'>): readonly [yes: string, no: string] =>
  IS_THERE.has(key) || /^[有带]|限制$/.test(label) ? ['有', '无'] : ['是', '否'];

/** A stored value as text; empty when there is none. `isFull` lists every chosen option. */
export function showValue(field: Field, value: unknown, isFull = true): string {
  if (value === undefined || value === null) return '';
  const unit = field.unit ?? '';
  if (field.kind === 'bool') return typeof value === 'boolean' ? boolLabels(field)[value ? 0 : 1] : '';
  if (field.kind === 'range') return typeof value === 'number' ? `${value}${unit}` : '';
  if (field.kind === 'single') return labelOf(field, value);
  if (field.kind === 'text') return typeof value === 'string' ? value : '';
  if (field.kind === 'multi')
    return Array.isArray(value) ? joinLabels(value.map((v) => labelOf(field, v)).filter(Boolean), isFull) : '';
  const counts = Object.entries(value as Record<string, unknown>);
  return joinLabels(
    counts.map(([v, n]) => (labelOf(field, v) ? `${labelOf(field, v)} ×${String(n)}` : '')).filter(Boolean),
    isFull,
  );
}
