/** The cards of a group, the previews of its messages, and who may see and write in it until when. */
import { describe, expect, test } from 'vitest';
import {
  cancelledCard,
  closesAt,
  completedCard,
  formCard,
  handoverCard,
  imageLinkCard,
  isStaffMember,
  isVisitedBy,
  LIMITS,
  moment,
  needsOf,
  NOTHING_READ,
  OPENING_SEQ,
  type OpenStep,
  paidCard,
  pendingCard,
  previewText,
  remindCard,
  serviceOpenedCard,
  serviceTopicCard,
  shippedCard,
  staffCard,
  warnKey,
} from './rules.ts';

const HOUR = 3_600_000;
/** 23:30 on the 20th in China. */
const AT = new Date('2026-11-20T15:30:00Z');
const order = { sn: '1', status: 2, goodsFen: 123_450, autoConfirmAt: null, typeId: 1 };

test('the limits of size', () => {
  expect([LIMITS.syncBytes, LIMITS.unreadBytes, LIMITS.frameBytes]).toEqual([262_144, 1_048_576, 16_384]);
  expect(LIMITS.openAfterDoneSeconds).toBe(86_400);
});

test('a member who has read nothing has a position before the opening message', () => {
  expect([NOTHING_READ, OPENING_SEQ]).toEqual([-1, 0]);
});

test('the card in the place of a linked picture counts as masked', () => {
  expect(imageLinkCard.masked).toBe(true);
});

test('times are in China, without the year', () => {
  expect(moment(AT)).toBe('11-20 23:30');
  expect(moment(new Date('2026-11-20T16:00:00Z'))).toBe('11-21 00:00');
});

describe('the cards of an order', () => {
  test('the opening names the amount of the goods and the member of staff', () => {
    expect(paidCard(order, '小李')).toEqual({
      card: 'order.paid',
      title: '货款 ¥1,234.50 已由平台托管',
      content: '群聊已开通，客服小李负责本单。账号密码请在订单页密封提交，不要发在群里',
    });
    expect(paidCard({ ...order, typeId: 2 }, null).content).toBe(
      '群聊已开通，正在为本单安排平台客服。请在群里约好时间，不要在站外付款或加联系方式',
    );
  });

  test('an account sold to a recycler has a password too', () => {
    expect(paidCard({ ...order, typeId: 52, isRecycled: true }, null).content).toContain('账号密码请在订单页密封提交');
    expect(paidCard({ ...order, typeId: 52, isRecycled: false }, null).content).not.toContain('账号密码');
  });

  test('a shipped order names the time of the automatic confirmation, if it has one', () => {
    expect(shippedCard(order).content).toBe('请买家核对无误后确认收货');
    expect(shippedCard({ ...order, autoConfirmAt: AT })).toEqual({
      card: 'order.shipped',
      title: '卖家已发货',
      content: '请买家核对无误后确认收货，11-20 23:30 前没有确认也没有申诉将自动确认',
    });
  });

  test('a hand-over with open steps is not yet to be confirmed', () => {
    expect(shippedCard({ ...order, isHandingOver: true, autoConfirmAt: AT })).toEqual({
      card: 'order.shipped',
      title: '发货前的步骤都已完成',
      content: '请双方按交付卡片继续；全部完成后由买家验收，货款由平台托管',
    });
    expect(shippedCard({ ...order, isHandingOver: false }).title).toBe('卖家已发货');
    expect(shippedCard({ ...order, isHandingOver: true, isRecycled: true }).title).toBe('验号通过');
  });

  test('a completed order says until when one can write', () => {
    expect(completedCard(AT, 1).content).toBe(
      '货款进入保护期，期满自动放给卖家。群聊保留到 11-20 23:30，有问题请在此之前提出',
    );
  });

  test.each([
    [7, 1, '买家取消了订单，群聊已结束'],
    [8, 1, '卖家取消了订单，群聊已结束'],
    [8, 61, '陪玩取消了订单，群聊已结束'],
    [9, 1, '平台已关闭订单，群聊已结束'],
    [5, 1, '订单已关闭，群聊已结束'],
  ])('cancelled with status %i of type %i', (status, typeId, content) => {
    expect(cancelledCard({ ...order, status, typeId })).toEqual({
      card: 'order.cancelled',
      title: '订单已取消',
      content,
    });
  });

  test('a service that ended early was not closed by the platform', () => {
    const card = cancelledCard({ ...order, status: 9, typeId: 60 });
    expect(card.title).toBe('服务已结束');
    expect(card.content).not.toContain('平台');
  });

  test('a reminder and a step of the hand-over', () => {
    expect(remindCard('请发货', 1)).toEqual({
      card: 'order.remind',
      title: '请发货',
      content: '买家在等，请卖家尽快处理；有困难请在群里说明',
    });
    expect(handoverCard(2, '换绑')).toEqual({
      card: 'order.handover',
      title: '第 2 步「换绑」已完成',
      content: '交付进度和下一步见交付卡片',
      ref: '2',
    });
    expect(handoverCard(3, '换绑', true).title).toBe('第 3 步「换绑」买家不需要，已跳过');
  });
});

