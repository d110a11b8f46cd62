import type { AreaDoc, FieldDoc, GameDoc, OptionDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';

export const gameParts = ['base', 'areas', 'types', 'fields', 'handover', 'coin', 'aliases'] as const;
export type GamePart = (typeof gameParts)[number];
export const gamePartNames: Readonly<Record<GamePart, string>> = {
  base: '基本',
  areas: '大区与服务器',
  types: '商品类型',
  fields: '发布表单与筛选',
  handover: '换绑步骤',
  coin: '单位与换算',
  aliases: '别名与错字',
};

/** One difference between two versions of a game, as shown to staff. `off`: something is no longer offered. */
export interface GameChange {
  part: GamePart;
  kind: 'add' | 'change' | 'off';
  text: string;
}

type Add = (part: GamePart, kind: GameChange['kind'], text: string) => void;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    isRecord(v)
      ? Object.fromEntries(
          Object.keys(v)
            .toSorted()
            .map((key) => [key, v[key]]),
        )
      : v,
  );
/** Whether two values are equal as JSON, regardless of key order. */
export const isSame = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null);

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '空';
  if (typeof value === 'boolean') return value ? '是' : '否';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
};
const MAX_NAMED = 6;
const named = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.map((n) => `「${n}」`).join('')
    : `${names
        .slice(0, MAX_NAMED)
        .map((n) => `「${n}」`)
        .join('')}等 ${names.length} 个`;

/** Whether the items offered both before and after are in a different order. */
function isReordered<T>(
  a: readonly T[],
  b: readonly T[],
  isOff: (item: T) => boolean | undefined,
  key: (item: T) => unknown,
): boolean {
  const keys = (list: readonly T[]): unknown[] => list.filter((item) => isOff(item) !== true).map(key);
  const [from, to] = [keys(a), keys(b)];
  const both = new Set(from.filter((k) => k !== undefined && to.includes(k)));
  return !isSame(
    from.filter((k) => both.has(k)),
    to.filter((k) => both.has(k)),
  );
}

const BASE: readonly (readonly [keyof GameDoc, string])[] = [
  ['code', '编码'],
  ['name', '名称'],
  ['gameType', '类型'],
  ['initial', '首字母'],
  ['pinyin', '拼音'],
  ['initials', '拼音缩写'],
  ['glyph', '图标文字'],
  ['hue', '色相'],
  ['scene', '画面'],
  ['icon', '上传的图标'],
  ['hot', '热门排序'],
];

function baseChanges(a: GameDoc, b: GameDoc, add: Add): void {
  for (const [key, label] of BASE)
    if (!isSame(a[key], b[key])) {
      const off = key === 'hot' && b.hot === 0;
      if (key === 'icon') add('base', 'change', b.icon === null ? '图标改为系统绘制' : '换了图标');
      else add('base', off ? 'off' : 'change', `${label}：${textOf(a[key])} → ${textOf(b[key])}`);
    }
  if (a.coinUnit !== b.coinUnit) add('coin', 'change', `金币单位：${textOf(a.coinUnit)} → ${textOf(b.coinUnit)}`);
  if (a.coinRatio !== b.coinRatio) add('coin', 'change', `1 元约可换：${textOf(a.coinRatio)} → ${textOf(b.coinRatio)}`);
  const added = b.aliases.filter((x) => !a.aliases.includes(x));
  const gone = a.aliases.filter((x) => !b.aliases.includes(x));
  if (added.length > 0) add('aliases', 'add', `新增别名${named(added)}`);
  if (gone.length > 0) add('aliases', 'off', `去掉别名${named(gone)}`);
}

function typeChanges(a: GameDoc, b: GameDoc, add: Add): void {
  for (const type of b.goodsTypes) {
    const before = a.goodsTypes.find(({ id }) => id === type.id);
    if (!before) add('types', 'add', `开放商品类型「${type.name}」`);
    else if (before.name !== type.name) add('types', 'change', `商品类型「${before.name}」改名为「${type.name}」`);
  }
  for (const type of a.goodsTypes)
    if (!b.goodsTypes.some(({ id }) => id === type.id)) add('types', 'off', `关闭商品类型「${type.name}」`);
  if (a.defaultType !== b.defaultType) add('types', 'change', '换了默认商品类型');
}

