import { staffRead } from '#contract/endpoint.ts';
import { userList } from './list-users.ts';

/** Phones are masked. A search by phone needs the complete number, which is compared by its blind index. */
export const adminQueryUserList = staffRead('/api/backstage/user/adminQueryUserList', '用户查询', {
  mayLag: true,
  input: userList.input,
  data: userList.data,
  limit: 'search',
});
