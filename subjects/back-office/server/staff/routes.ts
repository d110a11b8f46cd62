import * as p from '#subjects/back-office/contract/passkeys.ts';
import * as c from '#subjects/back-office/contract/staff.ts';
import type { Binding } from '#server/binding.ts';
import { stepUp } from './auth.ts';
import { join, joinInfo } from './invites.ts';
import { listStaff, loadOptions } from './lists.ts';
import { recoverPasskeys } from './passkey-recovery.ts';
import {
  listPasskeys,
  logInByPasskey,
  loginOptions,
  optionsFor,
  register,
  removePasskey,
  stepUpByPasskey,
} from './passkeys.ts';
import { resetStaff, saveStaff, setStatus } from './people.ts';
import { removeRole, saveRole } from './roles.ts';
import { endSessions, listStaffSessions } from './sessions.ts';

/** Staff, roles, their sessions and one-time addresses. */
export function bindStaff({ server }: Binding): void {
  server.serve(c.staffPeople, listStaff);
  server.serve(c.staffOptions, loadOptions);
  server.serve(c.saveStaff, saveStaff);
  server.serve(c.setStaffStatus, setStatus);
  server.serve(c.resetStaff, resetStaff);
  server.serve(c.staffSessionList, listStaffSessions);
  server.serve(c.endStaffSession, endSessions);
  server.serve(c.saveStaffRole, saveRole);
  server.serve(c.removeStaffRole, removeRole);
  server.serve(c.staffStepUp, stepUp);
  server.serve(p.passkeyList, listPasskeys);
  server.serve(p.passkeyOptions, optionsFor);
  server.serve(p.passkeyRegister, register);
  server.serve(p.passkeyRemove, removePasskey);
  server.serve(p.passkeyStepUp, stepUpByPasskey);
  server.serve(p.passkeyLoginOptions, loginOptions);
  server.serve(p.passkeyLogin, logInByPasskey);
  server.serve(p.recoverPasskeys, recoverPasskeys);
  server.serve(c.staffJoinInfo, joinInfo);
  server.serve(c.staffJoin, join);
}
