import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { fakeKindNames } from '../rules/black.ts';
import { reportFakeService } from '#subjects/verification/contract/verification.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Select, Textarea } from '#web/ui/forms/input.tsx';

type Kind = keyof typeof fakeKindNames;

function ReportForm({ signedIn, onDone }: { signedIn: boolean; onDone: () => void }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, errors, busy, submit } = useMutation(reportFakeService, {
    fields: ['value', 'content'],
    draft: 'fake-service',
    check: ({ value, content }) => ({
      value: value.length < 4 ? '请输入对方完整的账号' : undefined,
      content: content.length < 5 ? '请说明经过，至少 5 个字' : undefined,
    }),
    done: onDone,
  });
  const read = (element: HTMLFormElement) => ({
    kind: typed(element, 'kind') as Kind,
    value: typed(element, 'value').trim(),
    content: typed(element, 'content').trim(),
    contact: typed(element, 'contact').trim(),
    pictures: pictures.map(({ key }) => key),
  });
  return (
    <form ref={form} method="post" noValidate className="grid gap-4 p-4 md:p-6" onSubmit={submit(read)}>
      <div className="grid gap-4 md:grid-cols-[160px_1fr]">
        <Field label="账号类型" required>
          {(control) => (
            <Select {...control} name="kind" defaultValue="qq">
              {Object.entries(fakeKindNames).map(([kind, name]) => (
                <option key={kind} value={kind}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField label="对方的账号" name="value" maxLength={120} autoComplete="off" error={errors.value} />
      </div>
      <Field label="经过" required error={errors.content}>
        {(control) => (
          <Textarea
            {...control}
            name="content"
            rows={3}
            maxLength={500}
            placeholder="对方怎么找到您、说了什么、要您做什么"
          />
        )}
      </Field>
      <TextField
        label="您的联系方式"
        name="contact"
        holds="contact"
        isOptional
        maxLength={40}
        autoComplete="off"
        help="只有审核员可见，用于核实"
        error={errors.contact}
      />
      {signedIn ? (
        <EvidenceBox
          pictures={pictures}
          onChange={setPictures}
          help="聊天记录、收款码截图，PNG 或 JPEG，每张不超过 10M；只有审核员可见。"
        />
      ) : (
        <p className="text-12 text-ink-3">登录后可以附上聊天截图。</p>
      )}
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>提交举报</SubmitButton>
    </form>
  );
}

/** Report of fake customer service; open to visitors, pictures only for signed-in users. */
export function FakeReport({ signedIn }: { signedIn: boolean }) {
  const [sent, setSent] = useState(false);
  return (
    <section className="panel scroll-mt-20" id="report" aria-labelledby="report-title">
      <div className="panel-head">
        <h2 id="report-title">举报假客服</h2>
        <p>核实后列入黑号名单，提醒其他人</p>
      </div>
      {sent ? (
        <div className="grid justify-items-center gap-3 px-4 py-10 text-center" role="status">
          <CircleCheck className="icon size-10 text-safe" strokeWidth={1.25} aria-hidden="true" />
          <p className="font-semibold">已收到，谢谢您的提醒</p>
          <p className="text-13 text-ink-3">如果已经转账，请立即报警并保留聊天记录。</p>
          <Button size="sm" onClick={() => setSent(false)}>
            再举报一个
          </Button>
        </div>
      ) : (
        <ReportForm signedIn={signedIn} onDone={() => setSent(true)} />
      )}
    </section>
  );
}
