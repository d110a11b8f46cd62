import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react';
import { blocksOf } from '../../rules/article.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { Unsaved } from '#subjects/back-office/staff/parts/unsaved.tsx';
import { BodyField } from './body-field.tsx';
import { SiteSelect } from '#subjects/back-office/staff/parts/form/site-select.tsx';

/** The fields that every article has. */
interface Common {
  summary: string;
  distId: string;
  body: string;
}

/** The form of an article. Its specific fields are the children; summary, site, body and the two ways to save are common. */
export function ArticleForm({
  name,
  path,
  isNew,
  isPublished,
  note,
  form,
  set,
  needsSummary = false,
  sites,
  busy,
  error,
  errors = {},
  formRef,
  keepsDrafts = false,
  beside,
  send,
  children,
}: {
  /** Name of the article type: 公告, 案例. */
  name: string;
  /** URL of its list. */
  path: string;
  isNew: boolean;
  isPublished: boolean;
  note?: string | undefined;
  form: Common;
  set: (change: Partial<Common>) => void;
  needsSummary?: boolean;
  sites: ComponentProps<typeof SiteSelect>['sites'];
  busy: boolean;
  error: string | null;
  /** Errors shown next to the fields. */
  errors?: FormErrors;
  formRef?: RefObject<HTMLFormElement | null>;
  /** A published article can be saved without changing what readers see. */
  keepsDrafts?: boolean;
  /** Content shown next to the buttons. */
  beside?: ReactNode;
  send: (publish: boolean) => Promise<unknown>;
  children: ReactNode;
}) {
  const [saved] = useState(form);
  const problem = form.body === '' ? undefined : blocksOf(form.body);
  return (
    <>
      <BackHead to={path} name={name}>
        <h1>{isNew ? `新建${name}` : `编辑${name}`}</h1>
        {note && <p>{note}</p>}
      </BackHead>
      <Unsaved saved={saved} entered={form} busy={busy} />
      <form
        ref={formRef}
        noValidate
        className="panel grid gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send(false);
        }}
      >
        {children}
        <div className="grid gap-4 md:grid-cols-4">
          <Field label="摘要" required={needsSummary} error={errors.summary} className="md:col-span-3">
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={200}
                value={form.summary}
                onChange={(e) => set({ summary: e.target.value })}
              />
            )}
          </Field>
          <SiteSelect sites={sites} value={form.distId} error={errors.distId} onChange={(distId) => set({ distId })} />
        </div>
        <BodyField
          value={form.body}
          error={errors.body || (typeof problem === 'string' ? problem : undefined)}
          onChange={(body) => set({ body })}
        />
        <div className="flex flex-wrap items-center gap-3">
          {beside}
          <span className="ml-auto flex items-center gap-2">
            <FormError>{error}</FormError>
            <Button type="submit" busy={busy}>
              {!isPublished ? '保存草稿' : keepsDrafts ? '存为草稿版' : '保存'}
            </Button>
            {(!isPublished || keepsDrafts) && (
              <Button kind="primary" busy={busy} onClick={() => void send(true)}>
                保存并发布
              </Button>
            )}
          </span>
        </div>
      </form>
    </>
  );
}