function serverChanges(a: AreaDoc, b: AreaDoc, all: GameDoc, add: Add): void {
  const byId = new Map(a.servers.flatMap((s) => (s.id === undefined ? [] : [[s.id, s] as const])));
  const fresh = b.servers.filter((s) => !s.off && (s.id === undefined || !byId.has(s.id)));
  if (fresh.length > 0) add('areas', 'add', `${b.name} 新增服务器${named(fresh.map((s) => s.name))}`);
  const closed: string[] = [];
  const opened: string[] = [];
  for (const server of b.servers) {
    const before = server.id === undefined ? undefined : byId.get(server.id);
    if (!before) continue;
    if (before.name !== server.name) add('areas', 'change', `${b.name} 的「${before.name}」改名为「${server.name}」`);
    if (server.mergedInto !== undefined && before.mergedInto !== server.mergedInto) {
      const into = all.areas.flatMap((x) => x.servers).find((s) => s.id === server.mergedInto);
      add('areas', 'off', `${b.name} 的「${server.name}」并入「${into?.name ?? '?'}」`);
    } else if (!before.off && server.off) closed.push(server.name);
    else if (before.off && !server.off) opened.push(server.name);
  }
  if (closed.length > 0) add('areas', 'off', `${b.name} 停用服务器${named(closed)}`);
  if (opened.length > 0) add('areas', 'add', `${b.name} 恢复服务器${named(opened)}`);
  if (
    isReordered(
      a.servers,
      b.servers,
      (s) => s.off,
      (s) => s.id,
    )
  )
    add('areas', 'change', `${b.name} 的服务器换了顺序`);
}

function areaChanges(a: GameDoc, b: GameDoc, add: Add): void {
  const before = new Map(a.areas.flatMap((x) => (x.id === undefined ? [] : [[x.id, x] as const])));
  for (const area of b.areas) {
    const old = area.id === undefined ? undefined : before.get(area.id);
    if (!old) {
      if (!area.off) add('areas', 'add', `新增大区「${area.name}」，${area.servers.length} 个服务器`);
      continue;
    }
    if (old.name !== area.name) add('areas', 'change', `大区「${old.name}」改名为「${area.name}」`);
    if (!old.off && area.off) add('areas', 'off', `停用大区「${area.name}」`);
    if (old.off && !area.off) add('areas', 'add', `恢复大区「${area.name}」`);
    serverChanges(old, area, b, add);
  }
  if (
    isReordered(
      a.areas,
      b.areas,
      (x) => x.off,
      (x) => x.id,
    )
  )
    add('areas', 'change', '大区换了顺序');
}

const FIELD_PARTS: readonly (readonly [keyof FieldDoc, string])[] = [
  ['label', '名称'],
  ['kind', '类型'],
  ['unit', '单位'],
  ['min', '最小值'],
  ['max', '最大值'],
  ['required', '必填'],
  ['inCard', '显示在卡片'],
  ['filterable', '做成筛选'],
  ['help', '说明'],
];
export const fieldKindNames: Readonly<Record<FieldDoc['kind'], string>> = {
  single: '单选',
  multi: '多选',
  range: '数字',
  bool: '是否',
  item_count: '物品数量',
  text: '文字',
};

function optionChanges(label: string, a: readonly OptionDoc[], b: readonly OptionDoc[], add: Add): void {
  const before = new Map(a.map((o) => [String(o.v), o]));
  const live = (o: OptionDoc) => !o.retired;
  const fresh = b.filter((o) => live(o) && !before.has(String(o.v)));
  if (fresh.length > 0) add('fields', 'add', `${label}新增选项${named(fresh.map((o) => o.label))}`);
  const retired: string[] = [];
  const back: string[] = [];
  let aliased = 0;
  for (const option of b) {
    const old = before.get(String(option.v));
    if (!old) continue;
    if (old.label !== option.label) add('fields', 'change', `${label}的选项「${old.label}」改名为「${option.label}」`);
    if (live(old) && !live(option)) retired.push(option.label);
    if (!live(old) && live(option)) back.push(option.label);
    if (!isSame(old.aliases ?? [], option.aliases ?? [])) aliased += 1;
  }
  if (retired.length > 0) add('fields', 'off', `${label}停用选项${named(retired)}`);
  if (back.length > 0) add('fields', 'add', `${label}恢复选项${named(back)}`);
  if (aliased > 0) add('fields', 'change', `${label}改了 ${aliased} 个选项的别名`);
  if (
    isReordered(
      a,
      b,
      (o) => o.retired,
      (o) => String(o.v),
    )
  )
    add('fields', 'change', `${label}的选项换了顺序`);
}

