import { describe, expect, it } from 'vitest';
import { fieldDoc, gameDoc, stepDoc } from '#tests/support/goods/game-doc.ts';
import type { FieldDoc, GameDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';
import { gameProblems, isListed, valuesOf } from './game-check.ts';

const step = (key: string, actor: StepDoc['actor'], more: object = {}): StepDoc => stepDoc(key, { actor, ...more });
const SEALED = step('account', 'seller', { secret: true, fields: [{ key: 'account', required: true }] });
const ACCEPT = step('accept', 'buyer', { beforeShip: false });
const STEPS = [SEALED, ACCEPT];
const server = (id: number | undefined, name: string, more: object = {}) => ({ id, name, ...more });

/** A game that can be published, with some of its parts changed. */
const game = (change: Partial<GameDoc> = {}): GameDoc =>
  gameDoc({ handover: { accounts: STEPS, deliveries: [] }, ...change });
const problems = (change: Partial<GameDoc>): [string, string][] =>
  gameProblems(game(change)).map(({ path, text }) => [path, text]);

it('a whole game has no problem', () => {
  expect(problems({})).toEqual([]);
});

describe('a name', () => {
  it.each([
    ['code', 'w', '编码应为 2 到 20 位小写字母或数字，以字母开头'],
    ['code', `w${'1'.repeat(20)}`, '编码应为 2 到 20 位小写字母或数字，以字母开头'],
    ['code', '1w', '编码应为 2 到 20 位小写字母或数字，以字母开头'],
    ['code', '1ww', '编码应为 2 到 20 位小写字母或数字，以字母开头'],
    ['name', '', '请填写游戏名称'],
    ['initial', 'w', '首字母应为一个大写字母'],
    ['initial', 'WW', '首字母应为一个大写字母'],
    ['pinyin', '', '拼音应为小写字母，不含空格和声调'],
    ['pinyin', 'w'.repeat(61), '拼音应为小写字母，不含空格和声调'],
    ['pinyin', 'wang zhe', '拼音应为小写字母，不含空格和声调'],
    ['initials', '', '拼音缩写应为小写字母'],
    ['initials', 'w'.repeat(21), '拼音缩写应为小写字母'],
    ['initials', 'WZ', '拼音缩写应为小写字母'],
    ['glyph', '', '请填写图标上的字，或上传图标'],
  ] as const)('%s %o: %s', (key, value, text) => {
    expect(problems({ [key]: value })).toEqual([[key, text]]);
  });

  it('at its longest is right, and an uploaded icon needs no character', () => {
    expect(problems({ code: `w${'1'.repeat(19)}`, pinyin: 'w'.repeat(60), initials: 'w'.repeat(20) })).toEqual([]);
    expect(problems({ glyph: '', icon: 'a-key' })).toEqual([]);
  });

  it('besides is neither empty nor there twice, whatever its case', () => {
    expect(problems({ aliases: ['农药', '', 'WZ', 'wz'] })).toEqual([
      ['aliases.1', '别名不能为空'],
      ['aliases.3', '别名重复'],
    ]);
  });
});

describe('the goods types', () => {
  it('are at least one, known, named, each once, with the default among them', () => {
    expect(problems({ goodsTypes: [] })).toEqual([
      ['goodsTypes', '至少开放一种商品类型'],
      ['defaultType', '默认类型应是已开放的商品类型'],
    ]);
    const types = [
      { id: 1, name: '账号' },
      { id: 98, name: '' },
      { id: 1, name: '又一个' },
    ];
    expect(problems({ goodsTypes: types }).slice(0, 3)).toEqual([
      ['goodsTypes.1.id', '没有这种商品类型'],
      ['goodsTypes.1.name', '请填写商品类型的名称'],
      ['goodsTypes.2.id', '商品类型重复'],
    ]);
  });

  it('require unit, ratio, an amount field and steps when coin is among them', () => {
    const goodsTypes = [{ id: 2, name: '游戏币' }];
    const none = { accounts: [], deliveries: [] };
    expect(problems({ goodsTypes, defaultType: 2, handover: none })).toEqual([
      ['coinUnit', '开放了游戏币，请选择金币单位'],
      ['coinRatio', '开放了游戏币，请填写 1 元约可换多少'],
      ['fields', '游戏币和元宝需要标识为 amount 的必填数字，作为数量'],
      ['handover.deliveries', '「游戏币」还没有换绑或交付步骤'],
    ]);
    const second = [
      { id: 1, name: '账号' },
      { id: 27, name: '道具' },
    ];
    expect(problems({ goodsTypes: second })).toEqual([['handover.deliveries', '「道具」还没有换绑或交付步骤']]);
    const amount = fieldDoc({ key: 'amount', kind: 'range', options: [], max: 9, required: true, goodsTypes: [2] });
    const whole = {
      goodsTypes,
      defaultType: 2,
      coinUnit: '万',
      coinRatio: 10,
      fields: [amount],
      handover: { accounts: [], deliveries: [{ goodsTypes: [2], steps: STEPS }] },
    } as unknown as Partial<GameDoc>;
    expect(problems(whole)).toEqual([]);
    const missing = [['fields', '游戏币和元宝需要标识为 amount 的必填数字，作为数量']];
    for (const change of [{ required: false }, { key: 'other' }, { retired: true as const }, { goodsTypes: [1] }])
      expect(problems({ ...whole, fields: [{ ...amount, ...change }] })).toEqual(missing);
    const words = { ...amount, kind: 'text' as const, max: undefined, filterable: false };
    expect(problems({ ...whole, fields: [words] })).toEqual(missing);

    // Ingots need an amount as well, but neither unit nor ratio.
    const ingots = {
      goodsTypes: [{ id: 22, name: '元宝' }],
      defaultType: 22,
      fields: [{ ...amount, goodsTypes: [22] }],
      handover: { accounts: [], deliveries: [{ goodsTypes: [22], steps: STEPS }] },
    };
    expect(problems(ingots)).toEqual([]);
    expect(problems({ ...ingots, fields: [] })).toEqual(missing);
  });
});

describe('areas and servers', () => {
  it('have names and numbers, each once', () => {
    const areas = [
      { id: 1, name: '安卓QQ', servers: [server(10, '一区'), server(10, '一区'), server(undefined, '')] },
      { id: 1, name: '安卓QQ', servers: [] },
      { id: 2, name: '', servers: [] },
    ];
    expect(problems({ areas })).toEqual([
      ['areas.1.name', '大区重名'],
      ['areas.1.id', '大区编号重复'],
      ['areas.0.servers.1.id', '服务器编号重复'],
      ['areas.0.servers.1.name', '同一大区内服务器重名'],
      ['areas.0.servers.2.name', '请填写服务器名称'],
      ['areas.2.name', '请填写大区名称'],
    ]);
  });

  it('may be many that are new and have no number yet', () => {
    const servers = [server(undefined, '一区'), server(undefined, '二区')];
    expect(
      problems({
        areas: [
          { id: undefined, name: '一', servers },
          { id: undefined, name: '二', servers: [] },
        ],
      }),
    ).toEqual([]);
  });

  it('are at most five thousand servers', () => {
    const servers = (n: number) => Array.from({ length: n }, (_, i) => server(i + 1, `${i + 1}区`));
    expect(problems({ areas: [{ id: 1, name: '一', servers: servers(5000) }] })).toEqual([]);
    expect(problems({ areas: [{ id: 1, name: '一', servers: servers(5001) }] })).toEqual([
      ['areas', '一个游戏最多 5000 个服务器'],
    ]);
  });

  it('are merged into one that is on offer, and are then off themselves', () => {
    const merged = (more: object, area: object = {}) =>
      problems({
        areas: [
          { id: 1, name: '安卓QQ', servers: [server(10, '一区'), server(11, '二区', { off: true })], ...area },
          { id: 2, name: '苹果QQ', servers: [server(20, '三区', more)] },
        ],
      });
    expect(merged({ off: true, mergedInto: 10 })).toEqual([]);
    expect(merged({ mergedInto: 10 })).toEqual([['areas.1.servers.0.mergedInto', '合并后的服务器应停用']]);
    const gone = [['areas.1.servers.0.mergedInto', '请合并到本游戏一个在用的服务器']];
    expect(merged({ off: true, mergedInto: 11 })).toEqual(gone);
    expect(merged({ off: true, mergedInto: 99 })).toEqual(gone);
    expect(merged({ off: true, mergedInto: 10 }, { off: true })).toEqual(gone);
  });
});

describe('a field of the form', () => {
  const of = (more: Partial<FieldDoc>) => problems({ fields: [fieldDoc(more)] });
  it.each([
    [{ key: 'Rank' }, 'fields.0.key', '标识应为小写字母、数字或下划线，以字母开头'],
    [{ key: `r${'1'.repeat(32)}` }, 'fields.0.key', '标识应为小写字母、数字或下划线，以字母开头'],
    [{ label: '' }, 'fields.0.label', '请填写名称'],
    [{ options: [] }, 'fields.0.options', '至少要有一个在用的选项'],
    [{ options: undefined }, 'fields.0.options', '至少要有一个在用的选项'],
    [{ options: [{ v: 1, label: '王者', retired: true }] }, 'fields.0.options', '至少要有一个在用的选项'],
    [{ options: [{ v: 'a b', label: '甲' }] }, 'fields.0.options.0.v', '选项的值应为字母、数字、下划线或短横线'],
    [
      { options: [{ v: 'a'.repeat(33), label: '甲' }] },
      'fields.0.options.0.v',
      '选项的值应为字母、数字、下划线或短横线',
    ],
    [{ options: [{ v: 1, label: '' }] }, 'fields.0.options.0.label', '请填写选项名称'],
    [
      {
        options: [
          { v: 1, label: '甲' },
          { v: '1', label: '乙' },
        ],
      },
      'fields.0.options.1.v',
      '选项的值重复',
    ],
    [
      {
        options: [
          { v: 1, label: '甲' },
          { v: 2, label: '甲' },
        ],
      },
      'fields.0.options.1.label',
      '选项重名',
    ],
    [{ kind: 'bool' }, 'fields.0.options', '只有单选、多选和物品数量有选项'],
    [{ min: 1 }, 'fields.0.min', '只有数字和物品数量有上下限'],
    [{ max: 1 }, 'fields.0.max', '只有数字和物品数量有上下限'],
    [{ kind: 'range', options: [] }, 'fields.0.max', '请填写最大值'],
    [{ kind: 'range', options: [], min: 2, max: 1 }, 'fields.0.max', '最大值不能小于最小值'],
    [{ kind: 'item_count' }, 'fields.0.max', '请填写最大值'],
    [{ goodsTypes: [] }, 'fields.0.goodsTypes', '至少用于一种商品类型'],
    [{ goodsTypes: [1, 98] }, 'fields.0.goodsTypes.1', '没有这种商品类型'],
    [{ kind: 'text', options: [] }, 'fields.0.filterable', '文字不能做成筛选'],
  ] as [Partial<FieldDoc>, string, string][])('%o', (more, path, text) => {
    expect(of(more)).toEqual([[path, text]]);
  });

  it.each([
    { key: `r${'1'.repeat(31)}` },
    { options: [{ v: 'a'.repeat(32), label: '甲' }] },
    {
      options: [
        { v: 1, label: '甲', retired: true as const },
        { v: 2, label: '甲' },
      ],
    },
    {
      options: [
        { v: 1, label: '甲', retired: true as const },
        { v: 2, label: '乙', retired: true as const },
        { v: 3, label: '丙' },
      ],
    },
    { kind: 'range' as const, options: [], min: 1, max: 1 },
    { kind: 'text' as const, options: [], filterable: false },
    { retired: true as const, goodsTypes: [] },
  ])('%o is right', (more) => {
    expect(of(more)).toEqual([]);
  });

  it('is there once by key and, while it is on offer, by name', () => {
    const old = ['old', 'older'].map((key) => fieldDoc({ key, retired: true }));
    const list = [fieldDoc(), fieldDoc(), ...old];
    expect(problems({ fields: list })).toEqual([
      ['fields.1.key', '填写项的标识重复'],
      ['fields.1.label', '填写项重名'],
    ]);
  });

  it('can be a number filter at most four times per game', () => {
    const range = (n: number, more: Partial<FieldDoc> = {}) =>
      fieldDoc({ key: `n${n}`, label: `数字${n}`, kind: 'range', options: [], max: 9, ...more });
    expect(problems({ fields: [1, 2, 3, 4].map((n) => range(n)) })).toEqual([]);
    expect(problems({ fields: [1, 2, 3, 4, 5].map((n) => range(n)) })).toEqual([
      ['fields.4.filterable', '最多 4 个数字可以做成筛选，请先取消另一个'],
    ]);
    expect(problems({ fields: [1, 2, 3, 4, 5].map((n) => range(n, n === 2 ? { filterable: false } : {})) })).toEqual(
      [],
    );
    // Filters of other kinds take no column of numbers.
    expect(problems({ fields: [fieldDoc(), ...[1, 2, 3, 4].map((n) => range(n))] })).toEqual([]);
  });

  it('has values that a condition can name', () => {
    expect(['single', 'multi', 'item_count', 'range', 'bool', 'text'].map(isListed)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(valuesOf(fieldDoc())).toEqual(['王者']);
    expect(valuesOf({ key: 'x', label: '可换绑', kind: 'bool' })).toHaveLength(2);
    expect(valuesOf({ key: 'x', label: '可换绑', kind: 'text' })).toEqual([]);
  });
});

describe('the steps of a hand-over', () => {
  const of = (accounts: StepDoc[]) => problems({ handover: { accounts, deliveries: [] } });
  const at = (path: string): string => `handover.accounts${path}`;
  it.each([
    [{ key: 'Aa' }, '.0.key', '标识应为小写字母、数字或下划线，以字母开头'],
    [{ key: 'aA' }, '.0.key', '标识应为小写字母、数字或下划线，以字母开头'],
    [{ key: `a${'1'.repeat(32)}` }, '.0.key', '标识应为小写字母、数字或下划线，以字母开头'],
    [{ title: '' }, '.0.title', '请填写步骤名称'],
    [{ explain: '' }, '.0.explain', '请写明这一步怎么做'],
    [{ minutes: 0 }, '.0.minutes', '时限应为 1 到 43200 分钟'],
    [{ minutes: 43_201 }, '.0.minutes', '时限应为 1 到 43200 分钟'],
    [{ fields: [] }, '.0.fields', '密封的步骤至少要有一个密封项'],
    [{ fields: undefined }, '.0.fields', '密封的步骤至少要有一个密封项'],
    [{ unless: [{ field: 'rank', value: '青铜', reason: '' }] }, '.0.unless.0.value', '该填写项没有这个值'],
    [{ exchange: true }, '.0.exchange', '互传号码和验证码的步骤由卖家或买家操作，不再另设密封表单'],
  ])('%o', (more, path, text) => {
    expect(of([{ ...SEALED, ...more } as StepDoc, ACCEPT])).toEqual([[at(path), text]]);
  });

  it.each([
    { minutes: 1 },
    { minutes: 43_200 },
    { unless: [{ field: 'rank', value: '王者', reason: '' }] },
    { unless: [{ field: 'none', value: '青铜', reason: '' }] },
  ])('%o is right', (more) => {
    expect(of([{ ...SEALED, ...more } as StepDoc, ACCEPT])).toEqual([]);
  });

  it('are marked as sealed if they have sealed fields, and exchange only with a party as actor', () => {
    const open = step('open', 'seller', { fields: [{ key: 'account', required: true }] });
    expect(of([SEALED, open, ACCEPT])).toEqual([[at('.1.secret'), '有密封项的步骤应设为密封']]);
    expect(of([SEALED, step('swap', 'staff', { exchange: true }), ACCEPT])).toEqual([
      [at('.1.exchange'), '互传号码和验证码的步骤由卖家或买家操作，不再另设密封表单'],
    ]);
    expect(of([SEALED, step('swap', 'buyer', { exchange: true }), ACCEPT])).toEqual([]);
  });

  it('begin before the shipping and end with the buyer after it, in this order, each key once', () => {
    expect(of([])).toEqual([[at(''), '至少要有一步']]);
    expect(of([ACCEPT])).toEqual([
      [at('.0.beforeShip'), '第一步应在发货前'],
      [at(''), '账号要有一步由卖家密封提交资料'],
    ]);
    expect(of([SEALED, step('sent', 'seller', { beforeShip: false }), step('late', 'seller'), ACCEPT])).toEqual([
      [at('.2.beforeShip'), '发货前的步骤应排在发货后的步骤前面'],
    ]);
    expect(of([SEALED, { ...SEALED }, ACCEPT])).toEqual([[at('.1.key'), '步骤的标识重复']]);
    const end = [at('.1.actor'), '最后一步应由买家在发货后验收，且必做'];
    for (const change of [{ actor: 'seller' as const }, { required: false }, { beforeShip: true }])
      expect(of([SEALED, { ...ACCEPT, ...change }])).toEqual([end]);
  });

  it('of accounts are right also in a game that sells none', () => {
    const goodsTypes = [{ id: 27, name: '道具' }];
    const deliveries = [{ goodsTypes: [27], steps: STEPS }];
    const sold = (accounts: StepDoc[]) => problems({ goodsTypes, defaultType: 27, handover: { accounts, deliveries } });
    expect(sold([])).toEqual([]);
    expect(problems({ defaultType: 2 })).toEqual([['defaultType', '默认类型应是已开放的商品类型']]);
    const both = [{ id: 1, name: '账号' }, ...goodsTypes];
    expect(problems({ goodsTypes: both, handover: { accounts: [], deliveries } })).toEqual([[at(''), '至少要有一步']]);
    expect(sold([step('open', 'seller'), ACCEPT])).toEqual([[at(''), '账号要有一步由卖家密封提交资料']]);
  });

  it('belong to deliverable goods types, each listed once', () => {
    const deliveries = [
      { goodsTypes: [27, 1], steps: STEPS },
      { goodsTypes: [27, 98], steps: STEPS },
    ];
    expect(problems({ handover: { accounts: STEPS, deliveries } })).toEqual([
      ['handover.deliveries.0.goodsTypes.1', '没有这种需要交付的商品类型'],
      ['handover.deliveries.1.goodsTypes.0', '一种商品类型只能有一套步骤'],
      ['handover.deliveries.1.goodsTypes.1', '没有这种需要交付的商品类型'],
    ]);
    expect(problems({ handover: { accounts: STEPS, deliveries: [{ goodsTypes: [27], steps: [] }] } })).toEqual([
      ['handover.deliveries.0.steps', '至少要有一步'],
    ]);
  });
});
