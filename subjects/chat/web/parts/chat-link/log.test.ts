import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '#subjects/chat/contract/im.ts';
import { append, emptyLog, lastSeq, messageText, prepend } from './log.ts';
import { readText, rowsOf, senderOf } from './rows.ts';

const MINUTE = 60_000;

function message(seq: number, more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    groupId: '1',
    targetId: '1',
    seq,
    messageUId: `u${seq}`,
    clientMsgId: `c${seq}`,
    senderUserId: '7',
    messageType: 'text',
    messageDirection: 2,
    sentTime: seq * 1000,
    content: { content: `第${seq}` },
    expansion: null,
    recalled: false,
    ...more,
  };
}

const seqs = (list: readonly { seq: number }[]): number[] => list.map((m) => m.seq);

describe('the log', () => {
  it('appends messages in order and once, however they arrive', () => {
    const start = prepend(emptyLog, [message(4), message(5)], true);
    const { log, missing } = append(start, [message(7), message(6), message(5)]);
    expect(seqs(log.list)).toEqual([4, 5, 6, 7]);
    expect(missing).toBe(false);
    expect(append(log, [message(6)]).log).toBe(log);
  });

  it('appends nothing after a gap and reports that messages are missing', () => {
    const start = prepend(emptyLog, [message(0)], false);
    const { log, missing } = append(start, [message(1), message(3)]);
    expect(seqs(log.list)).toEqual([0, 1]);
    expect(missing).toBe(true);
    const healed = append(log, [message(2), message(3)]);
    expect(healed.missing).toBe(false);
    expect(lastSeq(healed.log)).toBe(3);
  });

  it('prepends older pages without duplicates', () => {
    const start = prepend(emptyLog, [message(20), message(21)], true);
    const log = prepend(start, [message(18), message(19), message(20)], false);
    expect(seqs(log.list)).toEqual([18, 19, 20, 21]);
    expect(log.hasOlder).toBe(false);
  });

  it('removes the content of a recalled message', () => {
    const start = prepend(emptyLog, [message(1), message(2)], false);
    const recall = message(3, { messageType: 'recall', content: { recallSeq: 1, recallUId: 'u1' } });
    const { log } = append(start, [recall]);
    expect(log.list[0]).toMatchObject({ seq: 1, recalled: true, content: {} });
    expect(log.list[1]?.recalled).toBe(false);
    expect(messageText(log.list[0] as ChatMessage)).toBe('撤回了一条消息');
  });
});

describe('a recalled message', () => {
  const recall = message(20, { messageType: 'recall', content: { recallSeq: 12, recallUId: 'u12' } });

  it('has no content on an older page that is loaded after the recall', () => {
    const start = prepend(emptyLog, [message(19), recall], true);
    const { list } = prepend(start, [message(11), message(12), message(13)], false);
    const texts = list.map((m) => [m.seq, m.recalled, m.content.content ?? null]);
    expect(texts.slice(0, 3)).toEqual([
      [11, false, '第11'],
      [12, true, null],
      [13, false, '第13'],
    ]);
  });

  it('has no content on the page that contains both it and its recall', () => {
    const newer = prepend(emptyLog, [message(21)], true);
    const page = Array.from({ length: 9 }, (_, i) => (i === 8 ? recall : message(12 + i)));
    const { list } = prepend(newer, page, false);
    expect(list.find((m) => m.seq === 12)).toMatchObject({ recalled: true, content: {} });
  });
});

describe('the rows', () => {
  it('have the time after a pause, the name at the first, the read mark at the last', () => {
    const rows = rowsOf(
      [
        message(1, { messageType: 'card', content: { card: 'order.paid', title: '已付款' } }),
        message(2),
        message(3),
        message(4, { sentTime: 4000 + 6 * MINUTE }),
        message(5, { sentTime: 5000 + 6 * MINUTE, messageDirection: 1, senderUserId: '8' }),
      ],
      [],
    );
    expect(rows.map((r) => r.kind)).toEqual(['card', 'message', 'message', 'time', 'message', 'message']);
    const messageRows = rows.filter((r) => r.kind === 'message');
    expect(messageRows.map((r) => [r.first, r.last])).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });

  it('keep a message’s key when it is stored, and show it once', () => {
    const pending = { clientMsgId: 'c9', text: '你好', image: null, at: 9000, state: 'sending', reason: null } as const;
    const before = rowsOf([], [pending]);
    const after = rowsOf([message(9, { messageDirection: 1 })], [pending]);
    expect(after.filter((r) => r.kind !== 'time').map((r) => r.key)).toEqual(['c9']);
    expect(before.at(-1)?.key).toBe('c9');
  });

  it('omit the recall itself', () => {
    const recall = message(2, { messageType: 'recall', content: { recallSeq: 1 } });
    const rows = rowsOf([message(1, { recalled: true, content: {} }), recall], []);
    expect(rows.filter((r) => r.kind !== 'time').map((r) => r.kind)).toEqual(['recalled']);
  });
});

