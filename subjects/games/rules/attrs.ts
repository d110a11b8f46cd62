import type { Field } from '#subjects/games/contract/games.ts';

/**
 * How a value is stored in a listing's attributes: option, options, whole number, yes or no, counts by option, text.
 */
export type AttrValue = string | number | boolean | (string | number)[] | Record<string, number>;
export type Attrs = Record<string, AttrValue>;

export interface CheckedAttrs {
  /** The valid values, in the catalogue's types; empty ones are omitted. */
  values: Attrs;
  /** A message for each invalid field, by key, in the order of the form. */
  errors: Map<string, string>;
}

const MAX_TEXT = 100;
const INTEGER = /^-?\d{1,12}$/;
const CONTROLS = /[\u0000-\u001f\u007f]/;

class Unfit extends Error {}

function unfit(sentence: string): never {
  throw new Unfit(sentence);
}

function option(field: Field, value: unknown): string | number {
  const found =
    typeof value === 'string' || typeof value === 'number'
      ? field.options?.find((o) => String(o.v) === String(value))
      : undefined;
  return found ? found.v : unfit(`${field.label}的选项不存在，请重新选择`);
}

function integer(field: Field, value: unknown): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (!INTEGER.test(text)) unfit(`${field.label}应为整数`);
  const n = Number(text);
  const unit = field.unit ?? '';
  if (field.min !== undefined && n < field.min) unfit(`${field.label}不能小于 ${field.min}${unit}`);
  if (field.max !== undefined && n > field.max) unfit(`${field.label}不能大于 ${field.max}${unit}`);
  return n;
}

function yesNo(field: Field, value: unknown): boolean {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  return unfit(`${field.label}请选择是或否`);
}

function counts(field: Field, value: unknown): Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unfit(`${field.label}格式不正确`);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, n]) => n !== '' && n !== null && n !== 0)
      .map(([v, n]) => [String(option(field, v)), integer(field, n)]),
  );
}

function textValue(field: Field, value: unknown): string {
  if (typeof value !== 'string') return unfit(`${field.label}应为文字`);
  const text = value.normalize('NFC').trim();
  if (CONTROLS.test(text) || !text.isWellFormed()) unfit(`${field.label}含有不支持的字符`);
  if (text.length > MAX_TEXT) unfit(`${field.label}不能超过 ${MAX_TEXT} 个字`);
  return text;
}

function one(field: Field, value: unknown): AttrValue {
  switch (field.kind) {
    case 'single':
      return option(field, value);
    case 'multi':
      if (!Array.isArray(value)) return unfit(`${field.label}格式不正确`);
      return [...new Set(value.map((v) => option(field, v)))];
    case 'range':
      return integer(field, value);
    case 'bool':
      return yesNo(field, value);
    case 'item_count':
      return counts(field, value);
    case 'text':
      return textValue(field, value);
  }
}

function holds(held: unknown, v: string | number): boolean {
  if (Array.isArray(held)) return held.some((x) => String(x) === String(v));
  if (typeof held === 'object' && held !== null) return String(v) in held;
  return (typeof held === 'string' || typeof held === 'number') && String(held) === String(v);
}

/** The field with the options that may be chosen: the offered ones, and retired ones that the listing already has. */
export function choosable(field: Field, held: unknown): Field {
  if (!field.options?.some((o) => o.retired)) return field;
  return { ...field, options: field.options.filter((o) => !o.retired || holds(held, o.v)) };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The message for a required field that was left empty. */
function missing(field: Field): string {
  return field.kind === 'range' || field.kind === 'text' ? `请填写${field.label}` : `请选择${field.label}`;
}

/**
 * Checks a listing's attributes against the fields of its game and type (domain.md 4: single, multi, range, yes/no, item × count, text;
 * required). Used by the form, to show errors next to each field, and by the server before it stores them. A retired option is valid only if
 * the listing already has it (`held`), so that an edit does not lose it.
 */
export function checkAttrs(
  fields: readonly Field[],
  attrs: Readonly<Record<string, unknown>>,
  held: Readonly<Record<string, unknown>> = {},
): CheckedAttrs {
  const values: Attrs = {};
  const errors = new Map<string, string>();
  for (const field of fields) {
    try {
      const raw = attrs[field.key];
      const value = isEmpty(raw) ? undefined : one(choosable(field, held[field.key]), raw);
      if (value !== undefined && !isEmpty(value)) values[field.key] = value;
      else if (field.required) errors.set(field.key, missing(field));
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      errors.set(field.key, error.message);
    }
  }
  const known = new Set(fields.map((f) => f.key));
  for (const key of Object.keys(attrs))
    if (!known.has(key) && !isEmpty(attrs[key])) errors.set(key, '该游戏的发布表单已更新，请刷新页面后重试');
  return { values, errors };
}
