import * as d from '#subjects/chat/contract/im-support.ts';
import type { Binding } from '#server/binding.ts';
import { listCanned, countCanned, removeCanned, saveCannedReply } from './canned.ts';
import { loadWorkbench, setDuty, setSolved, loadSidebar } from './support.ts';
import { requestForm } from './forms.ts';
import { searchIn } from '../messages/search.ts';
import { setMaxChats, saveAssignmentRule, saveStaffShift, loadSetup } from '../groups/setup.ts';
import { staffReads } from './staff.ts';
import { statsFor } from './stats.ts';

/** The support workbench: duty, the sidebar of a conversation, canned replies, and the settings for administrators. */
export function bindSupport({ ctx, server }: Binding): void {
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
