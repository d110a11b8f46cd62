import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { staffRequestForm, type staffImSidebar } from '#contract/im-desk.ts';
import { call } from '#web/lib/api.ts';
import { asFailure, failureMessage } from '#web/lib/call-errors.ts';
import { shortAt } from '#web/lib/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast-store.ts';

type Form = Data<typeof staffImSidebar>['form'];

/** The outstanding hand-over steps and a button that requests them in the conversation; all are selected at first. */
export function FormRequest({ groupId, form, mayRequest }: { groupId: string; form: Form; mayRequest: boolean }) {
  const { revalidate } = useRevalidator();
  const [left, setLeft] = useState<readonly number[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const steps = form.items.filter(({ step }) => !left.includes(step)).map(({ step }) => step);
  const request = async () => {
    if (steps.length === 0) return setError('请选择要填写的资料');
    setBusy(true);
    setError(null);
    try {
      await call(staffRequestForm, { groupId, steps: JSON.stringify(steps) }, { quiet: true });
      toast('已在群里请求填写', 'ok');
      await revalidate();
    } catch (thrown) {
      setError(failureMessage(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  if (form.items.length === 0) return null;
  return (
    <section className="grid gap-2 border-t border-line-soft p-3" aria-label="待填资料">
      <h2 className="font-semibold">待填资料</h2>
      <ul className="grid gap-1.5">
        {form.items.map(({ step, title, actor, needs }) => (
          <li key={step} className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1">
              {mayRequest ? (
                <Checkbox
                  checked={!left.includes(step)}
                  onChange={(event) =>
                    setLeft(event.target.checked ? left.filter((one) => one !== step) : [...left, step])
                  }
                >
                  {title}
                </Checkbox>
              ) : (
                title
              )}
            </span>
            <span className="flex-none text-12 text-ink-3">
              {actor === 'buyer' ? '买家' : '卖家'}，{needs.join('、')}
            </span>
          </li>
        ))}
      </ul>
      {mayRequest &&
        (form.againAt ? (
          <p className="text-12 text-ink-3">刚刚请求过，{shortAt(form.againAt)} 后可以再次请求</p>
        ) : (
          <Button size="sm" busy={busy} onClick={() => void request()}>
            在群里请求填写
          </Button>
        ))}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
