import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { providerList, reviewProvider } from '#subjects/providers/contract/staff-providers.ts';
import type { Data } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { RecyclerLimit } from './recycler-limit.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '入驻审核', noindex: true });
}

const PAGE = 20;
const TABS = [
  { key: 'waiting', text: '待审核' },
  { key: 'approved', text: '已开通' },
  { key: 'suspended', text: '已暂停' },
  { key: 'refused', text: '未通过' },
  { key: 'all', text: '全部' },
] as const;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const search = args.url.searchParams;
  const tab = TABS.find(({ key }) => key === search.get('tab'))?.key ?? 'waiting';
  const page = Math.min(50, Math.max(1, Math.floor(Number(search.get('pages')) || 1)));
  const first = await request(providerList, {
    pageSize: PAGE,
    pages: page,
    ...(tab === 'waiting' ? { waiting: '1' as const } : tab === 'all' ? {} : { status: tab }),
  });
  return { first, tab, page, canDecide: staffCan(staff, 'provider.review') };
}

type Item = Data<typeof providerList>['list'][number];
type Decision = 'approve' | 'refuse' | 'suspend' | 'restore';
type Deciding = { item: Item; decision: Decision };

const DECISIONS: Readonly<Record<Decision, { title: string; button: string; done: string; question: string }>> = {
  approve: { title: '审核通过', button: '通过', done: '已通过', question: '通过后立即生效，对方会收到通知。' },
  refuse: { title: '审核驳回', button: '驳回', done: '已驳回', question: '对方能看到原因，修改后可以重新提交。' },
  suspend: {
    title: '暂停服务商',
    button: '暂停',
    done: '已暂停',
    question: '暂停后不能接新单，进行中的订单照常完成。',
  },
  restore: { title: '恢复服务商', button: '恢复', done: '已恢复', question: '恢复后可以继续接单。' },
};

const REASONS = [
  '联系方式无效，请核对后重新提交',
  '资料不完整，请补充经营凭证',
  '名称或介绍含有联系方式',
  '多次超时或被投诉',
  '语音不清楚、不是本人介绍或含有联系方式',
] as const;

const isPending = (item: Item): boolean =>
  item.status === 'reviewing' || item.pending.length + item.pendingPictures.length > 0 || item.pendingVoice !== null;