function fieldChanges(a: GameDoc, b: GameDoc, add: Add): void {
  const before = new Map(a.fields.map((f) => [f.key, f]));
  for (const field of b.fields) {
    const old = before.get(field.key);
    if (!old) {
      add('fields', 'add', `新增「${field.label}」，${fieldKindNames[field.kind]}${field.required ? '，必填' : ''}`);
      continue;
    }
    if (!old.retired && field.retired) add('fields', 'off', `停用「${field.label}」`);
    if (old.retired && !field.retired) add('fields', 'add', `恢复「${field.label}」`);
    for (const [key, name] of FIELD_PARTS) {
      if (isSame(old[key], field[key])) continue;
      const text = (f: FieldDoc) => (key === 'kind' ? fieldKindNames[f.kind] : textOf(f[key]));
      add('fields', 'change', `「${old.label}」${name}：${text(old)} → ${text(field)}`);
    }
    if (!isSame(old.goodsTypes, field.goodsTypes)) add('fields', 'change', `「${field.label}」改了适用的商品类型`);
    if (!isSame(old.aliases ?? [], field.aliases ?? [])) add('fields', 'change', `「${field.label}」改了表头别名`);
    optionChanges(`「${field.label}」`, old.options ?? [], field.options ?? [], add);
  }
  if (
    isReordered(
      a.fields,
      b.fields,
      (f) => f.retired,
      (f) => f.key,
    )
  )
    add('fields', 'change', '填写项换了顺序');
}

function stepChanges(name: string, a: readonly StepDoc[], b: readonly StepDoc[], add: Add): void {
  for (const step of b) {
    const old = a.find((s) => s.key === step.key);
    if (!old) add('handover', 'add', `${name}新增步骤「${step.title}」`);
    else if (!isSame(old, step)) add('handover', 'change', `${name}改了步骤「${step.title}」`);
  }
  for (const step of a)
    if (!b.some((s) => s.key === step.key)) add('handover', 'off', `${name}去掉步骤「${step.title}」`);
  if (
    isReordered(
      a,
      b,
      () => false,
      (s) => s.key,
    )
  )
    add('handover', 'change', `${name}的步骤换了顺序`);
}

function handoverChanges(a: GameDoc, b: GameDoc, add: Add): void {
  stepChanges('账号', a.handover.accounts, b.handover.accounts, add);
  const typeName = (id: number) => [...b.goodsTypes, ...a.goodsTypes].find((t) => t.id === id)?.name ?? `类型 ${id}`;
  const stepsOf = (doc: GameDoc, id: number) => doc.handover.deliveries.find((d) => d.goodsTypes.includes(id))?.steps;
  const ids = new Set([...a.handover.deliveries, ...b.handover.deliveries].flatMap((d) => d.goodsTypes));
  for (const id of ids) stepChanges(typeName(id), stepsOf(a, id) ?? [], stepsOf(b, id) ?? [], add);
}

/** The differences from `a` to `b`, as text in the order of the editor. Empty when publishing `b` over `a` would change nothing visible. */
export function gameChanges(a: GameDoc, b: GameDoc): GameChange[] {
  const changes: GameChange[] = [];
  const add: Add = (part, kind, text) => void changes.push({ part, kind, text });
  baseChanges(a, b, add);
  typeChanges(a, b, add);
  areaChanges(a, b, add);
  fieldChanges(a, b, add);
  handoverChanges(a, b, add);
  return changes;
}
