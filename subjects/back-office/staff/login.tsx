import { ShieldCheck } from 'lucide-react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useSearchParams } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { readCookie } from '#web/lib/session/cookies.ts';
import { safeReturn } from '#web/lib/pages/paths.ts';
import { goOn, saveStaffSignIn } from '#web/lib/session/signed-in.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { StaffLoginForm } from '#subjects/back-office/web/parts/staff/staff-login-form.tsx';

const HOME = '/backstage';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '登录', noindex: true });
}

/**
 * Redirects staff who are logged in, unless the browser has lost the part of the session that is required for calls.
 */
export function loader(args: LoaderFunctionArgs) {
  const { staff, demo } = market(args);
  const cookies = args.request.headers.get('cookie') ?? '';
  if (staff && readCookie(cookies, 'token')) return redirect(safeReturn(args.url.searchParams.get('returnUrl'), HOME));
  return { demo };
}

/** The log-in page of staff; afterwards it continues to the page that was requested. */
export default function StaffLoginPage() {
  const { demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  return (
    <section className="panel w-90 max-w-full p-8 max-md:p-5" aria-labelledby="staff-login">
      <h1 id="staff-login" className="mb-5 flex items-center gap-2 text-16 font-semibold">
        <ShieldCheck className="icon size-5 text-brand-600" aria-hidden="true" />
        登录后台
      </h1>
      <StaffLoginForm
        onDone={(session) => {
          saveStaffSignIn(session);
          goOn(query.get('returnUrl'), HOME);
        }}
        codeHelp={demo ? '演示市场的动态码在前台的自检页 /test' : '身份验证器里的 6 位数字，每个只能用一次'}
      />
    </section>
  );
}
