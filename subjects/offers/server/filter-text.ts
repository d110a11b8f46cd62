import type { Field } from '#subjects/games/contract/games.ts';
import { boolLabels } from '#subjects/games/rules/attr-text.ts';

type Details = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const yes = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);

/** Several options with their mode: all of them, any of them, or at least a number. */
function manyOf(value: Record<string, unknown>): { mode: string; values: string[] } | null {
  if (value.all !== undefined) return { mode: 'all', values: listOf(value.all) };
  if (value.any !== undefined) return { mode: 'any', values: listOf(value.any) };
  if (value.of !== undefined) return { mode: textOf(value.atLeast) || '1', values: listOf(value.of) };
  return null;
}

/** A field's filter in the URL of the list (web/lib/lists/list-query.ts): `3`, `200-400`, `all:a,b`, `2:a,b`. */
function queryOf(field: Field, value: unknown): string | null {
  if (field.kind === 'bool') return yes(value) ? '1' : '0';
  if (!isObject(value)) return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  if (field.kind === 'range') return `${textOf(value.min)}-${textOf(value.max)}`;
  const many = manyOf(value);
  return many && many.values.length > 0 ? `${many.mode}:${many.values.join(',')}` : null;
}

function filterText(field: Field, value: unknown): string {
  const label = (v: string): string => field.options?.find((o) => String(o.v) === v)?.label ?? '';
  if (field.kind === 'bool') return boolLabels(field)[yes(value) ? 0 : 1];
  if (!isObject(value)) return label(textOf(value));
  if (field.kind === 'range') {
    const [min, max] = [textOf(value.min), textOf(value.max)];
    const unit = field.unit ?? '';
    if (min && max) return `${min}–${max}${unit}`;
    return min ? `不少于 ${min}${unit}` : max ? `不超过 ${max}${unit}` : '';
  }
  const many = manyOf(value);
  const names = (many?.values ?? []).map(label).filter(Boolean);
  if (many?.mode === 'all' || many?.mode === 'any') return names.join(many.mode === 'all' ? '、' : ' 或 ');
  return names.length > 0 ? `${names.join('、')} 至少 ${many?.mode} 项` : '';
}

/** The filters as text, in the order of the game's fields; fields removed from the catalogue are left out. */
export function filterChips(fields: readonly Field[], details: Details): { label: string; value: string }[] {
  return fields
    .filter(({ key }) => details[key] !== undefined && details[key] !== null && details[key] !== '')
    .map((field) => ({ label: field.label, value: filterText(field, details[field.key]) }))
    .filter(({ value }) => value !== '');
}

/** The filters of a list that its URL contains. */
export interface ListFilter {
  gameId: number | null;
  typeId: number | null;
  areaId: number | null;
  serverId: number | null;
}

/** URL of the list with these filters; `max` is an amount in yuan. */
export function listPath(filter: ListFilter, fields: readonly Field[], details: Details, max?: string): string {
  const query = new URLSearchParams({ gt: String(filter.typeId ?? 0) });
  if (filter.gameId !== null) query.set('gid', String(filter.gameId));
  if (filter.areaId !== null) query.set('areaId', String(filter.areaId));
  if (filter.serverId !== null) query.set('serverId', String(filter.serverId));
  if (max !== undefined) query.set('max', max);
  for (const field of fields) {
    const value = details[field.key];
    const text = value === undefined || value === null || value === '' ? null : queryOf(field, value);
    if (text !== null) query.set(`f.${field.key}`, text);
  }
  return `/wares?${query}`;
}