describe('people', () => {
  const member = (imUid: string, role: string, readSeq: number) => ({
    imUid,
    nickName: `名${imUid}`,
    avatar: '',
    role,
    isCurrent: role === 'staff',
    isStaff: role === 'staff',
    online: true,
    readSeq,
  });
  const members = [member('1', 'buyer', 5), member('2', 'seller', 3), member('kf_a', 'staff', 0)];

  it('are named with their role, also after they have left', () => {
    expect(senderOf(members, '2')).toMatchObject({ name: '名2', role: '卖家', isStaff: false });
    expect(senderOf(members, 'kf_b')).toMatchObject({ role: '平台客服', isStaff: true });
    expect(senderOf([], '9')).toMatchObject({ name: '已注销用户', role: '' });
  });

  it('have read or not', () => {
    expect(readText(members, '1', 3)).toBe('对方已读');
    expect(readText(members, '1', 4)).toBe('未读');
    expect(readText(members, 'kf_a', 3)).toBe('全部已读');
    expect(readText(members, 'kf_a', 5)).toBe('1 人已读');
  });
});

describe('the borders of the rows', () => {
  const shown = (list: ChatMessage[], pending: Parameters<typeof rowsOf>[1] = []) =>
    rowsOf(list, pending).map((row) =>
      row.kind === 'message'
        ? `${row.key} ${row.first ? 'first' : ''} ${row.last ? 'last' : ''}`.trimEnd()
        : row.kind === 'pending'
          ? `${row.key} pending${row.first ? ' first' : ''}`
          : `${row.key} ${row.kind}`,
    );
  const queued = (clientMsgId: string, at: number) =>
    ({ clientMsgId, text: '', image: null, at, state: 'sending', reason: null }) as const;
  const mine = (seq: number, sentTime: number) => message(seq, { messageDirection: 1, senderUserId: '8', sentTime });

  it('five minutes are a pause, and a pause ends a run', () => {
    const T = 10 * MINUTE;
    const [a, b] = [message(1, { sentTime: T }), message(2, { sentTime: T + 5 * MINUTE - 1 })];
    expect(shown([a, b])).toEqual([`time-${T} time`, 'u1 first', 'u2  last']);
    expect(shown([a, message(3, { sentTime: T + 5 * MINUTE })])).toEqual([
      `time-${T} time`,
      'u1 first last',
      `time-${T + 5 * MINUTE} time`,
      'u3 first last',
    ]);
  });

  it('a recalled message and a card end a run, and a queued message goes on with one', () => {
    expect(shown([message(1), message(2, { recalled: true }), message(3)])).toEqual([
      'u1 first last',
      'u2 recalled',
      'u3 first last',
    ]);
    expect(shown([mine(1, 0), mine(2, 0)], [queued('c2', 0), queued('c3', 0), queued('c4', 0)])).toEqual([
      'c1 first',
      'c2',
      'c3 pending',
      'c4 pending',
    ]);
    expect(shown([message(1)], [queued('c1', 0), queued('c3', 6 * MINUTE)])).toEqual([
      'u1 first last',
      'c1 pending first',
      `time-${6 * MINUTE} time`,
      'c3 pending first',
    ]);
  });

  it('a sender who is unknown is staff, unless the id is a number', () => {
    expect(senderOf([], 'kf_a')).toEqual({ name: '客服', role: '平台客服', isStaff: true, avatar: null });
    expect(senderOf([], '12')).toEqual({ name: '已注销用户', role: '', isStaff: false, avatar: null });
    expect([senderOf([], 'a1').isStaff, senderOf([], '1a').isStaff]).toEqual([true, true]);
  });

  it('all, some or none have read', () => {
    const who = (imUid: string, readSeq: number, isStaff = false) =>
      ({ imUid, readSeq, isStaff }) as Parameters<typeof readText>[0][number];
    expect(readText([], '1', 3)).toBe('未读');
    expect(readText([who('1', 9)], '1', 3)).toBe('未读');
    expect(readText([who('1', 9), who('2', 3)], '1', 3)).toBe('全部已读');
    expect(readText([who('1', 9), who('2', 2)], '1', 3)).toBe('未读');
    expect(readText([who('1', 9), who('2', 2), who('kf', 3, true)], '1', 3)).toBe('1 人已读');
    expect(readText([who('1', 9), who('2', 3), who('3', 3), who('4', 2)], '1', 3)).toBe('2 人已读');
  });
});

describe('the borders of the log', () => {
  it('is empty and has nothing older before it is loaded; the first messages may have any number', () => {
    expect([emptyLog.list, emptyLog.hasOlder, lastSeq(emptyLog)]).toEqual([[], false, -1]);
    expect(append(emptyLog, [message(5), message(6)])).toMatchObject({ log: { hasOlder: false }, missing: false });
    expect(seqs(append(emptyLog, [message(5), message(6)]).log.list)).toEqual([5, 6]);
  });

  it('changes nothing where nothing is recalled, also by a message that carries such a number', () => {
    const list = [message(1), message(2)];
    const { log } = append(prepend(emptyLog, list, true), [message(3, { content: { recallSeq: 1 } })]);
    expect([log.list[0] === list[0], log.list[1] === list[1], log.list[0]?.recalled]).toEqual([true, true, false]);
    expect(log.hasOlder).toBe(true);
  });

  it('names a message by its text, its title or what it is', () => {
    expect(messageText(message(1))).toBe('第1');
    expect(messageText(message(1, { messageType: 'image', content: { content: 'x' } }))).toBe('[图片]');
    expect(messageText(message(1, { messageType: 'recall', content: { recallSeq: 0 } }))).toBe('撤回了一条消息');
    expect(messageText(message(1, { recalled: true }))).toBe('撤回了一条消息');
    const card = message(1, { messageType: 'card', content: { card: 'order.paid', title: '已付款', content: '说明' } });
    expect(messageText(card)).toBe('已付款');
    expect(messageText(message(1, { content: {} }))).toBe('');
  });
});
