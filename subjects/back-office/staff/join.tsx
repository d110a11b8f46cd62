import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { staffJoin, staffJoinInfo } from '#subjects/back-office/contract/staff.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { goOn, saveStaffSignIn } from '#web/lib/session/signed-in.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useHash } from '#web/lib/browser/use-hash.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { PasswordField, SubmitButton } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { CodeField, codeError, Enrolment, NewPassword, newPasswordErrors } from '../web/parts/staff/join-form.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState, Skeleton } from '#web/ui/states.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '设置登录方式', noindex: true });
}

type Info = Data<typeof staffJoinInfo>;

const TITLES = { both: '设置密码和二次验证', password: '设置新密码', factor: '重新绑定二次验证' } as const;
const titleOf = ({ setsPassword, setsFactor }: Info): string =>
  TITLES[setsPassword && setsFactor ? 'both' : setsPassword ? 'password' : 'factor'];

function JoinForm({ token, info }: { token: string; info: Info }) {
  const { form, errors, busy, submit } = useMutation(
    (element: HTMLFormElement, options) =>
      call(
        staffJoin,
        {
          token,
          code: typed(element, 'code'),
          ...(info.setsPassword
            ? { newPassword: typed(element, 'newPassword') }
            : { password: typed(element, 'password') }),
        },
        options,
      ),
    {
      fields: ['newPassword', 'password', 'code'],
      check: (element) => ({
        ...(info.setsPassword
          ? newPasswordErrors(element)
          : { password: typed(element, 'password') ? undefined : '请输入密码' }),
        code: codeError(element),
      }),
      done: (session) => {
        saveStaffSignIn(session);
        goOn(null, '/backstage');
        return true;
      },
    },
  );
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">
        {info.name}，您好。这是 {info.siteName} 后台账号 <b className="font-semibold">{info.login}</b> 的一次性地址。
      </p>
      <input type="text" name="username" autoComplete="username" value={info.login} readOnly hidden />
      {info.setsPassword ? (
        <NewPassword errors={errors} />
      ) : (
        <PasswordField
          label="现在的密码"
          name="password"
          autoComplete="current-password"
          maxLength={128}
          error={errors.password}
        />
      )}
      {info.qr && info.secret ? (
        <Enrolment qr={info.qr} secret={info.secret} error={errors.code} />
      ) : (
        <CodeField error={errors.code} />
      )}
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>保存并登录</SubmitButton>
    </form>
  );
}

/** The page of a one-time address: its holder sets password, second factor or both, and is logged in. */
export default function JoinPage() {
  const token = useHash();
  const [info, setInfo] = useState<Info | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (token === null) return;
    call(staffJoinInfo, { token }, { quiet: true }).then(setInfo, (thrown: unknown) =>
      setProblem(readFailureMessage(asFailure(thrown))),
    );
  }, [token]);
  return (
    <section className="panel w-110 max-w-full p-8 max-md:p-5" aria-labelledby="join">
      <h1 id="join" className="mb-5 flex items-center gap-2 text-16 font-semibold">
        <KeyRound className="icon size-5 text-brand-600" aria-hidden="true" />
        {info ? titleOf(info) : '设置登录方式'}
      </h1>
      {problem ? (
        <EmptyState title="地址不能使用" action={<ButtonLink to="/backstage/login">去登录</ButtonLink>}>
          {problem}
        </EmptyState>
      ) : info && token ? (
        <JoinForm token={token} info={info} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </section>
  );
}
