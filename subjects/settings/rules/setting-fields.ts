/** How one number or text of a setting is entered, stored and shown. The page and the server parse a form with the same functions. */

import { grouped } from '#contract/rules/amounts.ts';

/** A field of a setting. `path` leads to it in the stored value ('levels.0.fen'); bounds are in the stored unit. */
export interface SettingField<P extends string = string> {
  readonly path: P;
  readonly label: string;
  readonly type: FieldType;
  readonly min?: number;
  readonly max?: number;
  readonly hint?: string;
  /** The row of the form that it is in, as 'level 1'; without one it is alone. */
  readonly row?: string;
  /** An empty field is left out of the stored value. */
  readonly optional?: true;
  /** The choices of a `choice`. */
  readonly options?: readonly (readonly [value: string, label: string])[];
}

export type FieldType =
  | keyof typeof SCALES
  | 'flag'
  | 'choice'
  | 'text'
  | 'longText'
  | 'lines'
  | 'minutesList'
  | 'daysList'
  | 'yuanList'
  | 'idList';

/** Stored = typed × `scale`; `decimals` is how many may be typed. */
const SCALES = {
  yuan: { scale: 100, decimals: 2, unit: '元' },
  rate: { scale: 100, decimals: 2, unit: '%' },
  percent: { scale: 1, decimals: 0, unit: '%' },
  count: { scale: 1, decimals: 0, unit: '' },
  minutes: { scale: 60, decimals: 0, unit: '分钟' },
  wholeMinutes: { scale: 1, decimals: 0, unit: '分钟' },
  secondHours: { scale: 3600, decimals: 0, unit: '小时' },
  hours: { scale: 1, decimals: 0, unit: '小时' },
  days: { scale: 1, decimals: 0, unit: '天' },
  stars: { scale: 1, decimals: 1, unit: '星' },
} as const;

const LISTS = {
  minutesList: SCALES.minutes,
  daysList: SCALES.days,
  yuanList: { scale: 1, decimals: 0, unit: '元' },
  idList: { scale: 1, decimals: 0, unit: '' },
} as const;

const MAX_LIST_ITEMS = 8;
const MAX_LISTED_IDS = 60;
const MAX_TEXT = 20;
const MAX_LONG_TEXT = 200;
const MAX_LINES = 8;
const MAX_LINE_LENGTH = 60;

type Scale = { readonly scale: number; readonly decimals: number; readonly unit: string };

const isList = (type: FieldType): type is keyof typeof LISTS => Object.hasOwn(LISTS, type);
const isNumber = (type: FieldType): type is keyof typeof SCALES => Object.hasOwn(SCALES, type);

/** The unit that is written behind a field; '' for a plain number or a text. */
export function unitOf(type: FieldType): string {
  if (isNumber(type)) return SCALES[type].unit;
  return isList(type) ? LISTS[type].unit : '';
}

/** A stored number as it is typed: 50000 fen are '500', 1050 basis points '10.5'. */
function typedNumber(value: number, { scale, decimals }: Scale): string {
  return String(Number((value / scale).toFixed(decimals)));
}

/** A stored value as it is typed into its field; '' for one that is absent. */
export function typedValue(field: Pick<SettingField, 'type'>, value: unknown): string {
  const { type } = field;
  if (value === undefined || value === null) return '';
  if (isNumber(type)) return typeof value === 'number' ? typedNumber(value, SCALES[type]) : '';
  if (isList(type))
    return Array.isArray(value) ? value.map((one) => typedNumber(Number(one), LISTS[type])).join('、') : '';
  if (type === 'lines') return Array.isArray(value) ? value.join('\n') : '';
  if (type === 'flag') return value === true ? '1' : '0';
  return typeof value === 'string' ? value : '';
}

/** The result of parsing a field: a value to store, undefined for an omitted one, or an error. */
export type Read = { readonly value: unknown } | { readonly problem: string };

function readNumber(text: string, field: SettingField, spec: Scale): Read {
  const { scale, decimals, unit } = spec;
  const pattern = decimals === 0 ? /^\d{1,10}$/ : new RegExp(`^\\d{1,10}(\\.\\d{1,${decimals}})?$`);
  if (!pattern.test(text))
    return { problem: decimals === 0 ? `${field.label}应为整数` : `${field.label}应为数字，最多 ${decimals} 位小数` };
  const [whole = '0', part = ''] = text.split('.');
  const units = Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, '0') || '0');
  const value = scale === 1 ? units / 10 ** decimals : units * (scale / 10 ** decimals);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = field;
  if (value >= min && value <= max) return { value };
  const behind = unit === '' || unit === '%' ? unit : ` ${unit}`;
  const between = `${grouped(typedNumber(min, spec))} 到 ${grouped(typedNumber(max, spec))}${behind}`;
  return { problem: `${field.label}应在 ${between}之间` };
}

function readList(text: string, field: SettingField, spec: Scale): Read {
  const parts = text.split(/[、，,\s]/).filter((part) => part !== '');
  if (parts.length === 0) return { problem: `${field.label}至少填一个` };
  const most = field.type === 'idList' ? MAX_LISTED_IDS : MAX_LIST_ITEMS;
  if (parts.length > most) return { problem: `${field.label}最多 ${most} 个` };
  const values: unknown[] = [];
  for (const part of parts) {
    const one = readNumber(part, field, spec);
    if ('problem' in one) return one;
    // The first number has no predecessor: the comparison with NaN is false.
    if (Number(values.at(-1)) >= Number(one.value)) return { problem: `${field.label}须从小到大，不重复` };
    values.push(one.value);
  }
  return { value: values };
}

const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/;

function readText(text: string, { label }: SettingField, most: number): Read {
  if (HIDDEN.test(text) || text.includes('\n')) return { problem: `${label}含有不支持的字符` };
  return text.length > most ? { problem: `${label}不能超过 ${most} 个字` } : { value: text };
}

function readLines(text: string, field: SettingField): Read {
  const lines = text.split('\n').map((line) => line.trim());
  const filled = lines.filter((line) => line !== '');
  if (filled.length > MAX_LINES) return { problem: `${field.label}最多 ${MAX_LINES} 行` };
  const wrong = filled.map((line) => readText(line, field, MAX_LINE_LENGTH)).find((one) => 'problem' in one);
  return wrong ?? { value: filled };
}

/** Parses the input of a field. */
export function readField(field: SettingField, typed: string): Read {
  const text = typed.normalize('NFKC').trim();
  const { type } = field;
  if (type === 'lines') return readLines(typed.normalize('NFC'), field);
  if (text === '') return field.optional ? { value: undefined } : { problem: `${field.label}不能为空` };
  if (isNumber(type)) return readNumber(text, field, SCALES[type]);
  if (isList(type)) return readList(text, field, LISTS[type]);
  if (type === 'flag')
    return text === '1' || text === '0' ? { value: text === '1' } : { problem: `${field.label}不正确` };
  if (type === 'choice')
    return field.options?.some(([value]) => value === text) ? { value: text } : { problem: `请选择${field.label}` };
  return readText(typed.normalize('NFC').trim(), field, type === 'longText' ? MAX_LONG_TEXT : MAX_TEXT);
}
