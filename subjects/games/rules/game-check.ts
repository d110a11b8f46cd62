import type { FieldDoc, GameDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';
import { boolLabels } from './attr-text.ts';
import { accountTypes, isGoodsType } from '#contract/rules/catalogue.ts';

/** Columns of the search table for numbers; each filterable number of a game takes one. */
export const NUMERIC_SLOTS = 4;
const MAX_SERVERS = 5000;

/** An error in a document, with its path: `fields.3.options.0.label`. */
export interface GameProblem {
  path: string;
  text: string;
}

type Report = (path: string, text: string) => void;

const LISTED: readonly string[] = ['single', 'multi', 'item_count'];
export const isListed = (kind: string): boolean => LISTED.includes(kind);
const repeated = <T>(list: readonly T[], key: (item: T) => unknown): number[] => {
  const seen = new Set<unknown>();
  return list.flatMap((item, i) => {
    const k = key(item);
    if (k === undefined || !seen.has(k)) {
      seen.add(k);
      return [];
    }
    return [i];
  });
};

function checkNames(doc: GameDoc, report: Report): void {
  if (!/^[a-z][a-z0-9]{1,19}$/.test(doc.code)) report('code', '编码应为 2 到 20 位小写字母或数字，以字母开头');
  if (doc.name === '') report('name', '请填写游戏名称');
  if (!/^[A-Z]$/.test(doc.initial)) report('initial', '首字母应为一个大写字母');
  if (!/^[a-z0-9]{1,60}$/.test(doc.pinyin)) report('pinyin', '拼音应为小写字母，不含空格和声调');
  if (!/^[a-z0-9]{1,20}$/.test(doc.initials)) report('initials', '拼音缩写应为小写字母');
  if (doc.icon === null && doc.glyph === '') report('glyph', '请填写图标上的字，或上传图标');
  for (const [i, alias] of doc.aliases.entries()) if (alias === '') report(`aliases.${i}`, '别名不能为空');
  for (const i of repeated(doc.aliases, (a) => a.toLowerCase())) report(`aliases.${i}`, '别名重复');
}

function checkTypes(doc: GameDoc, report: Report): void {
  if (doc.goodsTypes.length === 0) report('goodsTypes', '至少开放一种商品类型');
  for (const [i, { id, name }] of doc.goodsTypes.entries()) {
    if (!isGoodsType(id)) report(`goodsTypes.${i}.id`, '没有这种商品类型');
    if (name === '') report(`goodsTypes.${i}.name`, '请填写商品类型的名称');
  }
  for (const i of repeated(doc.goodsTypes, ({ id }) => id)) report(`goodsTypes.${i}.id`, '商品类型重复');
  if (!doc.goodsTypes.some(({ id }) => id === doc.defaultType)) report('defaultType', '默认类型应是已开放的商品类型');
  const hasCoin = doc.goodsTypes.some(({ id }) => id === 2);
  if (hasCoin && doc.coinUnit === null) report('coinUnit', '开放了游戏币，请选择金币单位');
  if (hasCoin && doc.coinRatio === null) report('coinRatio', '开放了游戏币，请填写 1 元约可换多少');
}

function checkAreas(doc: GameDoc, report: Report): void {
  const live = new Set(doc.areas.flatMap((a) => (a.off ? [] : a.servers.filter((s) => !s.off).map((s) => s.id))));
  for (const i of repeated(doc.areas, (a) => a.name)) report(`areas.${i}.name`, '大区重名');
  for (const i of repeated(doc.areas, (a) => a.id)) report(`areas.${i}.id`, '大区编号重复');
  const total = doc.areas.reduce((sum, a) => sum + a.servers.length, 0);
  if (total > MAX_SERVERS) report('areas', `一个游戏最多 ${MAX_SERVERS} 个服务器`);
  const ids = doc.areas.flatMap((a, i) => a.servers.map((s, j) => ({ id: s.id, path: `areas.${i}.servers.${j}.id` })));
  for (const at of repeated(ids, (s) => s.id)) report(ids[at]?.path ?? 'areas', '服务器编号重复');
  for (const [i, area] of doc.areas.entries()) {
    if (area.name === '') report(`areas.${i}.name`, '请填写大区名称');
    for (const j of repeated(area.servers, (s) => s.name))
      report(`areas.${i}.servers.${j}.name`, '同一大区内服务器重名');
    for (const [j, server] of area.servers.entries()) {
      const path = `areas.${i}.servers.${j}`;
      if (server.name === '') report(`${path}.name`, '请填写服务器名称');
      if (server.mergedInto === undefined) continue;
      if (!server.off) report(`${path}.mergedInto`, '合并后的服务器应停用');
      if (!live.has(server.mergedInto)) report(`${path}.mergedInto`, '请合并到本游戏一个在用的服务器');
    }
  }
}

function checkOptions(field: FieldDoc, path: string, report: Report): void {
  const options = field.options ?? [];
  if (!isListed(field.kind)) {
    if (options.length > 0) report(`${path}.options`, '只有单选、多选和物品数量有选项');
    return;
  }
  if (!options.some((o) => !o.retired)) report(`${path}.options`, '至少要有一个在用的选项');
  for (const [i, { v, label }] of options.entries()) {
    if (typeof v === 'string' && !/^[A-Za-z0-9_-]{1,32}$/.test(v))
      report(`${path}.options.${i}.v`, '选项的值应为字母、数字、下划线或短横线');
    if (label === '') report(`${path}.options.${i}.label`, '请填写选项名称');
  }
  for (const i of repeated(options, ({ v }) => String(v))) report(`${path}.options.${i}.v`, '选项的值重复');
  for (const i of repeated(options, (o) => (o.retired ? undefined : o.label)))
    report(`${path}.options.${i}.label`, '选项重名');
}

function checkRange(field: FieldDoc, path: string, report: Report): void {
  const { min, max } = field;
  if (field.kind === 'item_count' || field.kind === 'range') {
    if (max === undefined) report(`${path}.max`, '请填写最大值');
    if (min !== undefined && max !== undefined && min > max) report(`${path}.max`, '最大值不能小于最小值');
  } else if (min !== undefined || max !== undefined) {
    report(`${path}.${min === undefined ? 'max' : 'min'}`, '只有数字和物品数量有上下限');
  }
}

function checkFields(doc: GameDoc, report: Report): void {
  const types = new Set(doc.goodsTypes.map(({ id }) => id));
  for (const i of repeated(doc.fields, (f) => f.key)) report(`fields.${i}.key`, '填写项的标识重复');
  for (const i of repeated(doc.fields, (f) => (f.retired ? undefined : f.label)))
    report(`fields.${i}.label`, '填写项重名');
  let ranges = 0;
  for (const [i, field] of doc.fields.entries()) {
    const path = `fields.${i}`;
    if (!/^[a-z][a-z0-9_]{0,31}$/.test(field.key)) report(`${path}.key`, '标识应为小写字母、数字或下划线，以字母开头');
    if (field.label === '') report(`${path}.label`, '请填写名称');
    checkOptions(field, path, report);
    checkRange(field, path, report);
    if (field.retired) continue;
    if (field.goodsTypes.length === 0) report(`${path}.goodsTypes`, '至少用于一种商品类型');
    for (const [j, type] of field.goodsTypes.entries())
      if (!isGoodsType(type)) report(`${path}.goodsTypes.${j}`, '没有这种商品类型');
    if (field.kind === 'text' && field.filterable) report(`${path}.filterable`, '文字不能做成筛选');
    if (field.kind === 'range' && field.filterable && ++ranges > NUMERIC_SLOTS)
      report(`${path}.filterable`, `最多 ${NUMERIC_SLOTS} 个数字可以做成筛选，请先取消另一个`);
  }
  for (const type of [2, 22])
    if (types.has(type) && !doc.fields.some((f) => isAmount(f) && f.goodsTypes.includes(type)))
      report('fields', '游戏币和元宝需要标识为 amount 的必填数字，作为数量');
}

const isAmount = (f: FieldDoc): boolean => f.key === 'amount' && f.kind === 'range' && f.required && !f.retired;

function checkStep(step: StepDoc, path: string, doc: GameDoc, report: Report): void {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(step.key)) report(`${path}.key`, '标识应为小写字母、数字或下划线，以字母开头');
  if (step.title === '') report(`${path}.title`, '请填写步骤名称');
  if (step.explain === '') report(`${path}.explain`, '请写明这一步怎么做');
  if (step.minutes < 1 || step.minutes > 43_200) report(`${path}.minutes`, '时限应为 1 到 43200 分钟');
  if (step.secret && (step.fields ?? []).length === 0) report(`${path}.fields`, '密封的步骤至少要有一个密封项');
  if (!step.secret && (step.fields ?? []).length > 0) report(`${path}.secret`, '有密封项的步骤应设为密封');
  if (step.exchange && (step.secret || step.actor === 'staff'))
    report(`${path}.exchange`, '互传号码和验证码的步骤由卖家或买家操作，不再另设密封表单');
  for (const [i, { field: key, value }] of (step.unless ?? []).entries()) {
    const field = doc.fields.find((f) => f.key === key);
    // Steps are shared between games, so a condition on a field that the game does not have is never true.
    if (field && !valuesOf(field).includes(value)) report(`${path}.unless.${i}.value`, '该填写项没有这个值');
  }
}

