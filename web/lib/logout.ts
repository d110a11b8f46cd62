import { logout } from '#contract/user.ts';
import { call } from './api.ts';
import { clearHints } from './cookies.ts';

/** Ends the session on the server, forgets the hints and goes home with a fresh page (product.md 4). */
export function useLogout(): () => Promise<void> {
  return async () => {
    try {
      await call(logout, {}, { quiet: true });
    } finally {
      clearHints();
      window.location.assign('/');
    }
  };
}
