import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import * as c from '#subjects/chat/contract/im.ts';
import { openService, serviceState } from '#subjects/chat/contract/im-service.ts';
import * as s from '#subjects/chat/contract/im-staff.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { UserCall } from '#server/access/call.ts';
import { servesSockets } from '#server/config/config-nodes.ts';
import type { Binding } from '#server/binding.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { openServiceGroup, loadServiceState } from './groups/customer-service.ts';
import { transferGroup } from './groups/groups.ts';
import { HEARTBEAT_MS, SOCKET_PATH, startGateway } from './gateway/gateway.ts';
import { bindChatJobs } from './jobs.ts';
import {
  loadHistory,
  newestFor,
  loadPage,
  readUpTo,
  publishTyping,
  recallMessage,
  remindOffline,
  sendMessage,
} from './messages/messages.ts';
import { bindCallback } from './gateway/callback.ts';
import { imProviderToken, usesImProvider } from './transport/im-provider.ts';
import { rateService } from './groups/ratings.ts';
import { bindSupport } from './support/routes.ts';
import { searchFor } from './messages/search.ts';
import { anyGroupInfo, loadGroupInfo, groupsOfOrders, muteFor, loadPerson, unreadFor } from './service.ts';
import { colleagues, staffGroups, staffReads } from './support/staff.ts';
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

function bindStaff({ ctx, server }: Binding): void {
  server.serve(s.staffImToken, async ({ staff, dist }) => {
    requirePermission(staff, 'chat.serve');
    const { imUid, sessionHash } = staff;
    const ticket = await issueTicket(ctx, { member: imUid, sessionHash, distId: dist.id });
    return { ...ticket, path: SOCKET_PATH, imUid };
  });
  server.serve(s.staffImGroups, ({ staff }, input) => staffGroups(ctx, staff, input));
  server.serve(s.staffImGroupInfo, async ({ staff }, { groupId }) => {
    const how = await staffReads(ctx, staff, Number(groupId));
    return how === 'member'
      ? await loadGroupInfo(ctx, staff.imUid, Number(groupId))
      : await anyGroupInfo(ctx, Number(groupId));
  });
  server.serve(s.staffImHistory, async ({ staff }, page) => {
    const groupId = Number(page.groupId);
    await staffReads(ctx, staff, groupId);
    return await loadPage(ctx, staff.imUid, { ...page, groupId });
  });
  server.serve(s.staffImSend, async ({ staff }, message) => {
    requirePermission(staff, 'chat.serve');
    const who = { member: staff.imUid, staffId: staff.id };
    return await sendMessage(ctx, who, { ...message, groupId: Number(message.groupId) });
  });
  server.serve(s.staffImRead, ({ staff }, { groupId, seq }) => {
    requirePermission(staff, 'chat.serve');
    return readUpTo(ctx, staff.imUid, Number(groupId), seq);
  });
  server.serve(s.staffImTransfer, async ({ staff, ip }, { groupId, staffId, note }) => {
    requirePermission(staff, 'chat.serve');
    const { id, imUid, distId } = staff;
    await transferGroup(ctx, Number(groupId), staffId, {
      id,
      imUid,
      distId,
      isAdmin: staffCan(staff, 'chat.supervise'),
      note,
      ip,
    });
    return {};
  });
  server.serve(s.staffImColleagues, ({ staff }) => colleagues(ctx, staff));
}

/** The order chat: calls, effects, and the WebSocket gateway. */
export async function bindChat(binding: Binding): Promise<void> {
  bindTokens(binding);
  bindMembers(binding);
  bindStaff(binding);
  bindSupport(binding);
  bindCallback(binding);
  await bindChatJobs(binding.ctx, binding.effects);
  if (servesSockets(binding.ctx.config.nodes.role)) startGateway(binding.ctx, binding.http);
}
