/** Reasons of disputes by staff: for which orders, in which order, on and off, and what open disputes keep. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/disputes/contract/staff-reasons.ts';
import { codes } from '#contract/codes.ts';
import { disputeDetail, disputeEntry, openDispute } from '#subjects/disputes/contract/dispute.ts';
import { REPORT_STATE } from '#subjects/disputes/rules/dispute-reasons.ts';
import type { TestApp, TestStaff } from '#tests/support/servers/build.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';

let t: TestApp;
let writer: TestStaff;
let court: Court;

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
  writer = await t.newStaff({ role: 'content' });
});
afterAll(async () => await t.close());

const FIELD = { key: 'what', label: '发生了什么', kind: 'text', side: 'both', required: true } as const;
const NEW = {
  code: 'wrong_region',
  version: 0,
  name: '区服不对',
  goodsTypes: [27],
  orderStates: [1, 2],
  form: [FIELD],
  evidence: '区服截图',
  sort: 5,
  isOn: true,
  reason: '近期常见',
};
const save = async (input: Record<string, unknown>, who = writer) =>
  await who.client.call(c.saveDisputeReason, { ...NEW, ...input } as never);
const reasonOf = async (code: string) =>
  (await writer.client.ok(c.disputeReasons, {})).list.find((one) => one.code === code);

const offered = async ({ buyer, orderSn }: Pick<Awaited<ReturnType<Court['trade']>>, 'buyer' | 'orderSn'>) =>
  (await buyer.client.ok(disputeEntry, { orderSn })).reasons.map(({ code }) => code);

test('a new reason is offered for its orders immediately, sorted by its order, and not when disabled', async () => {
  const trade = await court.trade('paid');
  expect(await offered(trade)).not.toContain('wrong_region');
  expect((await save({})).code).toBe(0);
  expect((await offered(trade))[0]).toBe('wrong_region');
  expect((await save({ version: 1, orderStates: [3] })).code).toBe(0);
  expect(await offered(trade)).not.toContain('wrong_region');
  expect((await save({ version: 2, sort: 900, goodsTypes: [1] })).code).toBe(0);
  expect((await save({ version: 3, isOn: false, goodsTypes: [27] })).code).toBe(0);
  expect(await offered(trade)).not.toContain('wrong_region');
  expect(await reasonOf('wrong_region')).toMatchObject({ version: 4, isOn: false, disputes: 0 });
  const { list } = await writer.client.ok(c.disputeReasonHistory, { code: 'wrong_region' });
  expect(list.map(({ version, isOn, sort }) => [version, isOn, sort])).toEqual([
    [4, false, 5],
    [3, true, 900],
    [2, true, 5],
    [1, true, 5],
  ]);
  const { rows } = await sql`select from audit_log where target = 'reason:wrong_region'`.execute(t.ctx.db);
  expect(rows).toHaveLength(4);
});

test('an open dispute keeps the name and the form that its parties saw', async () => {
  const { buyer, seller, orderSn } = await court.trade('paid');
  expect((await save({ code: 'kept', name: '旧名称' })).code).toBe(0);
  const { disputeSn } = await buyer.client.ok(openDispute, {
    orderSn,
    reason: 'kept',
    want: 'refund',
    answers: { what: '区服不对' },
    text: '收到的区服与描述不同',
    pictures: [],
  });
  const form = [{ ...FIELD, key: 'other', label: '另一个问题', side: 'seller' }];
  expect((await save({ code: 'kept', version: 1, name: '新名称', form, isOn: false })).code).toBe(0);
  const detail = await seller.client.ok(disputeDetail, { disputeSn });
  expect(detail.form?.map(({ key }) => key)).toEqual(['what']);
  expect(detail.reasonName).toBe('旧名称');
  expect(await reasonOf('kept')).toMatchObject({ disputes: 1, open: 1, isOn: false });
  await expect(sql`delete from dispute_reason_version where code = 'kept'`.execute(t.ctx.db)).rejects.toThrow();
});

describe('invalid input gets a field error', () => {
  test.each([
    ['a code of other letters', { code: 'Wrong-1' }, 'code', '小写字母'],
    ['no name', { name: ' ' }, 'name', '至少 2'],
    ['no state', { orderStates: [] }, 'orderStates', '至少选择一种'],
    ['a state without disputes', { orderStates: [9] }, 'orderStates', '不正确'],
    ['a type that is none', { goodsTypes: [99] }, 'goodsTypes', '不正确'],
    ['a choice without options', { form: [{ ...FIELD, kind: 'choice' }] }, 'form', '至少要有 2 个选项'],
    ['two fields of one key', { form: [FIELD, FIELD] }, 'form', '重复'],
    [
      'too many fields',
      { form: Array.from({ length: 9 }, (_, n) => ({ ...FIELD, key: `f${n}` })) },
      'form',
      '最多 8 个',
    ],
  ])('%s', async (_, input, field, text) => {
    const answer = await save({ code: 'bad_one', ...input });
    expect(answer).toMatchObject({ code: codes.BAD_INPUT[0], msg: expect.stringContaining(text) });
    expect(answer.field?.split('.')[0]).toBe(field);
    expect(await reasonOf('bad_one')).toBeUndefined();
  });

  test('a code in use, and an unknown one', async () => {
    expect((await save({ code: 'other' })).code).toBe(codes.TEXT_CHANGED[0]);
    expect((await save({ code: 'not_there', version: 3 })).code).toBe(codes.TEXT_CHANGED[0]);
  });
});

test('every order keeps at least one reason, also with two concurrent editors', async () => {
  const everywhere = (await writer.client.ok(c.disputeReasons, {})).list.filter(
    ({ goodsTypes, isOn, orderStates }) => goodsTypes === null && isOn && !orderStates.includes(REPORT_STATE),
  );
  expect(everywhere.map(({ code }) => code).toSorted()).toEqual(['not_as_described', 'other', 'staff']);
  const off = async (one: (typeof everywhere)[number]) =>
    await save({ ...one, goodsTypes: [], isOn: false, reason: '停用' });
  const outcomes = await Promise.all(everywhere.map(off));
  expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(2);
  expect(outcomes.find(({ code }) => code !== 0)).toMatchObject({
    code: codes.BAD_INPUT[0],
    field: 'orderStates',
    msg: expect.stringContaining('没有可选的原因'),
  });
});

test('one of two editors who read the same version succeeds', async () => {
  const { version = 0 } = (await reasonOf('handover')) ?? {};
  const give = (name: string) => save({ code: 'handover', version, name });
  const outcomes = await Promise.all([give('换绑问题一'), give('换绑问题二')]);
  expect(outcomes.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, codes.TEXT_CHANGED[0]]);
  expect((await reasonOf('handover'))?.version).toBe(version + 1);
});

test('at least one reason to report a listing remains too', async () => {
  const forReports = (await writer.client.ok(c.disputeReasons, {})).list.filter(({ orderStates }) =>
    orderStates.includes(REPORT_STATE),
  );
  const outcomes = [];
  for (const one of forReports) outcomes.push(await save({ ...one, goodsTypes: [], isOn: false, reason: '停用' }));
  expect(outcomes.filter(({ code }) => code !== 0)).toMatchObject([{ code: codes.BAD_INPUT[0], field: 'orderStates' }]);
});