function Pictures({ list }: { list: Item['pictures'] }) {
  if (list.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {list.map(({ url, thumb }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <Picture src={thumb} alt="凭证" width={96} height={64} className="w-24" fallback={null} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Voice({ voice, label }: { voice: Item['voice']; label: string }) {
  if (voice === null) return null;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-2 text-13">
      <span className="text-ink-3">
        {label}（{voice.seconds} 秒）
      </span>
      {/* biome-ignore lint/a11y/useMediaCaption: what staff listen to has no text */}
      <audio controls preload="none" src={voice.url} className="h-9 max-w-full" aria-label={label} />
    </p>
  );
}

function Buttons({
  item,
  onDecide,
  onLimit,
}: {
  item: Item;
  onDecide: (decision: Decision) => void;
  onLimit: () => void;
}) {
  if (isPending(item))
    return (
      <>
        <Button size="sm" kind="danger" onClick={() => onDecide('refuse')}>
          驳回
        </Button>
        <Button size="sm" kind="primary" onClick={() => onDecide('approve')}>
          通过
        </Button>
      </>
    );
  if (item.status === 'approved')
    return (
      <>
        {item.dayLimit !== null && (
          <Button size="sm" onClick={onLimit}>
            调整额度
          </Button>
        )}
        <Button size="sm" kind="danger" onClick={() => onDecide('suspend')}>
          暂停
        </Button>
      </>
    );
  if (item.status === 'suspended')
    return (
      <Button size="sm" onClick={() => onDecide('restore')}>
        恢复
      </Button>
    );
  return null;
}

function Card({
  item,
  canDecide,
  onDecide,
  onLimit,
}: {
  item: Item;
  canDecide: boolean;
  onDecide: (d: Deciding) => void;
  onLimit: (item: Item) => void;
}) {
  return (
    <li className="border-b border-line-soft px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
        <Tag>{item.kindName}</Tag>
        <b className="font-semibold">{item.name}</b>
        <Tag {...(item.status === 'approved' ? { tone: 'safe' as const } : { tone: 'attn' as const })}>
          {item.statusName}
        </Tag>
        {item.status === 'approved' && isPending(item) && <Tag tone="attn">资料修改</Tag>}
        <UserLink id={item.userId} className="text-ink-2">
          {item.nickName}
        </UserLink>
        <time dateTime={item.createTime} title={fullAt(item.createTime)} className="text-12 text-ink-3">
          {shortAt(item.createTime)} 申请，{item.distName}
        </time>
        {canDecide ? (
          <span className="ml-auto flex gap-2">
            <Buttons item={item} onDecide={(decision) => onDecide({ item, decision })} onLimit={() => onLimit(item)} />
          </span>
        ) : (
          (item.status === 'reviewing' || isPending(item)) && (
            <span className="ml-auto text-12 text-ink-3">由审核人员处理</span>
          )
        )}
      </div>
      <p className="mt-1.5 text-13 text-ink-2">
        {item.games.join('、')}；联系方式 {item.contact || '未填'}；保证金 <Amount yuan={item.deposit} />
        {item.levelName && `（${item.levelName}）`}；完成 {item.doneNum} 单
        {item.dayLimit !== null && (
          <>
            ；每日额度 <Amount yuan={item.dayLimit} />
          </>
        )}
      </p>
      {item.intro && <p className="mt-1 max-w-180 text-13 text-ink-3">{item.intro}</p>}
      {item.reviewNote && <p className="mt-1 text-12 text-ink-3">上次意见：{item.reviewNote}</p>}
      <Pictures list={item.pictures} />
      <Voice voice={item.voice} label="语音" />
      {item.pending.map(({ label, before, after }) => (
        <p key={label} className="mt-1.5 text-13">
          <span className="text-ink-3">{label}：</span>
          <del className="text-ink-3">{before || '空'}</del> → <ins className="no-underline">{after || '空'}</ins>
        </p>
      ))}
      <Pictures list={item.pendingPictures} />
      <Voice voice={item.pendingVoice} label="新语音" />
    </li>
  );
}

function DecideDialog({ deciding, onDone, onClose }: { deciding: Deciding; onDone: () => void; onClose: () => void }) {
  const { item, decision } = deciding;
  const { title, button, question } = DECISIONS[decision];
  const needsReason = decision === 'refuse' || decision === 'suspend';
  return (
    <ReasonDialog
      title={title}
      action={button}
      danger={needsReason}
      question={`${item.kindName}「${item.name}」。${question}`}
      {...(needsReason && { reasonLabel: '原因', reasons: REASONS, isReasonNeeded: true })}
      send={(reason) =>
        call(
          reviewProvider,
          { id: item.id, decision, updateMark: item.updateMark, ...(reason && { reason }) },
          { quiet: true },
        )
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Shops, boosters and companions: pending applications and changes, and the roles themselves. */
export default function ProvidersPage() {
  const { first, tab, page, canDecide } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [limiting, setLimiting] = useState<Item | null>(null);
  return (
    <>
      <div className="admin-head">
        <h1>入驻审核</h1>
        <p>店铺、代练、陪玩、金币回收商的申请与资料修改</p>
      </div>
      <section className="panel overflow-hidden" aria-label="入驻申请">
        <StatusTabs name="tab" label="状态" items={TABS} />
        {first.list.length === 0 ? (
          <EmptyState title={tab === 'waiting' ? '没有待审核的申请' : '这里没有记录'}>新的申请会排在这里。</EmptyState>
        ) : (
          <>
            <ul>
              {first.list.map((item) => (
                <Card key={item.id} item={item} canDecide={canDecide} onDecide={setDeciding} onLimit={setLimiting} />
              ))}
            </ul>
            <Pagination
              page={page}
              pages={Math.ceil(first.total / PAGE)}
              hrefOf={(to) => `/backstage/providers?tab=${tab}&pages=${to}`}
            />
          </>
        )}
      </section>
      {limiting !== null && limiting.dayLimit !== null && (
        <RecyclerLimit
          item={{ ...limiting, dayLimit: limiting.dayLimit }}
          onClose={() => setLimiting(null)}
          onDone={() => {
            toast('额度已调整，已通知回收商', 'ok');
            setLimiting(null);
            void revalidate();
          }}
        />
      )}
      {deciding && (
        <DecideDialog
          deciding={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            toast(DECISIONS[deciding.decision].done, 'ok');
            setDeciding(null);
            void revalidate();
          }}
        />
      )}
    </>
  );
}
