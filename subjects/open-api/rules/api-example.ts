import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { textToSign } from './api-keys.ts';

/** The example of the documentation: sellers compare their own program with it. A test computes it as the server does. */
const request = {
  method: 'POST',
  target: '/api/open/goods/update',
  timestamp: '1764043200',
  nonce: '5f3b9c1e7a2d4860',
  bodyHash: 'a11b7ecdbb2ede41d9e16e48a81a0e3968aef7e9ebdd137bcc538afa87cff20d',
};

export const SIGNING_EXAMPLE = {
  secret: 'k7Qm2vXo9sRt4uYw6zAb8cDe0fGh1iJk3lMn5pQr7sT',
  body: '{"goodsSn":"SJ0000001","price":"128.00","stock":5}',
  ...request,
  text: textToSign(request),
  signature: '09f8df09a271ef95d238eecfe85a1ece2a27a63fd556a0c172fd7e18c143e21f',
} as const;

export const WEBHOOK_EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'evt_0b6f3a1c2d4e4f5a8b9c0d1e2f3a4b5c',
  timestamp: '1764043200',
  body: '{"type":"test","timestamp":"2025-11-25T04:00:00.000Z","data":{"text":"这是一条测试事件"}}',
  signature: 'v1,CvNc0mQ5yRHpdUxhJpLb/2FJkLA2r10pVjzhUcnh8vg=',
} as const;

/** An example of the input of each call of the open interface. A test sends each through the call's own schema. */
export const callExamples: Readonly<Record<string, { readonly input: Readonly<Record<string, unknown>> }>> = {
  '/api/open/self': { input: {} },
  '/api/open/goods/list': { input: { status: '2', pageSize: '20' } },
  '/api/open/goods/detail': { input: { goodsSn: 'SJ0000001' } },
  '/api/open/goods/form': { input: { gameId: '2', goodsTypeId: '1' } },
  '/api/open/goods/publish': {
    input: {
      gameId: 2,
      goodsTypeId: OrderType.Account,
      bigTitle: '荣耀王者 全英雄 贵族八级',
      price: '1288.00',
      areaId: 2001,
      serverId: 201001,
      details: { rank: 1, noble: 8, skin_count: 320, hero_count: 120, account_source: 1, second_realname: true },
      accountNo: 'account-1',
    },
  },
  '/api/open/goods/edit': {
    input: {
      goodsSn: 'SJ0000001',
      bigTitle: '荣耀王者 全英雄 贵族八级 可二次实名',
      price: '1188.00',
      areaId: 2001,
      serverId: 201001,
      details: { rank: 1, noble: 8, skin_count: 320, hero_count: 120, account_source: 1, second_realname: true },
    },
  },
  '/api/open/goods/update': { input: { goodsSn: 'SJ0000001', price: '128.00', stock: 5 } },
  '/api/open/goods/updateMany': {
    input: {
      list: [
        { goodsSn: 'SJ0000001', price: '128.00' },
        { goodsSn: 'SJ0000002', stock: 3 },
        { goodsSn: 'SJ0000003', act: 'pull' },
      ],
    },
  },
  '/api/open/goods/soldElsewhere': { input: { goodsSn: 'SJ0000001' } },
  '/api/open/orders/list': { input: { status: '1' } },
  '/api/open/orders/detail': { input: { orderSn: '202511250000001' } },
};
