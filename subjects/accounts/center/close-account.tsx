import { Check, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { closeAccount, closeAccountCheck } from '#subjects/accounts/contract/email-and-closing.ts';
import type { Data } from '#contract/endpoint.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { call } from '#web/lib/api/api.ts';
import { clearHints } from '#web/lib/session/cookies.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { asFailure, failureMessage } from '#web/lib/api/call-errors.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Conditions = Data<typeof closeAccountCheck>;

/** Unmet conditions, each with a link to the page where the user can meet it. */
function ConditionList({ check }: { check: Conditions }) {
  return (
    <ul className="grid gap-2">
      {check.conditions.map(({ text, met, url }) => (
        <li key={text} className="flex items-center gap-2 text-13">
          {met ? (
            <Check className="icon text-safe" role="img" aria-label="已满足" />
          ) : (
            <X className="icon text-danger" role="img" aria-label="未满足" />
          )}
          {text}
          {!met && url && (
            <Link to={url} className="hit link ml-auto flex-none">
              去处理
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Closes the account, then goes to the home page. */
function useClosing() {
  return useMutation(
    (form: HTMLFormElement, options) =>
      withStepUp('close', () => call(closeAccount, { reason: typed(form, 'reason') }, options)),
    {
      fields: [],
      check: () => ({}),
      done: ({ eraseTime }) => {
        clearHints();
        toast(`账号已注销，个人信息将在 ${fullTime(Date.parse(eraseTime))} 删除`, 'ok');
        setTimeout(() => window.location.replace('/'), 2500);
        return true;
      },
    },
  );
}

function ClosingForm({ form, errors, busy, submit }: ReturnType<typeof useClosing>) {
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <Field label="注销原因">{(control) => <Textarea {...control} name="reason" rows={2} maxLength={200} />}</Field>
      <FormError>{errors.send}</FormError>
      <Button type="submit" kind="danger" size="lg" busy={busy}>
        确认注销
      </Button>
    </form>
  );
}

/** Account closure: consequences, unmet conditions, and the owner's proof. */
export function CloseAccount({ onClose }: { onClose: () => void }) {
  const [check, setCheck] = useState<Conditions | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const closing = useClosing();
  useEffect(() => {
    call(closeAccountCheck, {}, { quiet: true }).then(setCheck, (thrown: unknown) =>
      setProblem(failureMessage(asFailure(thrown))),
    );
  }, [round]);
  const again = () => {
    setProblem(null);
    setRound(round + 1);
  };
  return (
    <Dialog title="注销账号" busy={closing.busy} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-13 text-ink-2">
          注销后立即退出所有设备，不能再登录；7 天后删除手机号、实名信息、收款账户等个人信息，7 天内可联系客服恢复。
          历史订单按法规保留，不再显示您的身份。
        </p>
        {problem && <ErrorState message={problem} onRetry={again} />}
        {!check && !problem && <Skeleton className="h-36" />}
        {check && <ConditionList check={check} />}
        {check?.allowed && <ClosingForm {...closing} />}
      </div>
    </Dialog>
  );
}
