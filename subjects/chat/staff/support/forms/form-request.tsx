import { useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { staffRequestForm, type staffImSidebar } from '#subjects/chat/contract/im-support.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Checkbox } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Form = Data<typeof staffImSidebar>['form'];

/** The outstanding hand-over steps and a button that requests them in the conversation; all are selected at first. */
export function FormRequest({ groupId, form, mayRequest }: { groupId: string; form: Form; mayRequest: boolean }) {
  const [left, setLeft] = useState<readonly number[]>([]);
  const steps = form.items.filter(({ step }) => !left.includes(step)).map(({ step }) => step);
  const { busy, error, send } = useMutation(staffRequestForm, {
    check: () => ({ send: steps.length === 0 ? '请选择要填写的资料' : undefined }),
    revalidates: true,
    done: () => toast('已在群里请求填写', 'ok'),
  });
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
          <Button size="sm" busy={busy} onClick={() => void send({ groupId, steps: JSON.stringify(steps) })}>
            在群里请求填写
          </Button>
        ))}
      <FormError>{error}</FormError>
    </section>
  );
}
