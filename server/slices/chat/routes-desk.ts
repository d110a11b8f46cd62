import * as d from '#contract/im-desk.ts';
import type { Binding } from '#server/binding.ts';
import { cannedOf, countCanned, dropCanned, keepCanned } from './canned.ts';
import { deskOf, setDuty, setSolved, sideOf } from './desk.ts';
import { askForm } from './forms.ts';
import { searchIn } from './search.ts';
import { keepMaxChats, keepRule, keepShift, setupOf } from './setup.ts';
import { staffReads } from './staff.ts';
import { statsFor } from './stats.ts';

/** The workbench: duty, what stands beside a conversation, canned answers, and what administrators see and set. */
export function bindDesk({ ctx, server }: Binding): void {
  server.serve(d.staffWorkbench, ({ staff }) => deskOf(ctx, staff));
  server.serve(d.staffDuty, ({ staff, ip }, ask) => setDuty(ctx, staff, ask, ip));
  server.serve(d.staffSolve, async ({ staff }, { groupId, solved }) => {
    await setSolved(ctx, staff, Number(groupId), solved);
    return {};
  });
  server.serve(d.staffImSearch, async ({ staff }, ask) => {
    const groupId = Number(ask.groupId);
    await staffReads(ctx, staff, groupId);
    return await searchIn(ctx, staff.imUid, { ...ask, groupId });
  });
  server.serve(d.staffImSidebar, ({ staff }, { groupId }) => sideOf(ctx, staff, Number(groupId)));
  server.serve(d.staffRequestForm, async ({ staff, ip }, { groupId, steps }) => {
    await askForm(ctx, staff, Number(groupId), steps, ip);
    return {};
  });
  server.serve(d.cannedList, ({ staff }) => cannedOf(ctx, staff));
  server.serve(d.saveCanned, ({ staff }, given) => keepCanned(ctx, staff, given));
  server.serve(d.removeCanned, async ({ staff }, { id }) => {
    await dropCanned(ctx, staff, id);
    return {};
  });
  server.serve(d.usedCanned, async ({ staff }, { id }) => {
    await countCanned(ctx, staff, id);
    return {};
  });
  server.serve(d.serviceStats, ({ staff }, { days }) => statsFor(ctx, staff, days));
  server.serve(d.serviceSetup, ({ staff }) => setupOf(ctx, staff));
  server.serve(d.saveRule, ({ staff }, given) => keepRule(ctx, staff, given));
  server.serve(d.saveShift, ({ staff }, given) => keepShift(ctx, staff, given));
  server.serve(d.saveMaxChats, async ({ staff }, given) => {
    await keepMaxChats(ctx, staff, given);
    return {};
  });
}
