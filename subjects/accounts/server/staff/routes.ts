import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import type { Binding } from '#server/binding.ts';
import { listUsers, setStatus } from './users.ts';

/** Users in the back office. */
export function bindAccountsStaff({ server }: Binding): void {
  server.serve(adminQueryUserList, (call, input) => listUsers(call, input));
  server.serve(setUserStatus, setStatus);
}
