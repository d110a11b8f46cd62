import * as s from '#subjects/chat/contract/im-staff.ts';
import * as d from '#subjects/chat/contract/im-support.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { requirePermission } from '#server/access/permissions.ts';
import type { Binding } from '#server/binding.ts';
import { listCanned, countCanned, removeCanned, saveCannedReply } from './canned.ts';
import { loadWorkbench, setDuty, setSolved, loadSidebar } from './workbench.ts';
import { requestForm } from './forms.ts';
import { anyGroupInfo, loadGroupInfo } from '../group-info.ts';
import { transferGroup } from '../groups/groups.ts';
import { loadPage, readUpTo, sendMessage } from '../messages/messages.ts';
import { searchIn } from '../messages/search.ts';
import { SOCKET_PATH } from '../transport/entry.ts';
import { issueTicket } from '../transport/tickets.ts';
import { setMaxChats, saveAssignmentRule, saveStaffShift, loadSetup } from '../groups/setup.ts';
import { colleagues, staffGroups, staffReads } from './groups.ts';
import { statsFor } from './stats.ts';

/** The support workbench: conversations, duty, the sidebar, canned replies, and the settings for administrators. */
export function bindChatStaff(binding: Binding): void {
  bindConversations(binding);
  bindWorkbench(binding);
}

function bindWorkbench({ ctx, server }: Binding): void {
  server.serve(d.staffWorkbench, ({ staff }) => loadWorkbench(ctx, staff));
  server.serve(d.staffDuty, ({ staff, ip }, input) => setDuty(ctx, staff, input, ip));
  server.serve(d.staffSolve, async ({ staff }, { groupId, solved }) => {
    await setSolved(ctx, staff, Number(groupId), solved);
    return {};
  });
  server.serve(d.staffImSearch, async ({ staff }, input) => {
    const groupId = Number(input.groupId);
    await staffReads(ctx, staff, groupId);
    return await searchIn(ctx, staff.imUid, { ...input, groupId });
  });
  server.serve(d.staffImSidebar, ({ staff }, { groupId }) => loadSidebar(ctx, staff, Number(groupId)));
  server.serve(d.staffRequestForm, async ({ staff, ip }, { groupId, steps }) => {
    await requestForm(ctx, staff, Number(groupId), steps, ip);
    return {};
  });
  server.serve(d.cannedList, ({ staff }) => listCanned(ctx, staff));
  server.serve(d.saveCanned, ({ staff }, input) => saveCannedReply(ctx, staff, input));
  server.serve(d.removeCanned, async ({ staff }, { id }) => {
    await removeCanned(ctx, staff, id);
    return {};
  });
  server.serve(d.usedCanned, async ({ staff }, { id }) => {
    await countCanned(ctx, staff, id);
    return {};
  });
  server.serve(d.serviceStats, ({ staff }, { days }) => statsFor(ctx, staff, days));
  server.serve(d.serviceSetup, ({ staff }) => loadSetup(ctx, staff));
  server.serve(d.saveRule, ({ staff }, input) => saveAssignmentRule(ctx, staff, input));
  server.serve(d.saveShift, ({ staff }, input) => saveStaffShift(ctx, staff, input));
  server.serve(d.saveMaxChats, async ({ staff }, input) => {
    await setMaxChats(ctx, staff, input);
    return {};
  });
}

function bindConversations({ ctx, server }: Binding): void {
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
