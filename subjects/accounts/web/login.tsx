import { Link, useLoaderData, useSearchParams } from 'react-router';
import { finishSignIn } from '#web/lib/session/signed-in.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { AccountLayout, DemoCodes } from './parts/account/account-layout.tsx';
import { LoginForm } from './parts/login/login-form.tsx';
import { OtherMethods } from './parts/login/other-methods.tsx';
import { besideReturn } from './return-link.ts';
import type { loader } from './signed-in-loader.ts';

export { loader } from './signed-in-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '登录', noindex: true });
}

/** The log-in page; afterwards it continues to the page that was requested. */
export default function LoginPage() {
  const { demo } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  return (
    <AccountLayout
      title="登录"
      aside={
        <>
          没有账号？
          <Link to={besideReturn('/register', query)} className="link hit">
            免费注册
          </Link>
        </>
      }
    >
      <LoginForm
        onDone={(session) => void finishSignIn(session, query.get('returnUrl'))}
        below={(method) => (
          <>
            <p className="flex justify-between gap-4 text-12 text-ink-3">
              <span>{method === 'code' ? '未注册的手机号请先注册' : '连续输错多次会多一步安全验证'}</span>
              <Link to={besideReturn('/forgetPassword', query)} className="link hit flex-none">
                忘记密码
              </Link>
            </p>
            <DemoCodes visible={demo && method === 'code'} />
          </>
        )}
      />
      <OtherMethods />
    </AccountLayout>
  );
}
