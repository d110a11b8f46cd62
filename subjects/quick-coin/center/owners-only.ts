import { type LoaderFunctionArgs, redirect } from 'react-router';
import { loginPath } from '#web/lib/pages/paths.ts';
import { market } from '#web/lib/pages/context.ts';

/** Redirects users without an open shop to the application, and visitors to the log-in. */
export function ownersOnly(args: LoaderFunctionArgs): void {
  const { user } = market(args);
  if (!user) throwRedirect(loginPath(args.url));
  else if (user.isQuickShop !== 1) throwRedirect('/center/myshop/joinshop');
}

function throwRedirect(to: string): never {
  const response: unknown = redirect(to);
  throw response;
}
