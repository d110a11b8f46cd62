import { useEffect, useState } from 'react';
import { passkeyOptions, passkeyStepUp } from '#subjects/back-office/contract/passkeys.ts';
import { staffStepUp } from '#subjects/back-office/contract/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { signWithPasskey } from '#web/lib/session/passkey.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { PasskeyButton } from '#subjects/back-office/web/parts/staff/passkey-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

const STEP_MS = 30_000;

/** Seconds until authenticators show the next code, by this machine's clock, as the text notes. */
function NextCode() {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      身份验证器里的 6 位数字；登录时用过的不能再用，下一个约 {Math.ceil((STEP_MS - (now % STEP_MS)) / 1000)} 秒后出现
    </>
  );
}

/** Verifies the person by one of their passkeys. */
async function stepUpByPasskey(options: SendOptions): Promise<void> {
  const { options: asked } = await call(passkeyOptions, { purpose: 'stepUp' }, options);
  await call(passkeyStepUp, { response: await signWithPasskey(asked) }, options);
}

/** Asks for the second factor before a decision on money or people; the form behind it is kept and sent afterwards. */
export default function FactorDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { form, errors, busy, submit } = useMutation(
    (element: HTMLFormElement, options) => call(staffStepUp, { code: typed(element, 'code') }, options),
    {
      fields: ['code'],
      check: (element) => ({ code: /^\d{6}$/.test(typed(element, 'code')) ? undefined : '请输入 6 位动态码' }),
      done: () => {
        onDone();
        return true;
      },
    },
  );
  return (
    <Dialog title="再次验证身份" asksFirst={false} onClose={onClose} closeOnBackdrop={false}>
      <PasskeyButton label="用通行密钥验证" send={stepUpByPasskey} onDone={onDone} />
      <form ref={form} method="post" noValidate className="mt-4 grid gap-4" onSubmit={submit((element) => element)}>
        <p className="text-13 text-ink-2">
          这一步会动用资金，或改变权限、登录方式，请再验证一次：用通行密钥，或输入动态码。验证后一段时间内不再询问，已填的内容都在。
        </p>
        <TextField
          label="动态码"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          placeholder="6 位数字"
          error={errors.code}
          help={<NextCode />}
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>验证并继续</SubmitButton>
      </form>
    </Dialog>
  );
}
