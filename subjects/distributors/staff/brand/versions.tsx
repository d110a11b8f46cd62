import { useState } from 'react';
import { staffBrandVersion, unplanBrand } from '#subjects/distributors/contract/staff-brands.ts';
import { brandFieldNames, changedFields } from '#subjects/distributors/contract/brand-content.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import type { BrandForm, BrandInfo } from './use-brand-form.ts';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

/** Asks for the reason, then makes a stored version live. */
function PublishDialog({
  info,
  form,
  version,
  onClose,
}: {
  info: BrandInfo;
  form: BrandForm;
  version: number;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [startTime, setStartTime] = useState('');
  const { publish } = form;
  const isDraft = version > info.live;
  const send = () => publish.send({ distId: info.distId, version, live: info.live, reason, startTime });
  return (
    <Dialog
      title={isDraft ? `发布第 ${version} 版` : `恢复第 ${version} 版`}
      busy={publish.busy}
      onClose={onClose}
      footer={
        <FormFooter busy={publish.busy} onSend={() => void send()}>
          {startTime ? '定时发布' : isDraft ? '发布' : '恢复'}
        </FormFooter>
      }
    >
      <p className="mb-3 text-13 text-ink-2">
        {isDraft
          ? '留空时间就马上发布，2 秒内全站生效。'
          : `第 ${version} 版的内容会成为新的一版，2 秒内全站生效；之后的版本都留着。`}
      </p>
      {isDraft && (
        <Field label="从何时起" help="北京时间" error={publish.errors.startTime} className="mb-3">
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={startTime}
              onChange={(e) => setStartTime(e.target.value)}
            />
          )}
        </Field>
      )}
      <Field label="原因" error={publish.errors.reason} required>
        {(control) => <Input {...control} value={reason} onChange={(e) => setReason(e.target.value)} />}
      </Field>
      <FormError>{publish.error}</FormError>
    </Dialog>
  );
}

/** Every saved version: who, when, why; can be loaded into the form, published, or restored. */
export function VersionSection({ info, form }: { info: BrandInfo; form: BrandForm }) {
  const [asking, setAsking] = useState<number | null>(null);
  const unplan = useMutation(unplanBrand, {
    revalidates: 'always',
    done: () => toast('已取消定时', 'ok'),
  });
  const load = useMutation(staffBrandVersion, {
    place: ({ version }) => String(version),
    done: ({ content }, { version }) => {
      const fields = changedFields(form.content, content).map((field) => brandFieldNames[field]);
      form.take(content);
      toast(fields.length === 0 ? '与现在填的相同' : `已填入第 ${version} 版：${fields.slice(0, 4).join('、')}`, 'ok');
    },
  });
  return (
    <Section id="versions" title="版本" note="发布后 2 秒内全站生效，任何一版都能恢复">
      {info.versions.length === 0 && <p className="text-13 text-ink-3">还没有改过，线上是安装时的设置</p>}
      {info.plan && (
        <div className="flex flex-wrap items-center gap-2 rounded-control bg-attn-bg px-3 py-2 text-13 text-attn">
          第 {info.plan.version} 版定于 {fullAt(info.plan.startTime)} 发布（{info.plan.staffName ?? '系统'}，
          {info.plan.reason}）
          {info.may.edit && (
            <Button
              size="sm"
              className="ml-auto"
              busy={unplan.busy}
              onClick={() => void unplan.send({ distId: info.distId })}
            >
              取消定时
            </Button>
          )}
          <FormError className="basis-full">{unplan.error}</FormError>
        </div>
      )}
      <ol className="grid gap-1">
        {info.versions.map((row) => (
          <li
            key={row.version}
            className="flex flex-wrap items-center gap-x-2 border-b border-line-soft py-1.5 text-13"
          >
            <b className="font-medium">第 {row.version} 版</b>
            {row.version === info.live && <Tag tone="safe">线上</Tag>}
            {row.version > info.live && <Tag tone="attn">未发布</Tag>}
            {row.restoredFrom !== null && <span className="text-12 text-ink-3">恢复自第 {row.restoredFrom} 版</span>}
            <span className="w-full text-12 text-ink-3">
              {row.staffName ?? '系统'} {fullAt(row.createTime)}，{row.reason}
            </span>
            {info.may.edit && row.version !== info.live && (
              <span className="flex gap-1">
                <Button
                  size="sm"
                  kind="ghost"
                  onClick={() => void load.send({ distId: info.distId, version: row.version })}
                >
                  填入表单
                </Button>
                <Button size="sm" kind="ghost" onClick={() => setAsking(row.version)}>
                  {row.version > info.live ? '发布' : '恢复'}
                </Button>
              </span>
            )}
            <FormError className="basis-full">{load.errors[row.version]}</FormError>
          </li>
        ))}
      </ol>
      {asking !== null && <PublishDialog info={info} form={form} version={asking} onClose={() => setAsking(null)} />}
    </Section>
  );
}
