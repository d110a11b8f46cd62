import { CampaignStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  type CampaignPhase,
  openCampaign,
  type StaffCampaign,
  staffCampaignList,
  staffLottery,
  stopCampaign,
} from '#subjects/promotions/contract/staff-campaigns.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText, grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { shortAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { minimumText, shortYuan } from '../web/parts/promo/coupon-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { LotteryPanel } from './campaign/lottery-panel.tsx';
import { NewCampaign } from './campaign/new-campaign.tsx';
import { FilterBar, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '优惠活动', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const statusParam = args.url.searchParams.get('status') ?? '';
  const query = { pageSize: 30, ...(/^[0-2]$/.test(statusParam) && { status: Number(statusParam) }) };
  const distId = args.url.searchParams.get('distId') || undefined;
  const [first, lottery] = await Promise.all([request(staffCampaignList, query), request(staffLottery, { distId })]);
  return {
    first,
    lottery,
    query,
    canManage: staffCan(staff, 'coupon.manage'),
    canOpen: staffCan(staff, 'coupon.open'),
  };
}

type CampaignAction = { kind: 'open' | 'stop'; item: StaffCampaign } | { kind: 'new' };

const TONES: Readonly<Record<CampaignPhase, 'attn' | 'safe' | undefined>> = {
  pending: 'attn',
  ahead: 'attn',
  running: 'safe',
  over: undefined,
  stopped: undefined,
};

function Row({
  item,
  canManage,
  canOpen,
  onAction,
}: {
  item: StaffCampaign;
  canManage: boolean;
  canOpen: boolean;
  onAction: (action: CampaignAction) => void;
}) {
  const tone = TONES[item.phase];
  return (
    <tr>
      <td data-wide="">
        <b className="font-medium">{item.name}</b>
        <span className="block text-12 text-ink-3">
          {item.code} · {item.kindName} {shortYuan(item.amount)} 元，{minimumText(item.minimum)}
          {item.oddsPercent !== null && ` · 抽奖 ${item.oddsPercent}%`}
          {item.distName && ` · 只在${item.distName}`}
        </span>
      </td>
      <td className="num" data-label="剩余">
        {grouped(item.left)} / {grouped(item.total)}
      </td>
      <td className="num" data-label="已用">
        {grouped(item.used)}
      </td>
      <td className="num" data-label="支出">
        <Amount yuan={item.spent} />
        <span className="block text-12 text-ink-3">
          上限 <Amount yuan={item.budget} />
        </span>
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3" data-label="时间">
        {shortAt(item.startTime)}
        <span className="block">至 {shortAt(item.endTime)}</span>
      </td>
      <td>
        <Tag {...(tone && { tone })}>{item.statusName}</Tag>
        {item.stopReason ? (
          <span className="block text-12 text-ink-3">{item.stopReason}</span>
        ) : (
          <span className="block text-12 whitespace-nowrap text-ink-3">{item.createdBy}</span>
        )}
      </td>
      <td className="num whitespace-nowrap">
        {canOpen && item.status === CampaignStatus.Pending && (
          <Button size="sm" disabled={item.isMine} onClick={() => onAction({ kind: 'open', item })}>
            复核开放
          </Button>
        )}
        {canManage && item.phase !== 'stopped' && item.phase !== 'over' && (
          <Button size="sm" kind="ghost" onClick={() => onAction({ kind: 'stop', item })}>
            停止
          </Button>
        )}
        {canOpen && item.status === CampaignStatus.Pending && <OtherPerson isMine={item.isMine} label="您已创建" />}
      </td>
    </tr>
  );
}

function ActionDialog({
  action,
  onDone,
  onClose,
}: {
  action: Exclude<CampaignAction, { kind: 'new' }>;
  onDone: () => void;
  onClose: () => void;
}) {
  const { kind, item } = action;
  const stops = kind === 'stop';
  return (
    <ReasonDialog
      title={stops ? '停止优惠活动' : '复核开放优惠活动'}
      action={stops ? '停止' : '开放'}
      danger={stops}
      question={
        stops ? (
          `停止后不再发放「${item.name}」，已领取的优惠券仍可使用。`
        ) : (
          <>
            「{item.name}」最多支出 <Amount yuan={item.budget} className="font-semibold" />
            ，开放后立即可领。
          </>
        )
      }
      {...(stops && { reasonLabel: '停止原因', isReasonNeeded: true })}
      send={async (reason) => {
        const { campaignId } = item;
        await (stops
          ? call(stopCampaign, { campaignId, reason }, { quiet: true })
          : call(openCampaign, { campaignId }, { quiet: true }));
        toast(stops ? '已停止' : '已开放', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Coupon campaigns and the lottery's prizes: their value, budget, who created them and who opened them. */
export default function CampaignsPage() {
  const { first, lottery, query, canManage, canOpen } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [action, setAction] = useState<CampaignAction | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffCampaignList, { ...query, cursor }, { quiet: true }),
    ({ campaignId }) => campaignId,
  );
  const close = () => setAction(null);
  const done = () => {
    close();
    void revalidate();
  };
  return (
    <>
      <div className="admin-head">
        <h1>优惠活动</h1>
        <p>{countText(first.total, first.totalCapped)} 个</p>
        <div className="ml-auto flex gap-2 max-lg:ml-0">
          <FilterBar names={['status']}>
            <FilterSelect
              name="status"
              label="状态"
              all="全部状态"
              options={[
                [0, '待复核'],
                [1, '进行中与已结束'],
                [2, '已停止'],
              ]}
            />
          </FilterBar>
          {canManage && (
            <Button kind="primary" size="sm" onClick={() => setAction({ kind: 'new' })}>
              新建活动
            </Button>
          )}
        </div>
      </div>
      <LotteryPanel lottery={lottery} />
      <section className="panel overflow-hidden" aria-label="优惠活动">
        {items.length === 0 ? (
          <EmptyState title="没有优惠活动">新建后，用户可在领券页领取或抽奖获得。</EmptyState>
        ) : (
          <>
            <AdminTable
              columns={['活动', { num: '剩余' }, { num: '已用' }, { num: '支出' }, '时间', '状态', { num: '操作' }]}
            >
              {items.map((item) => (
                <Row key={item.campaignId} item={item} canManage={canManage} canOpen={canOpen} onAction={setAction} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {action?.kind === 'new' && (
        <NewCampaign limit={first.secondPerson} sites={first.sites} onDone={done} onClose={close} />
      )}
      {action && action.kind !== 'new' && <ActionDialog action={action} onDone={done} onClose={close} />}
    </>
  );
}
