/** The registry of settings: what staff may change, with its fields, units, bounds and checks (domain.md: numbers are defaults). */
import { readField, type SettingField, typedValue } from './setting-fields.ts';
import { clockSettings } from './setting-clocks.ts';
import { feeSettings, limitSettings, type SettingSpec } from './setting-groups.ts';
import { isTierKey, tierSpec, wholeTier } from './setting-tiers.ts';
import { checkSetting, type OtherSetting, type SettingProblem } from './setting-checks.ts';

/** Every setting that staff may change. */
export const settingSpecs: readonly SettingSpec[] = [...feeSettings, ...limitSettings, ...clockSettings];

/** Keys of `setting` that are not edited: the program's measurements, its counting start, and the seeded demo market. */
export const measuredSettings: readonly string[] = ['guarantee_rates', 'fund_release', 'demo_market'];

/** The setting of a key, guarantee tiers included; undefined for one that staff may not change. */
export const settingSpec = (key: string): SettingSpec | undefined =>
  isTierKey(key) ? tierSpec(key) : settingSpecs.find((spec) => spec.key === key);

/** The input of the fields of a setting, by path. */
export type TypedSetting = Readonly<Record<string, string>>;

/** How far ahead a change may be planned. */
export const SETTING_AHEAD_DAYS = 180;

type Node = Record<string, unknown> | unknown[];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((node, name) => (isNode(node) ? (node as Record<string, unknown>)[name] : undefined), value);
}

function setAt(root: Node, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let node = root as Record<string, unknown>;
  for (const [index, name] of names.entries()) {
    const inner = node[name];
    const created = /^\d+$/.test(names[index + 1] ?? last) ? [] : {};
    if (!isNode(inner)) node[name] = created;
    node = node[name] as Record<string, unknown>;
  }
  if (value === undefined) delete node[last];
  else node[last] = value;
}

/** A stored value as its form shows it. */
export function typedSetting(spec: SettingSpec, value: unknown): Record<string, string> {
  return Object.fromEntries(spec.fields.map((field) => [field.path, typedValue(field, valueAt(value, field.path))]));
}

const rowOf = (spec: SettingSpec, { path }: SettingField): string | undefined => {
  const parts = path.split('.');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  return prefixes.findLast((prefix) => spec.emptyRows?.test(prefix));
};

/** Removes empty rows at the end of their lists; a gap is kept so that the checks report it. */
function withoutEmptyRows(root: Node, rows: ReadonlyMap<string, boolean>): void {
  for (const [row, isEmpty] of rows) if (isEmpty) setAt(root, row, undefined);
  const lists = new Set([...rows.keys()].map((row) => row.slice(0, row.lastIndexOf('.'))));
  for (const path of lists) {
    const list = valueAt(root, path);
    if (!Array.isArray(list)) continue;
    const end = list.findLastIndex((one) => one !== undefined);
    setAt(root, path, Array.from(list.slice(0, end + 1)));
  }
}

/** A row that is only partly filled; the error names the missing fields. */
function halfRows(spec: SettingSpec, typed: TypedSetting, rows: ReadonlyMap<string, boolean>): SettingProblem[] {
  if (spec.key !== 'hold_stages') return [];
  return spec.fields.flatMap((field): SettingProblem[] => {
    const row = rowOf(spec, field);
    const isEmpty = (typed[field.path] ?? '').trim() === '';
    return row !== undefined && rows.get(row) === false && isEmpty
      ? [{ path: field.path, text: '时间和比例须一起填写' }]
      : [];
  });
}

/** A setting's value from the input of its form, or all errors by field. */
export type SettingRead = { readonly value: unknown } | { readonly problems: readonly SettingProblem[] };

/**
 * Reads a form: each field by its type and bounds, then the value as a whole. `current` gives what the form does not show; a field that
 * was not sent keeps its value.
 */
export function readSetting(
  spec: SettingSpec,
  { current, typed, other }: { current: unknown; typed: TypedSetting; other: OtherSetting },
): SettingRead {
  const all: TypedSetting = { ...typedSetting(spec, current), ...typed };
  const root = structuredClone(isNode(current) ? current : {});
  const unknown = Object.keys(typed).filter((path) => !spec.fields.some((field) => field.path === path));
  const problems: SettingProblem[] = unknown.map((path) => ({ path, text: '没有这个字段' }));
  const rows = new Map<string, boolean>();
  for (const field of spec.fields) {
    const row = rowOf(spec, field);
    const text = all[field.path] ?? '';
    if (row !== undefined) rows.set(row, (rows.get(row) ?? true) && text.trim() === '');
    const read = readField(field, text);
    if ('problem' in read) problems.push({ path: field.path, text: read.problem });
    else setAt(root, field.path, read.value);
  }
  withoutEmptyRows(root, rows);
  problems.push(...halfRows(spec, all, rows));
  if (problems.length > 0) return { problems };
  if (isTierKey(spec.key)) wholeTier(root as Record<string, unknown>);
  const wrong = checkSetting(isTierKey(spec.key) ? 'tier' : spec.key, root, other);
  return wrong.length > 0 ? { problems: wrong } : { value: root };
}
