import * as c from '#contract/backstage-staff.ts';
import type { Binding } from '#server/binding.ts';
import { stepUp } from './auth.ts';
import { join, joinInfo } from './invites.ts';
import { listStaff, optionsOf } from './lists.ts';
import { resetStaff, saveStaff, setStatus } from './people.ts';
import { removeRole, saveRole } from './roles.ts';
import { endSessions, listStaffSessions } from './sessions.ts';

/** Staff, roles, their sessions and one-time addresses. */
export function bindStaff({ server }: Binding): void {
  server.serve(c.staffPeople, listStaff);
  server.serve(c.staffOptions, optionsOf);
  server.serve(c.saveStaff, saveStaff);
  server.serve(c.setStaffStatus, setStatus);
  server.serve(c.resetStaff, resetStaff);
  server.serve(c.staffSessionList, listStaffSessions);
  server.serve(c.endStaffSession, endSessions);
  server.serve(c.saveStaffRole, saveRole);
  server.serve(c.removeStaffRole, removeRole);
  server.serve(c.staffStepUp, stepUp);
  server.serve(c.staffJoinInfo, joinInfo);
  server.serve(c.staffJoin, join);
}
