import type { Data } from '#contract/endpoint.ts';
import type { wechatLoginResult } from '#subjects/accounts/contract/wechat.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { call } from '#web/lib/api/api.ts';
import { writeCookie } from '#web/lib/session/cookies.ts';
import { finishSignIn } from '#web/lib/session/signed-in.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Login = NonNullable<Data<typeof wechatLoginResult>['login']>;

/**
 * Loads the token, then the user's information, then the page (product.md 4); an error on the way is displayed but does
 * not prevent the log-in.
 */
export async function finishWechat(login: Login, returnUrl: string | null): Promise<void> {
  writeCookie('token', login.token);
  const user = await call(userInfo, {}, { quiet: true }).catch(() => {
    toast('提示：网络超时', 'warn');
    return null;
  });
  await finishSignIn({ ...login, ...(user && { nickName: user.nickName, actor: user.actor }) }, returnUrl);
}
