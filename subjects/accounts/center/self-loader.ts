import type { LoaderFunctionArgs } from 'react-router';
import { certificateInfo } from '#subjects/verification/contract/identity.ts';
import { roleCardInfoList } from '#subjects/games/contract/role-card.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { market, optional } from '#web/lib/pages/context.ts';

/** Upper limit of saved cards. */
const MAX_ROLES = 50;

/** The signed-in user and the state of their verification. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, demo } = market(args);
  const [user, certificate, roles] = await Promise.all([
    call(userInfo, {}),
    call(certificateInfo, {}),
    optional(call(roleCardInfoList, { pageSize: MAX_ROLES })),
  ]);
  return { user, certificate, roles: roles?.list ?? null, demo, demoCodes: demo };
}

export type SelfData = Awaited<ReturnType<typeof loader>>;
