import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { businessKinds, setDistBus } from '#subjects/content/contract/content.ts';
import { phoneProblem } from '#contract/rules/contacts/phone.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { type FormErrors, typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Select, Textarea } from '#web/ui/forms/input.tsx';
import { BUSINESS_NAMES } from './names.ts';

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '商务合作', description: '分销、店铺、回收、工作室、媒体与新游合作申请' });

const MIN_TEXT = 5;
const MAX_TEXT = 500;

const PROMISES = ['2 个工作日内联系您', '姓名和号码加密保存，只有负责合作的同事可以查看', '不会以合作的名义向您收费'];

function missing(form: HTMLFormElement): FormErrors {
  const text = typed(form, 'content').trim();
  return {
    kind: typed(form, 'kind') ? undefined : '请选择合作类型',
    name: typed(form, 'name').trim() ? undefined : '联系人不能为空',
    phone: phoneProblem(typed(form, 'phone')) ?? undefined,
    content: text.length < MIN_TEXT ? `合作内容至少 ${MIN_TEXT} 个字` : undefined,
  };
}

function Sent({ requestSn, onAgain }: { requestSn: string; onAgain: () => void }) {
  return (
    <div className="grid justify-items-center gap-3 py-6 text-center" role="status">
      <CircleCheck className="icon size-10 text-safe" strokeWidth={1.25} aria-hidden="true" />
      <p className="text-16 font-semibold">已提交，我们会尽快联系您</p>
      <p className="text-13 text-ink-2">
        申请编号 <CopyButton text={requestSn} label="申请编号" />
      </p>
      <p className="flex gap-2">
        <ButtonLink to="/">回到首页</ButtonLink>
        <Button onClick={onAgain}>再提交一份</Button>
      </p>
    </div>
  );
}

function RequestForm({ onSent }: { onSent: (requestSn: string) => void }) {
  const { form, errors, busy, submit } = useMutation(
    (target: HTMLFormElement, options) =>
      call(
        setDistBus,
        {
          kind: (businessKinds.find((key) => key === typed(target, 'kind')) ?? 'other') as 'other',
          company: typed(target, 'company').trim(),
          name: typed(target, 'name').trim(),
          phone: typed(target, 'phone').trim(),
          contact: typed(target, 'contact').trim(),
          content: typed(target, 'content').trim(),
        },
        options,
      ),
    {
      draft: 'cooperation',
      fields: ['kind', 'company', 'name', 'phone', 'contact', 'content'],
      check: missing,
      done: ({ requestSn }) => {
        onSent(requestSn);
        return true;
      },
    },
  );
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <Field label="合作类型" required error={errors.kind}>
        {(control) => (
          <Select {...control} name="kind" defaultValue="">
            <option value="" disabled>
              请选择
            </option>
            {businessKinds.map((key) => (
              <option key={key} value={key}>
                {BUSINESS_NAMES[key]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField label="公司或店铺名称" name="company" isOptional maxLength={60} error={errors.company} />
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="联系人" name="name" autoComplete="name" maxLength={20} error={errors.name} />
        <TextField
          label="手机号"
          name="phone"
          type="tel"
          inputMode="numeric"
          autoComplete="tel"
          placeholder="11 位手机号"
          error={errors.phone}
        />
      </div>
      <TextField label="微信或 QQ" name="contact" holds="contact" isOptional maxLength={40} error={errors.contact} />
      <Field
        label="合作内容"
        required
        error={errors.content}
        help={`${MIN_TEXT} 到 ${MAX_TEXT} 个字，写明游戏、规模和希望的合作方式`}
      >
        {(control) => <Textarea {...control} name="content" rows={5} maxLength={MAX_TEXT} />}
      </Field>
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>提交申请</SubmitButton>
    </form>
  );
}

/** Business co-operation: a form that returns a reference number. */
export default function CooperationPage() {
  const [requestSn, setRequestSn] = useState<string | null>(null);
  return (
    <section className="panel my-6 p-4 md:p-8" aria-labelledby="business">
      <h1 id="business" className="text-20 font-semibold">
        商务合作
      </h1>
      <ul className="mt-2 mb-5 list-disc pl-5 text-13 text-ink-2">
        {PROMISES.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {requestSn ? (
        <Sent requestSn={requestSn} onAgain={() => setRequestSn(null)} />
      ) : (
        <RequestForm onSent={setRequestSn} />
      )}
    </section>
  );
}
