import { logout } from '#subjects/accounts/contract/user.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { call, isSessionLost } from '../api/api.ts';
import { asFailure } from '../api/call-errors.ts';
import { clearHints } from './cookies.ts';
import { stayLoggedOut } from '../browser/wechat-tried.ts';

/**
 * Ends the session on the server, clears the hint cookies and goes to the home page with a full page load (product.md
 * 4). When the server could not end the session, the page stays and shows the error, since the session is still valid.
 */
export function useLogout(): () => Promise<void> {
  return async () => {
    try {
      await call(logout, {}, { quiet: true });
    } catch (error) {
      const failure = asFailure(error);
      if (!isSessionLost(failure)) return toast(`还没有退出登录，请重试：${failure.msg}`, 'warn');
    }
    clearHints();
    stayLoggedOut();
    window.location.assign('/');
  };
}
