import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import * as c from '#subjects/chat/contract/im.ts';
import { openService, serviceState } from '#subjects/chat/contract/im-service.ts';
import type { UserCall } from '#server/access/call.ts';
import { servesSockets } from '#server/config/config-nodes.ts';
import type { Binding } from '#server/binding.ts';
import { openServiceGroup, loadServiceState } from './groups/customer-service.ts';
import { HEARTBEAT_MS, SOCKET_PATH, startGateway } from './gateway/gateway.ts';
import { bindChatJobs } from './jobs.ts';
import {
  loadHistory,
  newestFor,
  readUpTo,
  publishTyping,
  recallMessage,
  remindOffline,
  sendMessage,
} from './messages/messages.ts';
import { bindCallback } from './gateway/callback.ts';
import { imProviderToken, usesImProvider } from './transport/im-provider.ts';
import { rateService } from './groups/ratings.ts';
import { bindChatStaff } from './staff/routes.ts';
import { searchFor } from './messages/search.ts';
import { loadGroupInfo } from './group-info.ts';
import { groupsOfOrders, muteFor, loadPerson, unreadFor } from './service.ts';
import { issueTicket } from './transport/tickets.ts';

const member = (call: UserCall): string => String(call.user.id);
const speaker = (call: UserCall) => ({ member: member(call), staffId: null });

const ticketOf = (call: UserCall) =>
  issueTicket(call.ctx, { member: member(call), sessionHash: call.user.sessionHash, distId: call.dist.id });

function bindTokens({ ctx, server }: Binding): void {
  server.serve(c.getImCenterToken, async (call, { orderSn }) => {
    const groups = orderSn === undefined ? {} : await groupsOfOrders(ctx, call.user.id, orderSn);
    const groupId = orderSn === undefined ? null : (groups[orderSn]?.[0]?.groupId ?? null);
    return { ...(await ticketOf(call)), groupId, imUid: member(call) };
  });
  server.serve(c.getRCloudToken, async (call) => {
    const imUid = member(call);
    if (usesImProvider(ctx, call.dist.id)) {
      const imToken = await imProviderToken(ctx, call.dist.id, await loadPerson(ctx, call.user.id));
      return { imToken, authToken: '', transport: 'rongcloud' as const, imUid };
    }
    const { token, nonce } = await ticketOf(call);
    return { imToken: token, authToken: nonce, transport: 'native' as const, imUid };
  });
  server.serve(c.getImParams, (call) =>
    Promise.resolve({
      transport: usesImProvider(ctx, call.dist.id) ? ('rongcloud' as const) : ('native' as const),
      appKey: usesImProvider(ctx, call.dist.id) ? (ctx.imProvider?.appKey ?? '') : '',
      path: SOCKET_PATH,
      imUid: member(call),
      heartbeatMs: HEARTBEAT_MS,
    }),
  );
}

function bindMembers({ ctx, server }: Binding): void {
  server.serve(c.getImGroupIdMap, ({ user }, { orderSnList }) => groupsOfOrders(ctx, user.id, orderSnList));
  server.serve(openService, async (call, { goodsSn }) => ({ groupId: String(await openServiceGroup(call, goodsSn)) }));
  server.serve(serviceState, loadServiceState);
  server.serve(c.groupInfo, (call, { groupId }) => loadGroupInfo(ctx, member(call), Number(groupId)));
  server.serve(c.history, (call, page) => loadHistory(ctx, member(call), { ...page, groupId: Number(page.groupId) }));
  server.serve(c.lastMessages, (call, { groups }) => newestFor(ctx, member(call), groups));
  server.serve(c.isOfflineRemind, (call, { groupId }) => remindOffline(ctx, member(call), Number(groupId)));
  server.serve(c.typingIn, async (call, { groupId }) => {
    await publishTyping(ctx, member(call), Number(groupId));
    return {};
  });
  server.serve(c.readGroup, (call, { groupId, seq }) => readUpTo(ctx, member(call), Number(groupId), seq));
  server.serve(c.sendMessage, (call, message) =>
    sendMessage(ctx, speaker(call), { ...message, groupId: Number(message.groupId) }),
  );
  server.serve(c.recallMessage, (call, { groupId, seq }) => recallMessage(ctx, speaker(call), Number(groupId), seq));
  server.serve(c.searchGroup, (call, input) =>
    searchFor(ctx, member(call), { ...input, groupId: Number(input.groupId) }),
  );
  server.serve(c.muteGroup, (call, { groupId, muted }) => muteFor(ctx, member(call), Number(groupId), muted));
  server.serve(serSatiEval, async ({ user }, { groupId, orderSn, ...rating }) => {
    await rateService(ctx, user.id, { groupId, orderSn }, rating);
    return {};
  });
  server.serve(c.unreadCount, (call, { groups, all }) =>
    unreadFor(ctx, member(call), all === true ? undefined : groups),
  );
}

/** The order chat: calls, effects, and the WebSocket gateway. */
export async function bindChat(binding: Binding): Promise<void> {
  bindTokens(binding);
  bindMembers(binding);
  bindChatStaff(binding);
  bindCallback(binding);
  await bindChatJobs(binding.ctx, binding.effects);
  if (servesSockets(binding.ctx.config.nodes.role)) startGateway(binding.ctx, binding.http);
}
