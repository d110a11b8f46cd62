import { Webhook } from 'lucide-react';
import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { WEBHOOK_EVENTS, type WebhookEvent, webhookEvents } from '../rules/webhooks.ts';
import {
  webhookCreate,
  type WebhookItem,
  webhookRemove,
  webhookTest,
  webhookUpdate,
} from '#subjects/open-api/contract/webhooks.ts';
import { call } from '#web/lib/api/api.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, withChoice } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { SecretDialog } from './secret-dialog.tsx';

const STATUS = { on: '推送中', off: '已关闭', disabled: '已停用' } as const;

/** Checks an address before the step-up; the server checks the rest. */
function urlProblem(url: string): string | undefined {
  if (url === '') return '请填写推送地址';
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? undefined : '请填写以 https:// 开头的完整网址';
}

function Events({
  chosen,
  isInvalid,
  onChange,
}: {
  chosen: readonly WebhookEvent[];
  isInvalid: true | undefined;
  onChange: (event: WebhookEvent, isChosen: boolean) => void;
}) {
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {webhookEvents.map((event) => (
        <Checkbox
          key={event}
          name="event"
          value={event}
          checked={chosen.includes(event)}
          aria-invalid={isInvalid}
          onChange={(change) => onChange(event, change.target.checked)}
        >
          {WEBHOOK_EVENTS[event]}
          <small className="block text-12 text-ink-3">{event}</small>
        </Checkbox>
      ))}
    </div>
  );
}

