import { type LoaderFunctionArgs, redirect } from 'react-router';
import { market } from '#web/lib/context.ts';
import { readCookie } from '#web/lib/cookies.ts';
import { safeReturn } from '#web/lib/paths.ts';
import { pageExists } from '#web/lib/url-map.ts';

/**
 * Sends away who is signed in already. Somebody whose browser has lost the readable `token` is not: their calls are refused, and only
 * logging in again brings it back.
 */
export function loader(args: LoaderFunctionArgs) {
  const { user, demo } = market(args);
  const cookies = args.request.headers.get('cookie') ?? '';
  if (user && readCookie(cookies, 'token')) return redirect(safeReturn(args.url.searchParams.get('returnUrl')));
  return {
    inviteCode: readCookie(cookies, 'invitecode') ?? '',
    texts: pageExists('/news/:code'),
    demo: demo && pageExists('/test'),
  };
}
