import { staffPasswordProblem } from '#subjects/accounts/rules/secret.ts';
import { type FormErrors, typed, type Message } from '#web/lib/forms/form-errors.ts';
import { PasswordField, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** The fields for a new password, entered twice. */
export function NewPassword({ errors }: { errors: FormErrors }) {
  return (
    <>
      <PasswordField
        label="新密码"
        name="newPassword"
        autoComplete="new-password"
        maxLength={128}
        error={errors.newPassword}
        help="至少 10 个字符，混用字母、数字或符号"
      />
      <PasswordField
        label="再输一次新密码"
        name="again"
        autoComplete="new-password"
        maxLength={128}
        error={errors.again}
      />
    </>
  );
}

/** Validation errors of the two fields of a new password. */
export function newPasswordErrors(form: HTMLFormElement): FormErrors {
  const password = typed(form, 'newPassword');
  const problem = staffPasswordProblem(password) ?? undefined;
  return {
    newPassword: problem,
    again: problem === undefined && typed(form, 'again') !== password ? '两次输入的密码不一致' : undefined,
  };
}

/** The second factor to bind: the QR code for an authenticator, the key as text, and the first code. */
export function Enrolment({ qr, secret, error }: { qr: string; secret: string; error: Message | undefined }) {
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-2">
        用身份验证器（如微软、谷歌验证器或 1Password）扫描二维码，再输入它显示的 6 位动态码。
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(qr)}`}
          alt="绑定二次验证的二维码"
          width={148}
          height={148}
          className="rounded-control border border-line bg-white p-1"
        />
        <div className="grid min-w-0 gap-1 text-12 text-ink-3">
          不能扫码时手动输入密钥
          <CopyButton text={secret} label="密钥" className="font-mono break-all text-ink" />
        </div>
      </div>
      <CodeField error={error} />
    </div>
  );
}

/** The field for a code of the second factor. */
export function CodeField({ error }: { error: Message | undefined }) {
  return (
    <TextField
      label="动态码"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      placeholder="6 位数字"
      error={error}
    />
  );
}

/** Validation error of the code. */
export const codeError = (form: HTMLFormElement): string | undefined =>
  /^\d{6}$/.test(typed(form, 'code')) ? undefined : '请输入 6 位动态码';
