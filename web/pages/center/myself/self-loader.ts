import type { LoaderFunctionArgs } from 'react-router';
import { certificateInfo } from '#contract/common.ts';
import { userInfo } from '#contract/user.ts';
import { market } from '#web/lib/context.ts';
import { pageExists } from '#web/lib/url-map.ts';

/** Who the signed-in person is, and where their verification stands. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, demo } = market(args);
  const [user, certificate] = await Promise.all([call(userInfo, {}), call(certificateInfo, {})]);
  return { user, certificate, demo, demoCodes: demo && pageExists('/test') };
}

export type SelfData = Awaited<ReturnType<typeof loader>>;
