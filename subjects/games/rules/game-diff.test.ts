import { describe, expect, it } from 'vitest';
import { fieldDoc, gameDoc, stepDoc } from '#tests/support/goods/game-doc.ts';
import type { AreaDoc, FieldDoc, GameDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';
import { fieldKindNames, gameChanges, gamePartNames, gameParts, isSame } from './game-diff.ts';

const step = (key: string, title = key): StepDoc => stepDoc(key, { title });
const FIELD = fieldDoc({
  options: [
    { v: 1, label: '钻石' },
    { v: 2, label: '王者' },
  ],
});
const AREA: AreaDoc = {
  id: 1,
  name: '安卓QQ',
  servers: [
    { id: 10, name: '一区' },
    { id: 11, name: '二区' },
  ],
};
const game = (change: Partial<GameDoc> = {}): GameDoc =>
  gameDoc({
    aliases: ['农药'],
    hot: 5,
    areas: [AREA],
    fields: [FIELD],
    handover: {
      accounts: [step('account'), step('accept')],
      deliveries: [{ goodsTypes: [27], steps: [step('send')] }],
    },
    ...change,
  });
/** The changes of one document to another, one line each. */
const changes = (to: Partial<GameDoc>, from: Partial<GameDoc> = {}): string[] =>
  gameChanges(game(from), game(to)).map(({ part, kind, text }) => `${part} ${kind} ${text}`);

it('the same game has no difference, whatever the order of its keys', () => {
  const { name, ...rest } = game();
  expect(gameChanges(game(), { ...rest, name })).toEqual([]);
  expect([isSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }), isSame([1, 2], [2, 1])]).toEqual([true, false]);
  expect([isSame(undefined, null), isSame({ a: undefined }, {}), isSame(0, null)]).toEqual([true, true, false]);
  expect([isSame([], {}), isSame({ b: { d: 1, c: 2 }, a: [3] }, { a: [3], b: { c: 2, d: 1 } })]).toEqual([false, true]);
});

it('each part and each kind of field has a name', () => {
  expect(gameParts.map((part) => gamePartNames[part])).toEqual([
    '基本',
    '大区与服务器',
    '商品类型',
    '发布表单与筛选',
    '换绑步骤',
    '单位与换算',
    '别名与错字',
  ]);
  expect(Object.values(fieldKindNames)).toEqual(['单选', '多选', '数字', '是否', '物品数量', '文字']);
});

describe('the basics', () => {
  it.each([
    [{ name: '王者' }, 'base change 名称：王者荣耀 → 王者'],
    [{ code: 'wz' }, 'base change 编码：wzry → wz'],
    [{ gameType: 1 }, 'base change 类型：2 → 1'],
    [{ initial: 'X' }, 'base change 首字母：W → X'],
    [{ pinyin: 'x' }, 'base change 拼音：wangzherongyao → x'],
    [{ initials: 'x' }, 'base change 拼音缩写：wzry → x'],
    [{ glyph: '' }, 'base change 图标文字：王 → 空'],
    [{ hue: 21 }, 'base change 色相：20 → 21'],
    [{ scene: 'city' }, 'base change 画面：ridge → city'],
    [{ hot: 4 }, 'base change 热门排序：5 → 4'],
    [{ hot: 0 }, 'base off 热门排序：5 → 0'],
    [{ icon: 'a-key' }, 'base change 换了图标'],
    [{ coinUnit: '万' }, 'coin change 金币单位：空 → 万'],
    [{ coinRatio: 12.5 }, 'coin change 1 元约可换：空 → 12.5'],
    [{ defaultType: 2 }, 'types change 换了默认商品类型'],
  ] as [Partial<GameDoc>, string][])('%o: %s', (to, line) => {
    expect(changes(to)).toEqual([line]);
  });

  it('an icon that is taken away is drawn again', () => {
    expect(changes({}, { icon: 'a-key' })).toEqual(['base change 图标改为系统绘制']);
  });

  it('a game that was not in demand before is not taken off by another change', () => {
    expect(changes({ name: '王者', hot: 0 }, { hot: 0 })).toEqual(['base change 名称：王者荣耀 → 王者']);
  });

  it('names besides are added and taken away; of many the first are named', () => {
    expect(changes({ aliases: ['王者', '荣耀'] })).toEqual([
      'aliases add 新增别名「王者」「荣耀」',
      'aliases off 去掉别名「农药」',
    ]);
    const six = ['1', '2', '3', '4', '5', '6'];
    expect(changes({ aliases: ['农药', ...six] })).toEqual(['aliases add 新增别名「1」「2」「3」「4」「5」「6」']);
    expect(changes({ aliases: ['农药', ...six, '7'] })).toEqual([
      'aliases add 新增别名「1」「2」「3」「4」「5」「6」等 7 个',
    ]);
  });

  it('goods types are opened, renamed and closed', () => {
    const goodsTypes = [
      { id: 1, name: '成品号' },
      { id: 2, name: '游戏币' },
    ];
    expect(changes({ goodsTypes })).toEqual([
      'types change 商品类型「账号」改名为「成品号」',
      'types add 开放商品类型「游戏币」',
    ]);
    expect(changes({ goodsTypes: [{ id: 2, name: '游戏币' }] })).toEqual([
      'types add 开放商品类型「游戏币」',
      'types off 关闭商品类型「账号」',
    ]);
  });
});

