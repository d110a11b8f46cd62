import { useEffect, useState } from 'react';
import { setupAdmin, setupOpen } from '#subjects/back-office/contract/setup.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { goOn, saveStaffSignIn } from '#web/lib/session/signed-in.ts';
import { useHash } from '#web/lib/browser/use-hash.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { codeError, Enrolment, NewPassword, newPasswordErrors } from '../../web/parts/staff/join-form.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState, Skeleton } from '#web/ui/states.tsx';

type Open = Data<typeof setupOpen>;

function AdminForm({ token, open }: { token: string; open: Open }) {
  const { form, errors, busy, submit } = useMutation(
    (element: HTMLFormElement, options) =>
      call(
        setupAdmin,
        {
          token,
          login: typed(element, 'login'),
          name: typed(element, 'name'),
          newPassword: typed(element, 'newPassword'),
          code: typed(element, 'code'),
        },
        options,
      ),
    {
      fields: ['login', 'name', 'newPassword', 'code'],
      check: (element) => ({
        login: typed(element, 'login').trim() ? undefined : '请输入登录名',
        name: typed(element, 'name').trim() ? undefined : '请输入姓名',
        ...newPasswordErrors(element),
        code: codeError(element),
      }),
      done: (session) => {
        saveStaffSignIn(session);
        goOn(null, '/backstage/setup');
        return true;
      },
    },
  );
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">先设一位管理员，之后的步骤都用这个账号登录后继续，随时可以中断。</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="登录名"
          name="login"
          autoComplete="username"
          maxLength={40}
          error={errors.login}
          help="小写字母开头，可用数字、点或横线"
        />
        <TextField label="姓名" name="name" autoComplete="name" maxLength={20} error={errors.name} />
      </div>
      <NewPassword errors={errors} />
      <Enrolment qr={open.qr} secret={open.secret} error={errors.code} />
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>设置管理员并继续</SubmitButton>
    </form>
  );
}

/** The first step: creates the first administrator through the printed URL. */
export function FirstAdmin() {
  const token = useHash();
  const [open, setOpen] = useState<Open | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!token) return;
    call(setupOpen, { token }, { quiet: true }).then(setOpen, (thrown: unknown) =>
      setProblem(readFailureMessage(asFailure(thrown))),
    );
  }, [token]);
  if (problem !== null || token === '')
    return (
      <EmptyState
        title={token === '' ? '请从启动时打印的地址打开' : '地址不能使用'}
        action={<ButtonLink to="/backstage/login?returnUrl=/backstage/setup">已有管理员，去登录</ButtonLink>}
      >
        {problem ?? '首次设置的地址在服务器启动时的终端里，重新启动会再打印一个。'}
      </EmptyState>
    );
  return open && token ? <AdminForm token={token} open={open} /> : <Skeleton className="h-96" />;
}
