import * as open from '#subjects/open-api/contract/open-api.ts';
import * as c from '#subjects/open-api/contract/open-keys.ts';
import * as hooks from '#subjects/open-api/contract/webhooks.ts';
import { sweepApiKeys } from '#server/access/api-key-store.ts';
import type { Binding } from '#server/binding.ts';
import {
  changeListing,
  changeMany,
  editListing,
  ownGoods,
  ownGoodsList,
  publishingForm,
  publishListing,
  soldElsewhere,
} from '#subjects/goods/server/service.ts';
import { createKey, keyCalls, keySelf, ownKeys, revokeKey, rotateKey } from './keys.ts';
import { soldOrder, soldOrders } from './orders.ts';
import { ownDeliveries, ownDelivery, replay, sweepDeliveries } from './webhook-deliveries.ts';
import {
  createEndpoint,
  ownEndpoints,
  removeEndpoint,
  SEND,
  testEndpoint,
  updateEndpoint,
} from './webhook-endpoints.ts';
import { bindWebhookEvents } from './webhook-events.ts';
import { sendEvent } from './webhook-send.ts';

const SWEEP_SECONDS = 600;

function bindCalls({ server }: Binding): void {
  server.serve(open.openSelf, keySelf);
  server.serve(open.openGoodsList, ownGoodsList);
  server.serve(open.openGoods, async (call, { goodsSn }) => await ownGoods(call, goodsSn));
  server.serve(open.openGoodsForm, publishingForm);
  server.serve(open.openPublish, async (call, input) => await publishListing(call, input));
  server.serve(open.openEdit, editListing);
  server.serve(open.openUpdate, changeListing);
  server.serve(open.openUpdateMany, async (call, { list }) => await changeMany(call, list));
  server.serve(open.openSoldElsewhere, async (call, { goodsSn }) => await soldElsewhere(call, goodsSn));
  server.serve(open.openOrderList, soldOrders);
  server.serve(open.openOrderDetail, soldOrder);
}

function bindWebhooks(binding: Binding): void {
  const { server, effects } = binding;
  server.serve(hooks.webhookList, ownEndpoints);
  server.serve(hooks.webhookCreate, createEndpoint);
  server.serve(hooks.webhookUpdate, updateEndpoint);
  server.serve(hooks.webhookRemove, async (call, { endpointId }) => {
    await removeEndpoint(call, endpointId);
    return {};
  });
  server.serve(hooks.webhookTest, async (call, { endpointId }) => await testEndpoint(call, endpointId));
  server.serve(hooks.webhookDeliveries, ownDeliveries);
  server.serve(hooks.webhookDelivery, async (call, { deliveryId }) => await ownDelivery(call, deliveryId));
  server.serve(hooks.webhookReplay, async (call, { deliveryId }) => {
    await replay(call, deliveryId);
    return {};
  });
  effects.timer(SEND, async (ctx, id) => await sendEvent(ctx, id));
  bindWebhookEvents(binding);
}

/** The open interface: a seller's keys, and what a program may do with one. */
export function bindOpenApi(binding: Binding): void {
  const { server, effects } = binding;
  server.serve(c.apiKeyList, ownKeys);
  server.serve(c.apiKeyCreate, createKey);
  server.serve(c.apiKeyRotate, rotateKey);
  server.serve(c.apiKeyRevoke, async (call, { keyId }) => {
    await revokeKey(call, keyId);
    return {};
  });
  server.serve(c.apiKeyCalls, keyCalls);
  bindCalls(binding);
  bindWebhooks(binding);
  effects.every('openApi.sweep', async (ctx) => {
    await sweepApiKeys(ctx.db);
    await sweepDeliveries(ctx.db);
    return { seconds: SWEEP_SECONDS };
  });
}