describe('areas and servers', () => {
  const area = (more: Partial<AreaDoc>): AreaDoc => ({ ...AREA, ...more });
  const [one, two] = AREA.servers as [AreaDoc['servers'][number], AreaDoc['servers'][number]];
  it.each([
    ['a new server', [area({ servers: [one, two, { name: '三区' }] })], 'areas add 安卓QQ 新增服务器「三区」'],
    [
      'a server of an unknown number',
      [area({ servers: [one, two, { id: 99, name: '三区' }] })],
      'areas add 安卓QQ 新增服务器「三区」',
    ],
    [
      'a renamed server',
      [area({ servers: [one, { id: 11, name: '贰区' }] })],
      'areas change 安卓QQ 的「二区」改名为「贰区」',
    ],
    ['a closed server', [area({ servers: [one, { ...two, off: true }] })], 'areas off 安卓QQ 停用服务器「二区」'],
    [
      'a merged server',
      [area({ servers: [one, { ...two, off: true, mergedInto: 10 }] })],
      'areas off 安卓QQ 的「二区」并入「一区」',
    ],
    [
      'one merged into nothing',
      [area({ servers: [one, { ...two, off: true, mergedInto: 99 }] })],
      'areas off 安卓QQ 的「二区」并入「?」',
    ],
    ['another order of servers', [area({ servers: [two, one] })], 'areas change 安卓QQ 的服务器换了顺序'],
    ['a renamed area', [area({ name: '安卓' })], 'areas change 大区「安卓QQ」改名为「安卓」'],
    ['a closed area', [area({ off: true })], 'areas off 停用大区「安卓QQ」'],
    ['a new area', [AREA, { name: '苹果', servers: [{ name: '一' }] }], 'areas add 新增大区「苹果」，1 个服务器'],
  ] as [string, AreaDoc[], string][])('%s', (_name, areas, line) => {
    expect(changes({ areas })).toEqual([line]);
  });

  it('come back, and what was never on offer is no news', () => {
    expect(changes({}, { areas: [area({ off: true })] })).toEqual(['areas add 恢复大区「安卓QQ」']);
    expect(changes({}, { areas: [area({ servers: [one, { ...two, off: true }] })] })).toEqual([
      'areas add 安卓QQ 恢复服务器「二区」',
    ]);
    expect(changes({ areas: [AREA, { name: '旧', off: true, servers: [] }] })).toEqual([]);
    expect(changes({ areas: [area({ servers: [one, two, { name: '旧', off: true }] })] })).toEqual([]);
  });

  it('that stay as they were are no news; a merge into another server is', () => {
    const off = [area({ servers: [one, { ...two, off: true }] })];
    expect(changes({ areas: off }, { areas: off })).toEqual([]);
    const three = { id: 12, name: '三区' };
    const merged = (mergedInto: number) => [area({ servers: [one, { ...two, off: true, mergedInto }, three] })];
    expect(changes({ areas: merged(10) }, { areas: merged(10) })).toEqual([]);
    expect(changes({ areas: merged(12) }, { areas: merged(10) })).toEqual(['areas off 安卓QQ 的「二区」并入「三区」']);
    // A server that was off before it was merged, and one that leaves a merge.
    expect(changes({ areas: merged(10) }, { areas: [area({ servers: [one, { ...two, off: true }, three] })] })).toEqual(
      ['areas off 安卓QQ 的「二区」并入「一区」'],
    );
    expect(changes({ areas: [area({ servers: [one, two, three] })] }, { areas: merged(10) })).toEqual([
      'areas add 安卓QQ 恢复服务器「二区」',
    ]);
  });

  it('without a number are new each time, in any order', () => {
    const fresh = (...names: string[]) => [area({ servers: [...names.map((name) => ({ name })), one, two] })];
    expect(changes({ areas: fresh('四区') }, { areas: fresh('三区', '四区') })).toEqual([
      'areas add 安卓QQ 新增服务器「四区」',
    ]);
    const noId = { name: '新', servers: [] };
    expect(changes({ areas: [noId, AREA] }, { areas: [AREA, noId] })).toEqual(['areas add 新增大区「新」，0 个服务器']);
  });

  it('in another order are named, not those that are off', () => {
    const second = area({ id: 2, name: '苹果QQ', servers: [] });
    expect(changes({ areas: [second, AREA] }, { areas: [AREA, second] })).toEqual(['areas change 大区换了顺序']);
    const off = area({ id: 2, name: '苹果QQ', servers: [], off: true });
    expect(changes({ areas: [off, AREA] }, { areas: [AREA, off] })).toEqual([]);
    const servers: AreaDoc['servers'] = [one, { ...two, off: true }];
    expect(changes({ areas: [area({ servers: servers.toReversed() })] }, { areas: [area({ servers })] })).toEqual([]);
  });
});

