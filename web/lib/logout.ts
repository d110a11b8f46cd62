import { logout } from '#contract/user.ts';
import { call } from './api.ts';
import { clearHints } from './cookies.ts';
import { stayLoggedOut } from './wechat-tried.ts';

/**
 * Ends the session on the server, clears the hint cookies and goes to the home page with a full page load (product.md
 * 4).
 */
export function useLogout(): () => Promise<void> {
  return async () => {
    try {
      await call(logout, {}, { quiet: true });
    } finally {
      clearHints();
      stayLoggedOut();
      window.location.assign('/');
    }
  };
}