/** A new address, or the events of an existing one. */
function EndpointForm({
  item,
  onMade,
  onClose,
}: {
  item: WebhookItem | null;
  onMade: (made: Data<typeof webhookCreate>) => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [chosen, setChosen] = useState<readonly WebhookEvent[]>(item?.events ?? webhookEvents);
  // Several checkboxes may change before the next render, when a draft is restored.
  const choose = (event: WebhookEvent, isChosen: boolean) => setChosen((now) => withChoice(now, event, isChosen));
  const { form, busy, errors, submit } = useMutation(
    async ({ url, events }: { url: string; events: WebhookEvent[] }, options) => {
      if (item) return void (await call(webhookUpdate, { endpointId: item.endpointId, events }, options));
      return await withStepUp('apiKey', () => call(webhookCreate, { url, events }, options));
    },
    {
      ...(item === null && { draft: 'webhook' }),
      fields: ['url', 'events'],
      check: ({ url, events }) => ({
        url: item ? undefined : urlProblem(url.trim()),
        events: events.length === 0 ? '请至少选择一个事件' : undefined,
      }),
      done: (made) => {
        if (made) return onMade(made);
        toast('已保存', 'ok');
        return onClose();
      },
      revalidates: true,
    },
  );
  return (
    <Dialog
      title={item ? '修改事件' : '新增推送地址'}
      busy={busy}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <BackButton disabled={busy}>取消</BackButton>
          <Button kind="primary" type="submit" form={formId} busy={busy}>
            保存
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className="grid gap-4"
        noValidate
        onSubmit={submit((element) => ({ url: item ? item.url : textsOf(element)('url'), events: [...chosen] }))}
      >
        {item ? (
          <p className="text-13 break-all text-ink-3">{item.url}</p>
        ) : (
          <Field
            label="推送地址"
            required
            error={errors.url}
            help="公网可访问的 https 地址，5 秒内返回 2xx 即视为收到。"
          >
            {(control) => (
              <Input
                {...control}
                name="url"
                type="url"
                inputMode="url"
                maxLength={300}
                placeholder="https://example.com/youshi"
              />
            )}
          </Field>
        )}
        <FieldGroup legend="事件" error={errors.events}>
          {(isInvalid) => <Events chosen={chosen} isInvalid={isInvalid} onChange={choose} />}
        </FieldGroup>
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}

function Trouble({ item }: { item: WebhookItem }) {
  if (item.status === 'disabled')
    return (
      <p className="text-12 text-danger">
        {item.isGone ? '对方返回了 410，表示不再接收，已停用。' : '连续 3 天没有成功接收，已自动停用。'}
        修好后请重新开启，并在下方补发没收到的事件。
      </p>
    );
  if (item.status === 'on' && item.fails > 0)
    return (
      <p className="text-12 text-attn">
        连续失败 {item.fails} 次{item.failingSince && `，从 ${fullAt(item.failingSince)} 开始`}
        {item.pausedUntil && `；暂停推送，${fullAt(item.pausedUntil)} 再试`}
      </p>
    );
  return null;
}

function EndpointRow({ item, onEdit }: { item: WebhookItem; onEdit: () => void }) {
  const [isRemoving, setRemoving] = useState(false);
  const { revalidate } = useRevalidator();
  const { endpointId, status } = item;
  const test = useMutation(webhookTest, {
    toasts: true,
    done: () => toast('测试事件已发出，结果会显示在下方', 'ok'),
    revalidates: true,
  });
  const turn = useMutation(webhookUpdate, { toasts: true, revalidates: true });
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <p className="flex flex-wrap items-center gap-2 text-14">
          <span className="min-w-0 break-all">{item.url}</span>
          <Tag
            {...(status === 'on' ? { tone: 'safe' as const } : status === 'disabled' ? { tone: 'attn' as const } : {})}
          >
            {STATUS[status]}
          </Tag>
        </p>
        <p className="text-12 text-ink-3">
          {item.events.length === webhookEvents.length
            ? '全部事件'
            : item.events.map((event) => WEBHOOK_EVENTS[event]).join('、')}
        </p>
        <Trouble item={item} />
      </div>
      <div className="flex flex-wrap gap-2">
        {status === 'on' && (
          <Button size="sm" busy={test.busy} onClick={() => void test.send({ endpointId })}>
            发送测试
          </Button>
        )}
        <Button size="sm" onClick={onEdit}>
          修改事件
        </Button>
        <Button size="sm" busy={turn.busy} onClick={() => void turn.send({ endpointId, on: status !== 'on' })}>
          {status === 'on' ? '关闭' : '开启'}
        </Button>
        <Button size="sm" kind="danger" onClick={() => setRemoving(true)}>
          删除
        </Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title="删除推送地址"
          action="删除"
          danger
          question="还没送达的事件不再推送，签名密码同时作废。"
          send={(_reason, options) => call(webhookRemove, { endpointId }, options)}
          onDone={() => {
            setRemoving(false);
            void revalidate();
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}

/** The addresses that receive events. */
export function Webhooks({ list }: { list: readonly WebhookItem[] }) {
  const [open, setOpen] = useState<WebhookItem | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const add = (
    <Button kind="primary" onClick={() => setOpen('new')}>
      新增地址
    </Button>
  );
  return (
    <>
      {list.length === 0 ? (
        <EmptyState title="还没有推送地址" icon={<Webhook className="icon size-8" strokeWidth={1.25} />} action={add}>
          商品过审、买家付款时，平台会立即通知您的程序，不用反复查询。
        </EmptyState>
      ) : (
        <>
          <div className="flex items-center justify-between gap-3 border-b border-line-soft px-4 py-3">
            <p className="text-13 text-ink-3">没收到的事件会在两天内自动重试，同一事件的编号不变。</p>
            {add}
          </div>
          <ul>
            {list.map((item) => (
              <EndpointRow key={item.endpointId} item={item} onEdit={() => setOpen(item)} />
            ))}
          </ul>
        </>
      )}
      {open !== null && (
        <EndpointForm
          item={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onMade={(made) => {
            setOpen(null);
            setSecret(made.secret);
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog title="请保存签名密码" rows={[['签名密码', secret]]} onClose={() => setSecret(null)} />
      )}
    </>
  );
}