describe('the form for the missing parts of the hand-over', () => {
  const seller: OpenStep = { step: 1, title: '交账号', actor: 'seller', secret: true, evidence: true };
  const buyer: OpenStep = { step: 3, title: '验收截图', actor: 'buyer', secret: false, evidence: true };
  const HINT = '。密封信息只有对方能打开一次，不要发在群里';

  test.each([
    [true, true, ['密封信息', '截图']],
    [true, false, ['密封信息']],
    [false, true, ['截图']],
    [false, false, []],
  ])('a step with secret %s and evidence %s needs %j', (secret, evidence, needs) => {
    expect(needsOf({ secret, evidence })).toEqual(needs);
  });

  test('a step with a value needs that value alone', () => {
    expect(needsOf({ secret: true, evidence: true, value: '新手机号' })).toEqual(['新手机号']);
  });

  test('names its addressees, its items, and the sealed part if there is one', () => {
    expect(formCard([seller, buyer])).toEqual({
      card: 'form',
      title: '请双方填写交付资料',
      content: `待填 2 项：交账号（密封信息、截图）；验收截图（截图）${HINT}`,
      items: [
        { step: 1, title: '交账号', needs: ['密封信息', '截图'] },
        { step: 3, title: '验收截图', needs: ['截图'] },
      ],
    });
    expect(formCard([buyer])).toMatchObject({ title: '请买家填写交付资料', content: '待填 1 项：验收截图（截图）' });
    expect(formCard([seller, seller], '小李').title).toBe('客服小李请卖家补齐交付资料');
  });
});

describe('the cards about customer service', () => {
  test('name the agent who joins or leaves a group', () => {
    expect(staffCard('小李', null)).toEqual({
      card: 'staff',
      title: '客服小李已接入',
      content: '有任何问题可以直接在群里说',
    });
    expect(staffCard('小李', '小王')).toEqual({
      card: 'staff',
      title: '已转给客服小李',
      content: '小王 不再负责，记录都在，无需重复说明',
    });
    expect(pendingCard('小王')).toEqual({
      card: 'staff',
      title: '正在安排平台客服',
      content: '小王已下班，下一位客服接入后会在这里告诉您',
    });
    expect(pendingCard(null).content).toBe('平台客服已下班，下一位客服接入后会在这里告诉您');
  });

  test('show the queue, the agent and the listing of a support conversation', () => {
    expect(serviceOpenedCard(null)).toMatchObject({ card: 'service.opened', title: '正在排队接入客服' });
    expect(serviceOpenedCard('小李').title).toBe('客服小李已接入');
    expect(serviceTopicCard('满级号', 'SJ1')).toEqual({
      card: 'service.topic',
      title: '咨询商品：满级号',
      content: '商品编号 SJ1',
    });
  });
});

describe('the preview', () => {
  const content = { content: '内容', title: '标题' };
  test.each<[Parameters<typeof previewText>[0], string]>([
    [{ recalled: true, type: 'text', content }, '撤回了一条消息'],
    [{ recalled: false, type: 'recall', content }, '撤回了一条消息'],
    [{ recalled: false, type: 'image', content }, '[图片]'],
    [{ recalled: true, type: 'image', content }, '撤回了一条消息'],
    [{ recalled: false, type: 'card', content }, '标题'],
    [{ recalled: false, type: 'card', content: { content: '内容' } }, ''],
    [{ recalled: false, type: 'card', content: null }, ''],
    [{ recalled: false, type: 'text', content }, '内容'],
    [{ recalled: false, type: 'text', content: { content: '字'.repeat(61) } }, '字'.repeat(60)],
    [{ recalled: false, type: 'text', content: {} }, ''],
    [{ recalled: false, type: null, content: null }, ''],
  ])('shows the right text for %j', (row, text) => {
    expect(previewText(row)).toBe(text);
  });
});

test('a group has one warning a minute', () => {
  const keys = [0, 59_999, 60_000].map((ms) => warnKey(new Date(ms)));
  expect(keys).toEqual(['warn-0', 'warn-0', 'warn-1']);
});

describe('the end of a completed group', () => {
  const after = (hours: number): Date => new Date(AT.getTime() + hours * HOUR);
  test.each<[Date | null, number]>([
    [null, 24],
    [after(23), 24],
    [after(24), 24],
    [after(25), 25],
  ])('protected until %s', (protectedUntil, hours) => {
    expect(closesAt(AT, protectedUntil)).toEqual(after(hours));
  });
});

test.each([
  ['1', false],
  ['1024', false],
  ['staff-1', true],
  ['1s', true],
  ['s1', true],
  ['', true],
])('the member “%s” is staff: %s', (member, expected) => {
  expect(isStaffMember(member)).toBe(expected);
});

test.each([
  [null, 1, true],
  [1, 1, true],
  [2, 1, false],
])('staff of %s see the groups of %i: %s', (staffDistId, groupDistId, expected) => {
  expect(isVisitedBy(staffDistId, groupDistId)).toBe(expected);
});
