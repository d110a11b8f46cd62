import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  decideReviewReport,
  type ReportedReview,
  staffReviewReports,
} from '#subjects/reviews/contract/staff-reviews.ts';
import { reviewReportStatusNames, reviewReportStatuses } from '../rules/review.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Stars } from '../web/parts/review/stars.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { At } from '#subjects/back-office/staff/list/at.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '评价举报', noindex: true });
}

const PAGE = 30;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const search = args.url.searchParams;
  const status = reviewReportStatuses.find((one) => one === search.get('status')) ?? 'waiting';
  const orderSn = search.get('orderSn') ?? '';
  const query = { status, pageSize: PAGE, ...(/^\d{8,32}$/.test(orderSn) && { orderSn }) };
  return { query, first: await request(staffReviewReports, query), may: staffCan(staff, 'review.decide') };
}

type ReviewAction = 'keep' | 'hide';
const REASONS: Readonly<Record<ReviewAction, readonly string[]>> = {
  hide: ['含联系方式或广告', '含辱骂、威胁或人身攻击', '泄露他人个人信息', '与本次交易无关'],
  keep: ['内容属于正常的交易评价', '举报理由与内容不符'],
};

function Reports({ item }: { item: ReportedReview }) {
  return (
    <ul className="grid gap-1.5 text-13">
      {item.reports.map((report) => (
        <li key={`${report.reporter}${report.time}`}>
          {report.reasonName}
          {report.note && `：${report.note}`}
          <span className="block text-12 text-ink-3">
            {report.reporter}
            {report.isTarget && '（交易一方）'} <At time={report.time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Row({
  item,
  may,
  onAction,
}: {
  item: ReportedReview;
  may: boolean;
  onAction: (action: ReviewAction) => void;
}) {
  const isReply = item.part === 'answer';
  return (
    <tr>
      <td className="whitespace-nowrap">
        <Tag>{item.partName}</Tag>
        <PageLink to={`/backstage/orders/${item.orderSn}`} className="block text-12">
          {item.orderSn}
        </PageLink>
        <At time={item.time} />
      </td>
      <td data-wide="" className="max-w-110">
        <p className="flex items-center gap-2 text-12 text-ink-3">
          <Stars score={item.score} />
          {item.tags.join('、')}
        </p>
        <p className={isReply ? 'text-12 text-ink-3' : 'text-13 break-words whitespace-pre-wrap'}>
          {item.content || '（没有写评价内容）'}
        </p>
        {isReply && <p className="mt-1 text-13 break-words whitespace-pre-wrap">回复：{item.answer}</p>}
      </td>
      <td className="text-13">
        {item.author}
        <Link to={`/backstage/users?keyWord=${item.authorUnion}`} className="link block text-12">
          {item.authorUnion}
        </Link>
        <span className="block text-12 text-ink-3">写给 {item.target}</span>
      </td>
      <td>
        <Reports item={item} />
      </td>
      <td className="num">
        {item.decideTime ? (
          <span className="text-13">
            {item.decision}
            <span className="block text-12 text-ink-3">
              {item.decider} <At time={item.decideTime} />
            </span>
          </span>
        ) : may ? (
          <span className="inline-flex gap-1.5">
            <Button size="sm" kind="tonal" onClick={() => onAction('hide')}>
              隐藏
            </Button>
            <Button size="sm" onClick={() => onAction('keep')}>
              保留
            </Button>
          </span>
        ) : (
          <span className="text-12 text-ink-3">由审核人员处理</span>
        )}
      </td>
    </tr>
  );
}

/** Reported reviews and replies: keep or hide, with a reason shown to author and reporters. */
export default function ReviewReportsPage() {
  const { first, query, may } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<{ item: ReportedReview; action: ReviewAction } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffReviewReports, { ...query, cursor }, { quiet: true }),
    ({ reviewId, part }) => `${reviewId}:${part}`,
  );
  const action = chosen?.action === 'hide' ? '隐藏' : '保留';
  return (
    <>
      <div className="admin-head">
        <h1>评价举报</h1>
        <p>{countText(first.total, first.totalCapped)} 条</p>
      </div>
      <StatusTabs
        name="status"
        label="评价举报"
        items={reviewReportStatuses.map((key) => ({ key, text: reviewReportStatusNames[key] }))}
      />
      <section className="panel overflow-hidden" aria-label="评价举报">
        {items.length === 0 ? (
          <EmptyState title={query.status === 'waiting' ? '没有待处理的举报' : '没有记录'}>
            用户在评价旁点「举报」后会出现在这里。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={['对象', '内容', '作者', '举报', { num: '处理' }]}>
              {items.map((item) => (
                <Row
                  key={`${item.reviewId}${item.part}`}
                  item={item}
                  may={may}
                  onAction={(chosenAction) => setChosen({ item, action: chosenAction })}
                />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {chosen && (
        <ReasonDialog
          title={`${action}${chosen.item.partName}`}
          action={action}
          question={
            chosen.action === 'hide'
              ? '隐藏后不再公开，评价也不再计入好评率；作者和举报人会收到原因。'
              : '作者和举报人会收到原因。'
          }
          reasonLabel="原因"
          reasons={REASONS[chosen.action]}
          isReasonNeeded
          send={async (reason) => {
            const { reviewId, part } = chosen.item;
            await call(decideReviewReport, { reviewId, part, act: chosen.action, reason }, { quiet: true });
            toast(`已${action}`, 'ok');
          }}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
