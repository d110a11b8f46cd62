import { useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../rules/webhooks.ts';
import {
  type DeliveryItem,
  deliveryStatuses,
  webhookDeliveries,
  webhookDelivery,
  webhookReplay,
} from '#subjects/open-api/contract/webhooks.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { poll } from '#web/lib/api/poll.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState, ErrorState, Skeleton } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Detail = Data<typeof webhookDelivery>;
type Status = DeliveryItem['status'];

const STATUS: Readonly<Record<Status, { name: string; tone?: 'safe' | 'attn' }>> = {
  waiting: { name: '等待推送', tone: 'attn' },
  sent: { name: '已送达', tone: 'safe' },
  failed: { name: '推送失败', tone: 'attn' },
  stopped: { name: '未推送' },
};

const NAMES: Readonly<Record<string, string>> = { ...WEBHOOK_EVENTS, [TEST_EVENT]: '测试事件' };

const POLL_MS = 2000;
/** By then an event was sent or has a time for its next attempt; one for an address that is paused waits longer. */
const MAX_POLLS = 15;

const CODE = 'overflow-x-auto rounded-control bg-sunken p-2.5 text-12 whitespace-pre-wrap break-all';

/** Body and attempts of an event, loaded when it is expanded. */
function Attempts({ deliveryId, status }: { deliveryId: number; status: Status }) {
  const [detail, setDetail] = useState<Detail | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    call(webhookDelivery, { deliveryId }, { quiet: true }).then(setDetail, (thrown: unknown) =>
      setProblem(readFailureMessage(asFailure(thrown))),
    );
  }, [deliveryId, status, round]);
  if (problem !== null)
    return (
      <ErrorState
        message={problem}
        onRetry={() => {
          setProblem(null);
          setRound(round + 1);
        }}
      />
    );
  if (!detail) return <Skeleton className="mt-3 h-24" />;
  return (
    <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-12 text-ink-3">
        事件编号 <CopyButton text={detail.publicId} label="事件编号" className="font-mono break-all" />
      </p>
      <pre className={CODE}>{JSON.stringify(JSON.parse(detail.body), null, 2)}</pre>
      {detail.tries.map((one) => (
        <div key={one.tryTime} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <p className="text-12 text-ink-3">
            {fullAt(one.tryTime)}，{one.ms} 毫秒，
            <span className={one.failure === null ? 'text-safe' : 'text-danger'}>
              {one.failure ?? `HTTP ${one.status}`}
            </span>
          </p>
          <details>
            <summary className="w-fit cursor-pointer text-12 text-link">请求头与响应</summary>
            <pre className={`${CODE} mt-1.5`}>{one.requestHead}</pre>
            {one.responseHead !== '' && <pre className={`${CODE} mt-1.5`}>{one.responseHead}</pre>}
          </details>
        </div>
      ))}
    </div>
  );
}

function Row({ item, isFiltered }: { item: DeliveryItem; isFiltered: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { revalidate } = useRevalidator();
  const { busy, send } = useMutation(webhookReplay, {
    toasts: true,
    done: () => {
      // Among those of one state the event is gone: it waits now.
      toast(isFiltered ? '正在重新推送，结果在「全部」里看' : '正在重新推送，结果会显示在这里', 'ok');
      void revalidate();
    },
  });
  const { name, tone } = STATUS[item.status];
  return (
    <li className="border-b border-line-soft px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
          <p className="flex flex-wrap items-center gap-2 text-14">
            {NAMES[item.event] ?? item.event}
            <Tag {...(tone && { tone })}>{name}</Tag>
          </p>
          <p className="truncate text-12 text-ink-3" title={item.url}>
            {fullAt(item.createTime)}，{item.url}
          </p>
          {/* After a replay the attempts are counted from zero, while the last failure is still the earlier one. */}
          {item.status !== 'sent' && item.attempts > 0 && item.lastFailure !== null && (
            <p className="text-12 text-attn">
              第 {item.attempts} 次：{item.lastFailure}
              {item.nextTime && `，${fullAt(item.nextTime)} 再试`}
            </p>
          )}
        </div>
        <div className="flex gap-2">
          <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起' : '详情'}
          </Button>
          <Button size="sm" busy={busy} onClick={() => void send({ deliveryId: item.deliveryId })}>
            {item.status === 'waiting' ? '立即重试' : '重新推送'}
          </Button>
        </div>
      </div>
      {isOpen && <Attempts deliveryId={item.deliveryId} status={item.status} />}
    </li>
  );
}

/** Reloads the page while an event is being delivered. */
function useSending(list: readonly DeliveryItem[]): void {
  const { revalidate } = useRevalidator();
  const isSending = list.some(({ status, nextTime }) => status === 'waiting' && nextTime === null);
  useEffect(() => {
    if (!isSending) return undefined;
    return poll({
      request: revalidate,
      isEnd: () => false,
      onGiveUp: () => undefined,
      everyMs: POLL_MS,
      max: MAX_POLLS,
    });
  }, [isSending, revalidate]);
}

/** Sent events with their outcome, newest first. */
export function Deliveries({ first, status }: { first: Data<typeof webhookDeliveries>; status: Status | undefined }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(webhookDeliveries, { cursor, ...(status && { status }) }, { quiet: true }),
    ({ deliveryId }) => deliveryId,
  );
  // Reloading would remove the pages loaded after the first one.
  useSending(items.length > first.list.length ? [] : first.list);
  return (
    <section className="panel mt-4" aria-labelledby="deliveries">
      <div className="panel-head">
        <h2 id="deliveries">推送记录</h2>
        <p>保留 30 天</p>
      </div>
      <LinkTabs
        label="推送状态"
        items={[
          { key: 'all', label: '全部', to: '?tab=webhooks', isCurrent: status === undefined },
          ...deliveryStatuses.map((key) => ({
            key,
            label: STATUS[key].name,
            to: `?tab=webhooks&status=${key}`,
            isCurrent: status === key,
          })),
        ]}
      />
      {items.length === 0 ? (
        <EmptyState title="没有推送记录">有了推送地址后，可以先点「发送测试」看看能否收到。</EmptyState>
      ) : (
        <>
          <ul>
            {items.map((item) => (
              <Row key={item.deliveryId} item={item} isFiltered={status !== undefined} />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}
