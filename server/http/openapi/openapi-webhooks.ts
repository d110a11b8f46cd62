/** The events that a seller's own program receives, for the reference document. */
import { z } from 'zod';
import { TEST_EVENT, WEBHOOK_EVENTS, WEBHOOK_HEADERS, type WebhookEvent } from '#subjects/open-api/rules/webhooks.ts';
import { describeCodes } from './openapi-describe.ts';
import { exampleOf } from './openapi-example.ts';
import { type JsonObject, jsonSchema } from './openapi-schema.ts';
import type { SchemaNames } from './openapi-names.ts';

const yuan = z.string().describe('元，两位小数');

/** The content of an event about a listing (subjects/open-api/server/webhook-events.ts). */
export const listingEvent = z.object({
  goodsSn: z.string(),
  merchantNo: z.string().optional().describe('卖家表格里的编号；没有时不出现'),
  status: z.number().int(),
  statusName: z.string(),
  price: yuan,
  stock: z.number().int(),
  reason: z.string().optional().describe('未通过的原因，只在 goods.rejected 出现'),
  orderSn: z.string().optional().describe('成交的订单，只在 goods.sold 出现'),
});

/** The content of an event about an order. */
export const orderEvent = z.object({
  orderSn: z.string(),
  goodsSn: z.string().nullable(),
  goodsNum: z.number().int(),
  goodsPrice: yuan,
  status: z.number().int(),
  statusName: z.string(),
  disputeSn: z.string().optional().describe('申诉编号，只在 dispute.opened 出现'),
});

const testEvent = z.object({ text: z.string() });

const ANSWERS: JsonObject = {
  '200': { description: '任何 2xx 都表示已收到；5 秒内回应' },
  '410': { description: '不再接收：推送地址停用，卖家收到通知' },
  '429': { description: '太忙：按 Retry-After（秒或日期）推迟，其他事件一并推迟' },
  '503': { description: '暂停服务：同 429' },
  default: { description: '失败：约两天内按递增的间隔重试；跳转不跟随' },
};

function dataSchema(event: WebhookEvent | typeof TEST_EVENT): { name: string; schema: JsonObject } {
  if (event === TEST_EVENT) return { name: 'TestEventData', schema: jsonSchema(testEvent, 'output') };
  const isListing = event.startsWith('goods.');
  const schema = jsonSchema(isListing ? listingEvent : orderEvent, 'output');
  describeCodes(schema, isListing ? 'goods/webhook' : 'order/webhook');
  return { name: isListing ? 'ListingEventData' : 'OrderEventData', schema };
}

const HEADERS: readonly (readonly [name: string, description: string])[] = [
  [WEBHOOK_HEADERS.id, '事件编号，重发时不变，用来去重'],
  [WEBHOOK_HEADERS.time, '发送时间，Unix 秒；与当前相差超过 5 分钟的应拒绝'],
  [WEBHOOK_HEADERS.signature, 'v1, 后接签名：对「编号.时间.正文」做 HMAC-SHA256 的 Base64（Standard Webhooks）'],
];

/** The section `webhooks` of a document: one call to the seller's address for each event. */
export function webhooksOf(names: SchemaNames): JsonObject {
  const events: [WebhookEvent | typeof TEST_EVENT, string][] = [
    ...(Object.entries(WEBHOOK_EVENTS) as [WebhookEvent, string][]),
    [TEST_EVENT, '测试事件'],
  ];
  return Object.fromEntries(
    events.map(([event, text]) => {
      const { name, schema } = dataSchema(event);
      const body: JsonObject = {
        type: 'object',
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { const: event },
          timestamp: { type: 'string', format: 'date-time', description: '事件发生的时间' },
          data: names.refer(name, schema),
        },
      };
      const example = { type: event, timestamp: '2025-11-25T04:00:00.000Z', data: exampleOf(schema, { all: false }) };
      const operation: JsonObject = {
        operationId: `webhook_${event.replace('.', '_')}`,
        summary: text,
        description: `${text}时，服务器向卖家登记的地址发送。`,
        parameters: HEADERS.map(([header, description]) => ({
          name: header,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
        responses: ANSWERS,
      };
      return [event, { post: operation }];
    }),
  );
}
