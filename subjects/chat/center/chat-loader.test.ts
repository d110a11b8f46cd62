import { expect, it } from 'vitest';
import { RouterContextProvider } from 'react-router';
import { codes } from '#contract/codes.ts';
import { orderDetail, queryOrderList } from '#subjects/orders/contract/order.ts';
import { type LoadContext, marketContext } from '#web/lib/pages/context.ts';
import { chatData } from './chat-loader.ts';

const OTHER = { orderSn: '261122212724944763', status: 1, viewer: 'buyer', groupId: '7', payTime: 'x' };

/** The page's data when the named order's call returns `named`; the viewer's first order is another one. */
async function opened(orderSn: string, named: object | keyof typeof codes) {
  const call = (endpoint: unknown, input: { orderSn?: string }) => {
    if (endpoint === queryOrderList) return Promise.resolve({ orderList: [OTHER], counts: { '1': 1 } });
    if (endpoint !== orderDetail) return Promise.resolve({ list: [], transport: 'own' });
    if (input.orderSn === OTHER.orderSn) return Promise.resolve(OTHER);
    if (typeof named !== 'string') return Promise.resolve(named);
    const [code, status, msg] = codes[named];
    return Promise.reject(Object.assign(new Error(msg), { code, status, msg }));
  };
  const context = new RouterContextProvider();
  // The loader uses nothing else of the context.
  context.set(marketContext, { call } as unknown as LoadContext);
  const url = new URL(`http://localhost/chatSystem?orderSn=${encodeURIComponent(orderSn)}`);
  const args = { context, url, request: new Request(url), params: {} } as unknown as Parameters<typeof chatData>[0];
  return await chatData(args);
}

it.each([
  ['999999999', 'ORDER_NOT_FOUND', 'missing'],
  ['999999999', 'ORDER_FORBIDDEN', 'missing'],
  ['不是订单号', 'ORDER_NOT_FOUND', 'missing'],
  ['261122212724944799', { ...OTHER, status: 0, payTime: null }, 'unpaid'],
  ['261122212724944799', 'RATE_LIMITED', 'failed'],
  ['261122212724944799', 'INTERNAL', 'failed'],
] as const)('a link to %s (%s) opens no other order', async (orderSn, response, fault) => {
  const data = await opened(orderSn, response);
  expect(data).toMatchObject({ order: null, groupId: null, fault, askedSn: orderSn, isNamed: true });
});

it('the first order is selected when the URL names none', async () => {
  const data = await opened('', 'ORDER_NOT_FOUND');
  expect(data).toMatchObject({ order: { orderSn: OTHER.orderSn }, fault: null, isNamed: false });
});