describe('the form', () => {
  const to = (more: Partial<FieldDoc>, from: Partial<FieldDoc> = {}) =>
    changes({ fields: [{ ...FIELD, ...more }] }, { fields: [{ ...FIELD, ...from }] });
  const [first, second] = FIELD.options as [
    NonNullable<FieldDoc['options']>[number],
    NonNullable<FieldDoc['options']>[number],
  ];
  it.each([
    [{ label: '等级' }, 'fields change 「段位」名称：段位 → 等级'],
    [{ kind: 'multi' }, 'fields change 「段位」类型：单选 → 多选'],
    [{ unit: '级' }, 'fields change 「段位」单位：空 → 级'],
    [{ min: 0 }, 'fields change 「段位」最小值：空 → 0'],
    [{ max: 9 }, 'fields change 「段位」最大值：空 → 9'],
    [{ required: true }, 'fields change 「段位」必填：否 → 是'],
    [{ inCard: false }, 'fields change 「段位」显示在卡片：是 → 否'],
    [{ filterable: false }, 'fields change 「段位」做成筛选：是 → 否'],
    [{ help: '按最高' }, 'fields change 「段位」说明：空 → 按最高'],
    [{ goodsTypes: [1, 2] }, 'fields change 「段位」改了适用的商品类型'],
    [{ aliases: ['等级'] }, 'fields change 「段位」改了表头别名'],
    [{ retired: true }, 'fields off 停用「段位」'],
    [{ options: [first, second, { v: 3, label: '荣耀' }] }, 'fields add 「段位」新增选项「荣耀」'],
    [{ options: [first, { v: 2, label: '最强王者' }] }, 'fields change 「段位」的选项「王者」改名为「最强王者」'],
    [{ options: [first, { ...second, retired: true }] }, 'fields off 「段位」停用选项「王者」'],
    [{ options: [first, { ...second, aliases: ['wz'] }] }, 'fields change 「段位」改了 1 个选项的别名'],
    [{ options: [second, first] }, 'fields change 「段位」的选项换了顺序'],
  ] as [Partial<FieldDoc>, string][])('%o: %s', (more, line) => {
    expect(to(more)).toEqual([line]);
  });

  it('has back what was retired; an option that begins retired is no news', () => {
    expect(to({}, { retired: true })).toEqual(['fields add 恢复「段位」']);
    expect(to({}, { options: [first, { ...second, retired: true }] })).toEqual(['fields add 「段位」恢复选项「王者」']);
    expect(to({ options: [first, second, { v: 3, label: '旧', retired: true }] })).toEqual([]);
  });

  it('says nothing of what stays retired', () => {
    expect(to({ retired: true }, { retired: true })).toEqual([]);
    const options = [first, { ...second, retired: true as const }];
    expect(to({ options }, { options })).toEqual([]);
    expect(to({ options: [...options].toReversed() }, { options })).toEqual([]);
    expect(to({ options: undefined }, { options: undefined })).toEqual([]);
    expect(to({ aliases: [] }, { aliases: undefined })).toEqual([]);
  });

  it('has new fields, and an order', () => {
    const skins: FieldDoc = { ...FIELD, key: 'skins', label: '皮肤', kind: 'range', options: [], required: true };
    expect(changes({ fields: [FIELD, skins] })).toEqual(['fields add 新增「皮肤」，数字，必填']);
    expect(changes({ fields: [FIELD, { ...skins, required: false }] })).toEqual(['fields add 新增「皮肤」，数字']);
    expect(changes({ fields: [skins, FIELD] }, { fields: [FIELD, skins] })).toEqual(['fields change 填写项换了顺序']);
    const retired: FieldDoc = { ...skins, retired: true };
    expect(changes({ fields: [retired, FIELD] }, { fields: [FIELD, retired] })).toEqual([]);
  });
});

