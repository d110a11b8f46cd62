import { describe, expect, test } from 'vitest';
import { putGlobals } from '#tests/support/tools/globals.ts';
import { currentToasts } from '#web/ui/overlays/toast-store.ts';
import {
  type ActionOrder,
  actionKind,
  type ConfirmedAction,
  isBarOnly,
  isInBar,
  isInMenu,
  type OrderAction,
  visibleActions,
} from './action-kinds.ts';

const action = (given: Partial<OrderAction>): OrderAction => ({
  act: 'confirm',
  label: '确认收货',
  enabled: true,
  reason: null,
  primary: true,
  confirm: null,
  ...given,
});

test('the bar of a phone has the main action, once it can be done', () => {
  expect(isInBar(action({}))).toBe(true);
  expect(isInBar(action({ enabled: false, reason: '申诉处理中' }))).toBe(false);
  expect(isInBar(action({ primary: false }))).toBe(false);
});

test('a card is left with only its margins where the bar has all of it, and keeps what the bar does not have', () => {
  expect(isBarOnly(visibleActions([action({})]))).toBe(true);
  expect(isBarOnly(visibleActions([action({}), action({ act: 'dispute', primary: false })]))).toBe(false);
  expect(isBarOnly(visibleActions([action({ enabled: false, reason: '申诉处理中' })]))).toBe(false);
});

test('actions without a form here are left out; the main one is last, and what cannot be done yet is before what can', () => {
  const names = (actions: readonly OrderAction[]) => visibleActions(actions).map(({ act }) => act);
  expect(
    names([
      action({ act: 'confirm' }),
      action({ act: 'unknown', primary: false }),
      action({ act: 'rate', enabled: false }),
      action({ act: 'dispute', primary: false }),
      action({ act: 'cancel', primary: false, enabled: false }),
    ]),
  ).toEqual(['cancel', 'dispute', 'rate', 'confirm']);
  expect(names([action({ act: 'delete' }), action({ act: 'cancel' })])).toEqual(['delete', 'cancel']);
  expect(actionKind('unknown')).toBeUndefined();
});

test('only what hides the order is in the menu', () => {
  expect(['delete', 'cancel', 'again'].map((act) => isInMenu(action({ act })))).toEqual([true, false, false]);
});

test('actions that lead to another page name the order there', () => {
  const order: ActionOrder = {
    id: 7,
    orderSn: '26112010584417',
    goodsSn: null,
    belong: 0,
    createTime: '2026-11-20T11:02:00+08:00',
    gameId: 1,
    orderTypeId: 53,
    tradedTypeId: 2,
  };
  const pathOf = (act: string) => {
    const kind = actionKind(act);
    return kind?.kind === 'link' ? kind.to(order) : kind?.kind;
  };
  expect(['pay', 'rate', 'again', 'dispute', 'confirm'].map(pathOf)).toEqual([
    '/wares/26112010584417/pay?orderSn=26112010584417',
    `/customerAssess?orderSn=26112010584417&belongIndex=1&typeIndex=1&timestamp=${Date.UTC(2026, 10, 20, 3, 2)}`,
    '/wares?gt=2&gid=1',
    '/center/buyComplaint?orderSn=26112010584417',
    'receipt',
  ]);
});

describe('an action that is confirmed', () => {
  const ask = (act: string): ConfirmedAction => {
    const kind = actionKind(act);
    if (kind?.kind !== 'ask') throw new Error(`${act} is not confirmed`);
    return kind;
  };
  /** What an action sends about order 7: the path, the fields, and whether it carries the key of the attempt. */
  async function sentBy(
    act: string,
    input?: string,
    answer: object = { code: 0, msg: '', data: {} },
  ): Promise<unknown[]> {
    const requests: unknown[] = [];
    const restore = putGlobals({
      document: { cookie: '' },
      window: { location: { origin: 'http://localhost', pathname: '/', search: '' } },
      fetch: async (url: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
        const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
        requests.push(url, Object.fromEntries(new URLSearchParams(body)), key);
        return await Promise.resolve(Response.json(answer));
      },
    });
    try {
      await ask(act).send(7, input, 'key-1');
    } finally {
      restore();
    }
    return requests;
  }

  test.each([
    ['cancel', '不要了', 'cancelOrder', { reason: '不要了' }],
    ['cancel', '', 'cancelOrder', {}],
    ['cancel', undefined, 'cancelOrder', {}],
    ['sellerCancel', '没货', 'cancelOrder', { reason: '没货' }],
    ['askCancel', '买错', 'askCancel', { act: 'ask', reason: '买错' }],
    ['agreeCancel', '随便', 'askCancel', { act: 'agree' }],
    ['declineCancel', '已发货', 'askCancel', { act: 'decline', reason: '已发货' }],
    ['markOffline', '2', 'offlineTranSub', { isRecovery: '2' }],
    ['ship', '随便', 'offlineTranSub', {}],
    ['answerOffline', '1', 'offlineTranAnswer', { agree: '1' }],
    ['answerOffline', '0', 'offlineTranAnswer', { agree: '0' }],
    ['delete', undefined, 'deleteOrder', {}],
  ])('%s with “%s” calls %s', async (act, input, call, fields) => {
    const [url, sent, key] = await sentBy(act, input);
    expect([url, sent]).toEqual([`/api/order/${call}`, { orderId: '7', ...fields }]);
    expect(key).toBe(['answerOffline', 'delete'].includes(act) ? undefined : 'key-1');
  });

  test.each(['cancel', 'askCancel', 'ship', 'answerOffline', 'delete'])(
    '%s that is refused leaves the message to its dialog',
    async (act) => {
      const before = currentToasts();
      await expect(sentBy(act, '1', { code: 5, msg: '不行' })).rejects.toThrow('不行');
      expect(currentToasts()).toBe(before);
    },
  );

  test('that cannot be taken back looks dangerous', () => {
    const acts = [
      'cancel',
      'sellerCancel',
      'askCancel',
      'agreeCancel',
      'declineCancel',
      'markOffline',
      'ship',
      'delete',
    ];
    expect(acts.filter((act) => ask(act).danger)).toEqual(['cancel', 'sellerCancel', 'agreeCancel']);
  });

  test('of an offline hand-over must be chosen, never preset', () => {
    expect(ask('markOffline').choice).toMatchObject({
      isNeeded: true,
      options: [
        { value: '1', label: '线下当面交付' },
        { value: '2', label: '游戏内当面交付' },
        { value: '3', label: '语音或远程协助交付' },
      ],
    });
    expect(ask('answerOffline').choice).toMatchObject({
      isNeeded: true,
      options: [
        { value: '1', label: '属实，是线下交付' },
        { value: '0', label: '不属实，或还没有收到' },
      ],
    });
  });

  test('asks the buyer, the seller and who refuses for a reason, but not who agrees or ships', () => {
    const acts = ['cancel', 'sellerCancel', 'askCancel', 'agreeCancel', 'declineCancel', 'ship', 'delete'];
    expect(acts.map((act) => ask(act).reasonLabel)).toEqual([
      '原因',
      '原因',
      '原因',
      undefined,
      '给买家的说明',
      undefined,
      undefined,
    ]);
  });
});
