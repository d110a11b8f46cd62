import { describe, expect, it, test } from 'vitest';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { amountOf, clockText, lastMessageText } from './row-text.ts';
import { noGroups } from './no-groups-text.ts';

const now = Date.parse('2026-11-20T12:00:00+08:00');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const order = (status: number, left: number, deadlineText = '', tradedTypeId = 1) => ({
  status,
  stepDue: null,
  tradedTypeId,
  deadline: new Date(now + left).toISOString(),
  deadlineText,
});

const text = (fields: Partial<ChatMessage>): ChatMessage => ({
  groupId: '1',
  targetId: '1',
  seq: 1,
  messageUId: 'u',
  clientMsgId: 'c',
  senderUserId: '7',
  messageType: 'text',
  messageDirection: 2,
  sentTime: now,
  content: { content: '好的' },
  expansion: null,
  recalled: false,
  ...fields,
});

describe('time left', () => {
  it.each([
    [1, 0, '发货超时'],
    [1, 30_000, '剩1分钟发货'],
    [1, HOUR - 1, '剩59分钟发货'],
    [1, HOUR, '剩1小时发货'],
    [2, 48 * HOUR - 1, '47小时后确认'],
    [2, 48 * HOUR, '2天后确认'],
    [2, -1, undefined],
    [3, HOUR, undefined],
  ])('in status %i with %i ms is %s', (status, left, text) => {
    expect(clockText(order(status, left), now)?.text).toBe(text);
  });

  it('refers to completion for a service, not to shipping', () => {
    expect(clockText(order(1, HOUR, '', 60), now)?.text).toBe('剩1小时完成');
    expect(clockText(order(1, 0, '', 61), now)?.text).toBe('完成超时');
  });

  it('is that of the current step while one is due before the state ends', () => {
    const withStep = (left: number) =>
      clockText({ ...order(1, HOUR), stepDue: new Date(now + left).toISOString() }, now);
    expect(withStep(20 * MINUTE)).toEqual({ text: '这一步剩20分钟', isOverdue: false });
    expect(withStep(0)).toEqual({ text: '这一步超时', isOverdue: true });
    expect(withStep(HOUR)?.text).toBe('剩1小时发货');
    // The automatic confirmation is stopped until the step is done.
    const stopped = { ...order(2, HOUR), deadline: null, stepDue: new Date(now + HOUR).toISOString() };
    expect(clockText(stopped, now)?.text).toBe('这一步剩1小时');
  });

  it('stops while a dispute is open', () => {
    expect(clockText(order(2, HOUR, '申诉处理中，计时已停止'), now)).toEqual({ text: '申诉中', isOverdue: false });
    expect(clockText({ ...order(2, 0), deadline: null, deadlineText: null }, now)).toBeNull();
  });
});

test('the seller’s row shows the goods’ price and not what the buyer paid', () => {
  const fields = { totalPrice: '97.90', unitPrice: '19.58', goodsNum: 5 };
  expect(amountOf({ ...fields, belong: 0 })).toBe('97.90');
  expect(amountOf({ ...fields, belong: 1 })).toBe('97.90');
  expect(amountOf({ ...fields, totalPrice: '98.88', belong: 1 })).toBe('97.90');
});

test('the last message names its author', () => {
  expect(lastMessageText(text({}))).toBe('好的');
  expect(lastMessageText(text({ messageDirection: 1 }))).toBe('我：好的');
  expect(lastMessageText(text({ senderUserId: 's3' }))).toBe('客服：好的');
  expect(lastMessageText(text({ senderUserId: 'system', messageType: 'card', content: { title: '卖家已发货' } }))).toBe(
    '卖家已发货',
  );
  expect(lastMessageText(text({ messageType: 'image', content: {} }))).toBe('[图片]');
  expect(lastMessageText(text({ messageType: 'recall', content: { recallSeq: 1 }, messageDirection: 1 }))).toBe(
    '我：撤回了一条消息',
  );
  expect(lastMessageText(text({ messageType: 'recall', content: { recallSeq: 1 } }))).toBe('对方撤回了一条消息');
});

test('an empty tab names what it looked for and leads the party on', () => {
  const titles = [1, 2, 3, -1].map((status) => noGroups(status, BUYS).title);
  expect(new Set(titles).size).toBe(4);
  expect(noGroups(1, BUYS)).toMatchObject({ title: '没有等待发货的交易群', to: '/wares' });
  expect(noGroups(-1, SELLS)).toMatchObject({ title: '没有交易失败的交易群', to: '/center/sell' });
});
