import { PublicationStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { publishCase, saveCase, type staffCaseInfo } from '#subjects/content/contract/staff-content.ts';
import { caseKinds } from '#subjects/content/contract/content.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { CASE_NAMES } from '../../web/names.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ArticleForm } from './article-form.tsx';

const LIST = '/backstage/cases';

type Form = Record<'code' | 'distId' | 'title' | 'summary' | 'amount' | 'result' | 'happenedDay' | 'body', string> & {
  kind: (typeof caseKinds)[number];
};

function formOf(item: Data<typeof staffCaseInfo>['item']): Form {
  return {
    code: item?.code ?? '',
    distId: item?.distId ? String(item.distId) : '',
    kind: item?.kind ?? 'claim',
    title: item?.title ?? '',
    summary: item?.summary ?? '',
    amount: item?.amount ?? '',
    result: item?.result ?? '',
    happenedDay: item?.happenedDay ?? '',
    body: item?.body ?? '# 经过\n\n# 处理\n\n# 怎样避免\n',
  };
}

/** The short fields of a case; personal names and numbers do not belong here. */
function DetailFields({ form, set }: { form: Form; set: (change: Partial<Form>) => void }) {
  const textField = (label: string, name: keyof Form, max: number, more: object = {}, required = false) => (
    <Field label={label} required={required}>
      {(control) => (
        <Input
          {...control}
          {...more}
          maxLength={max}
          value={form[name]}
          onChange={(e) => set({ [name]: e.target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-4 md:grid-cols-4">
      <div className="md:col-span-2">{textField('标题', 'title', 60, {}, true)}</div>
      {textField('代码', 'code', 40, {}, true)}
      <Field label="类型" required>
        {(control) => (
          <Select
            {...control}
            value={form.kind}
            onChange={(e) => set({ kind: caseKinds.find((key) => key === e.target.value) ?? 'other' })}
          >
            {caseKinds.map((key) => (
              <option key={key} value={key}>
                {CASE_NAMES[key]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {textField('涉及金额（元）', 'amount', 12, { inputMode: 'decimal' })}
      {textField('处理结果', 'result', 60)}
      {textField('发生日期', 'happenedDay', 10, { type: 'date' })}
    </div>
  );
}

/** Editor of a new or an existing case. */
export function CaseForm({ data }: { data: Data<typeof staffCaseInfo> }) {
  const { item, sites } = data;
  const navigate = useNavigate();
  const [form, setForm] = useState(() => formOf(item));
  const { busy, error, send } = useMutation(
    async (publish: boolean, options) => {
      const { id } = await call(
        saveCase,
        { ...form, ...(item && { id: item.id, gameId: item.gameId ?? undefined }) },
        options,
      );
      if (publish) await call(publishCase, { id, act: 'publish' }, options);
    },
    {
      check: () => ({
        send: form.title.trim().length < 2 || form.summary.trim().length < 2 ? '请填写标题和摘要' : undefined,
      }),
      done: async (_, publish) => {
        toast(publish ? '已发布' : '已保存', 'ok');
        await navigate(LIST);
      },
    },
  );
  const set = (change: Partial<Form>) => setForm({ ...form, ...change });

  return (
    <ArticleForm
      name="案例"
      path={LIST}
      isNew={item === null}
      isPublished={item?.status === PublicationStatus.Published}
      note="请先去除姓名、号码和订单编号"
      form={form}
      set={set}
      needsSummary
      sites={sites}
      busy={busy}
      error={error}
      send={send}
    >
      <DetailFields form={form} set={set} />
    </ArticleForm>
  );
}