describe('the hand-over', () => {
  const { accounts, deliveries } = game().handover;
  it.each([
    ['a new step', { accounts: [...accounts, step('check', '核对')], deliveries }, 'handover add 账号新增步骤「核对」'],
    [
      'a changed step',
      { accounts: [step('account', '交号'), step('accept')], deliveries },
      'handover change 账号改了步骤「交号」',
    ],
    ['a step less', { accounts: accounts.slice(0, 1), deliveries }, 'handover off 账号去掉步骤「accept」'],
    ['another order', { accounts: accounts.toReversed(), deliveries }, 'handover change 账号的步骤换了顺序'],
    ['a delivery less', { accounts, deliveries: [] }, 'handover off 类型 27去掉步骤「send」'],
    [
      'a delivery more',
      { accounts, deliveries: [...deliveries, { goodsTypes: [22], steps: [step('hand')] }] },
      'handover add 类型 22新增步骤「hand」',
    ],
  ] as [string, GameDoc['handover'], string][])('%s', (_name, handover, line) => {
    expect(changes({ handover })).toEqual([line]);
  });

  it('names a goods type as the game does, also one that it had before', () => {
    const item = {
      goodsTypes: [
        { id: 1, name: '账号' },
        { id: 27, name: '道具' },
      ],
    };
    expect(changes({ ...item, handover: { accounts, deliveries: [] } }, item)).toEqual([
      'handover off 道具去掉步骤「send」',
    ]);
    expect(changes({ handover: { accounts, deliveries: [] } }, item)).toEqual([
      'types off 关闭商品类型「道具」',
      'handover off 道具去掉步骤「send」',
    ]);
  });
});