/** The displayed values of a field that can be used in a step's condition. */
export function valuesOf(field: Pick<FieldDoc, 'key' | 'label' | 'kind' | 'options'>): string[] {
  return field.kind === 'bool' ? [...boolLabels(field)] : (field.options ?? []).map(({ label }) => label);
}

function checkSteps(steps: readonly StepDoc[], path: string, doc: GameDoc, report: Report): void {
  if (steps.length === 0) return report(path, '至少要有一步');
  for (const i of repeated(steps, (s) => s.key)) report(`${path}.${i}.key`, '步骤的标识重复');
  for (const [i, step] of steps.entries()) checkStep(step, `${path}.${i}`, doc, report);
  if (!steps[0]?.beforeShip) report(`${path}.0.beforeShip`, '第一步应在发货前');
  for (const [i, step] of steps.entries())
    if (step.beforeShip && steps[i - 1]?.beforeShip === false)
      report(`${path}.${i}.beforeShip`, '发货前的步骤应排在发货后的步骤前面');
  const last = steps.at(-1);
  if (last && (last.actor !== 'buyer' || !last.required || last.beforeShip))
    report(`${path}.${steps.length - 1}.actor`, '最后一步应由买家在发货后验收，且必做');
}

function checkHandover(doc: GameDoc, report: Report): void {
  const types = doc.goodsTypes.map(({ id }) => id);
  const { accounts, deliveries } = doc.handover;
  if (types.some((id) => accountTypes.includes(id)) || accounts.length > 0) {
    checkSteps(accounts, 'handover.accounts', doc, report);
    if (accounts.length > 0 && !accounts.some((s) => s.secret))
      report('handover.accounts', '账号要有一步由卖家密封提交资料');
  }
  const used = new Set<number>();
  for (const [i, delivery] of deliveries.entries()) {
    checkSteps(delivery.steps, `handover.deliveries.${i}.steps`, doc, report);
    for (const [j, type] of delivery.goodsTypes.entries()) {
      const path = `handover.deliveries.${i}.goodsTypes.${j}`;
      if (!isGoodsType(type) || accountTypes.includes(type)) report(path, '没有这种需要交付的商品类型');
      if (used.has(type)) report(path, '一种商品类型只能有一套步骤');
      used.add(type);
    }
  }
  for (const type of types.filter((id) => !accountTypes.includes(id) && !used.has(id)))
    report('handover.deliveries', `「${doc.goodsTypes.find((t) => t.id === type)?.name ?? type}」还没有换绑或交付步骤`);
}

/** All errors that prevent a document from being published, in the order of the editor; empty when it can be published. Pure, used on both sides. */
export function gameProblems(doc: GameDoc): GameProblem[] {
  const problems: GameProblem[] = [];
  const report: Report = (path, text) => void problems.push({ path, text });
  checkNames(doc, report);
  checkTypes(doc, report);
  checkAreas(doc, report);
  checkFields(doc, report);
  checkHandover(doc, report);
  return problems;
}
