/** The events that a seller's own program can receive, and what each means. */
export const WEBHOOK_EVENTS = {
  'goods.approved': '商品审核通过，已上架',
  'goods.rejected': '商品审核未通过',
  'goods.off': '商品下架',
  'goods.removed': '商品被删除或被平台移除',
  'goods.sold': '商品售出，订单已完成',
  'order.paid': '买家已付款，等待发货',
  'order.shipped': '订单已发货',
  'order.completed': '订单已完成',
  'order.cancelled': '订单已取消',
  'dispute.opened': '订单有新的申诉',
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const webhookEvents = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** The event type that the button 发送测试 sends. */
export const TEST_EVENT = 'test';
export const WEBHOOKS_MAX = 5;

/** Seconds until each next attempt: about two days in all. */
export const RETRY_SECONDS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400] as const;
/** Failures in a row after which an endpoint is left alone for a while. */
export const CIRCUIT_FAILS = 5;
/** A receiver's Retry-After is honoured up to this; a longer wait would exceed the life of most events. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;
/** With these statuses Retry-After concerns the receiver as a whole, so its other events wait as well. */
export const RECEIVER_BUSY: readonly number[] = [429, 503];
/** The status by which a receiver ends its subscription (Standard Webhooks). */
export const RECEIVER_GONE = 410;
/** Days without a success after which an endpoint is switched off. */
export const DISABLE_DAYS = 3;

/** The headers of an event (standardwebhooks.com): its stable number, the time of sending, and the signature. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  time: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
