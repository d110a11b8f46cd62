import { type LoaderFunctionArgs, redirect } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { readCookie } from '#web/lib/session/cookies.ts';
import { safeReturn } from '#web/lib/pages/paths.ts';

/**
 * Redirects signed-in users. A user whose browser has lost the readable `token` stays: the API rejects that browser's calls, and only a new
 * log-in restores it.
 */
export function loader(args: LoaderFunctionArgs) {
  const { user, demo } = market(args);
  const cookies = args.request.headers.get('cookie') ?? '';
  if (user && readCookie(cookies, 'token')) return redirect(safeReturn(args.url.searchParams.get('returnUrl')));
  return {
    inviteCode: readCookie(cookies, 'invitecode') ?? '',
    demo,
  };
}
