import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  passkeyList,
  passkeyOptions,
  passkeyRegister,
  passkeyRemove,
} from '#subjects/back-office/contract/passkeys.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { removalBar, removalQuestion } from '../rules/passkey-text.ts';
import { market } from '#web/lib/pages/context.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { createPasskey } from '#web/lib/session/passkey.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的通行密钥', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(passkeyList, {});
}

/** The form for a new passkey; the first one asks for a code, the others for a step-up. */
function AddForm({ isFirst, onDone }: { isFirst: boolean; onDone: () => void }) {
  const { form, errors, busy, submit } = useMutation(
    async (element: HTMLFormElement, options) => {
      const { options: asked } = await call(passkeyOptions, { purpose: 'register' }, options);
      const response = await createPasskey(asked);
      const code = isFirst ? { code: typed(element, 'code') } : {};
      return await call(passkeyRegister, { name: typed(element, 'name').trim(), ...code, response }, options);
    },
    {
      fields: ['name', 'code'],
      check: (element) => ({
        name: typed(element, 'name').trim() ? undefined : '请给它起个名字，如「办公电脑」',
        code: !isFirst || /^\d{6}$/.test(typed(element, 'code')) ? undefined : '请输入 6 位动态码',
      }),
      done: () => {
        toast('已登记，下次可以直接用它登录', 'ok');
        onDone();
      },
    },
  );
  return (
    <form ref={form} method="post" noValidate className="grid max-w-90 gap-4" onSubmit={submit((element) => element)}>
      <TextField label="名称" name="name" maxLength={20} placeholder="如：办公电脑" error={errors.name} />
      {isFirst && (
        <TextField
          label="动态码"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          placeholder="6 位数字"
          error={errors.code}
          help="登记第一个通行密钥时确认是您本人"
        />
      )}
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>登记通行密钥</SubmitButton>
    </form>
  );
}

type Passkey = Data<typeof passkeyList>['list'][number];

/** One passkey; its removal is asked first, and not offered for the last one of those who need one. */
function Row({ one, isLast, isRequired }: { one: Passkey; isLast: boolean; isRequired: boolean }) {
  const { revalidate } = useRevalidator();
  const [isAsked, setAsked] = useState(false);
  const bar = removalBar({ isLast, isRequired });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 grow">
        <b className="font-medium">{one.name}</b>
        {one.isSynced && <Tag className="ml-2">已同步</Tag>}
        <span className="block text-12 text-ink-3">
          {fullAt(one.createTime)} 登记，{one.lastTime ? `最近使用 ${fullAt(one.lastTime)}` : '还没有用过'}
          {bar && `。${bar}`}
        </span>
      </span>
      {bar === null && (
        <Button size="sm" kind="danger" aria-label={`移除 ${one.name}`} onClick={() => setAsked(true)}>
          移除
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title="移除通行密钥"
          action="移除"
          danger
          question={removalQuestion({ name: one.name, isLast })}
          send={(_, options) => call(passkeyRemove, { passkeyId: one.passkeyId }, options)}
          onDone={() => {
            setAsked(false);
            toast('已移除', 'ok');
            void revalidate();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </li>
  );
}

/** The passkeys of the member of staff who is logged in. */
export default function PasskeysPage() {
  const { list, isRequired } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [round, setRound] = useState(0);
  const done = () => {
    setRound(round + 1);
    void revalidate();
  };
  return (
    <div className="grid max-w-180 gap-4">
      <h1 className="text-20 font-semibold">我的通行密钥</h1>
      <section className="panel grid gap-3 p-4" aria-label="已登记的通行密钥">
        <p className="text-13 text-ink-2">
          通行密钥用这台设备的指纹、面容或 PIN 登录，不用输密码和动态码，假冒的网站也用不了它。
          {isRequired && '您的角色会动用资金，必须用它登录和确认；建议登记两个，放在不同的设备上。'}
        </p>
        {list.length === 0 ? (
          <EmptyState title="还没有通行密钥">在下面登记第一个。</EmptyState>
        ) : (
          <ul className="grid divide-y divide-line">
            {list.map((one) => (
              <Row key={one.passkeyId} one={one} isLast={list.length === 1} isRequired={isRequired} />
            ))}
          </ul>
        )}
      </section>
      <section className="panel grid gap-3 p-4" aria-label="登记新的通行密钥">
        <h2 className="text-16 font-semibold">登记新的</h2>
        <AddForm key={round} isFirst={list.length === 0} onDone={done} />
        <p className="text-12 text-ink-3">
          全部丢失时，请两位管理员在「员工与角色」里为您找回，再用密码和动态码登录后重新登记。
        </p>
      </section>
    </div>
  );
}
