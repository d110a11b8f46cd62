import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  decideGoodsReport,
  type ReportedGoods,
  staffGoodsReports,
} from '#subjects/questions/contract/staff-reports.ts';
import { reviewReportStatusNames, reviewReportStatuses } from '#subjects/reviews/rules/review.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { At } from '#subjects/back-office/staff/list/at.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '商品举报', noindex: true });
}

const PAGE = 30;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const search = args.url.searchParams;
  const status = reviewReportStatuses.find((one) => one === search.get('status')) ?? 'waiting';
  const goodsSn = search.get('goodsSn') ?? '';
  const query = { status, pageSize: PAGE, ...(/^[A-Za-z0-9-]{1,32}$/.test(goodsSn) && { goodsSn }) };
  return { query, first: await request(staffGoodsReports, query), may: staffCan(staff, 'review.decide') };
}

type Action = 'hide' | 'keep' | 'false';
const ACTION_NAMES: Readonly<Record<Action, string>> = { hide: '下架', keep: '保留', false: '举报不实' };
const REASONS: Readonly<Record<Action, readonly string[]>> = {
  hide: ['描述或截图与实际不符', '含联系方式、引导线下交易', '账号来路不明', '含违禁内容', '含辱骂、威胁或他人隐私'],
  keep: ['内容与描述一致', '举报理由与内容不符'],
  false: ['凭证与该商品无关', '编造事实，恶意举报'],
};
const QUESTIONS: Readonly<Record<Action, string>> = {
  hide: '商品下架后卖家会看到原因，修改后可以重新提交审核；提问和回答会被隐藏。举报人会收到结果。',
  keep: '内容继续公开，举报人会收到原因。',
  false: '内容继续公开，并记为举报不实：30 天内满 3 次，该用户暂时不能举报。',
};

function Reports({ item }: { item: ReportedGoods }) {
  return (
    <ul className="grid gap-2 text-13">
      {item.reports.map((report) => (
        <li key={report.reportId}>
          {report.reasonName}
          {report.note && `：${report.note}`}
          {report.pictures.length > 0 && (
            <span className="mt-1 flex flex-wrap gap-1.5">
              {report.pictures.map(({ url, thumb }, index) => (
                <a key={url} href={url} target="_blank" rel="noreferrer" title="打开原图">
                  <img
                    src={thumb}
                    alt={`凭证 ${index + 1}`}
                    width={56}
                    height={40}
                    className="h-10 w-14 rounded-[4px] object-cover"
                  />
                </a>
              ))}
            </span>
          )}
          <span className="block text-12 text-ink-3">
            {report.reporter}
            {report.falseNum > 0 && `（曾 ${report.falseNum} 次举报不实）`} <At time={report.time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Decision({ item, may, onAction }: { item: ReportedGoods; may: boolean; onAction: (action: Action) => void }) {
  if (item.decideTime)
    return (
      <span className="text-13">
        {item.decision}
        <span className="block text-12 text-ink-3">
          {item.decider} <At time={item.decideTime} />
        </span>
      </span>
    );
  if (!may) return <span className="text-12 text-ink-3">由审核人员处理</span>;
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5">
      <Button size="sm" kind="tonal" onClick={() => onAction('hide')}>
        {item.part === 'goods' ? '下架' : '隐藏'}
      </Button>
      <Button size="sm" onClick={() => onAction('keep')}>
        保留
      </Button>
      <Button size="sm" onClick={() => onAction('false')}>
        举报不实
      </Button>
    </span>
  );
}

function Row({ item, may, onAction }: { item: ReportedGoods; may: boolean; onAction: (action: Action) => void }) {
  return (
    <tr>
      <td className="whitespace-nowrap">
        <Tag>{item.partName}</Tag>
        <a href={item.pageUrl} target="_blank" rel="noreferrer" className="link block text-12">
          {item.goodsSn}
        </a>
        <span className="text-12 text-ink-3">{item.goodsStatusName}</span>
      </td>
      <td data-wide="" className="max-w-110">
        <p className="text-13 font-medium break-words">{item.bigTitle}</p>
        {item.question !== null && <p className="text-12 text-ink-3">问：{item.question}</p>}
        <p className="line-clamp-6 text-13 break-words whitespace-pre-wrap text-ink-2">
          {item.content || '（没有描述）'}
        </p>
      </td>
      <td className="text-13">
        <span className="whitespace-nowrap">{item.author}</span>
        <Link to={`/backstage/users?keyWord=${item.authorUnion}`} className="link block text-12 whitespace-nowrap">
          {item.authorUnion}
        </Link>
      </td>
      <td>
        <Reports item={item} />
      </td>
      <td className="num">
        <Decision item={item} may={may} onAction={onAction} />
      </td>
    </tr>
  );
}

/** Reported listings, questions and answers: take down or keep, with a reason that author and reporters read. */
export default function GoodsReportsPage() {
  const { first, query, may } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<{ item: ReportedGoods; act: Action } | null>(null);
  const keyOf = ({ goodsSn, part, questionId }: ReportedGoods) => `${goodsSn}:${part}:${questionId}`;
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffGoodsReports, { ...query, cursor }, { quiet: true }),
    keyOf,
  );
  return (
    <>
      <div className="admin-head">
        <h1>商品举报</h1>
        <p>{countText(first.total, first.totalCapped)} 条</p>
      </div>
      <StatusTabs
        name="status"
        label="商品举报"
        items={reviewReportStatuses.map((key) => ({
          key,
          text: key === 'hidden' ? '已下架' : reviewReportStatusNames[key],
        }))}
      />
      <section className="panel overflow-hidden" aria-label="商品举报">
        {items.length === 0 ? (
          <EmptyState title={query.status === 'waiting' ? '没有待处理的举报' : '没有记录'}>
            用户在商品页举报商品、提问或回答后会出现在这里。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={['对象', '内容', '作者', '举报', { num: '处理' }]}>
              {items.map((item) => (
                <Row key={keyOf(item)} item={item} may={may} onAction={(action) => setChosen({ item, act: action })} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {chosen && (
        <ReasonDialog
          title={`${ACTION_NAMES[chosen.act]}：${chosen.item.partName}`}
          action={ACTION_NAMES[chosen.act]}
          question={QUESTIONS[chosen.act]}
          reasonLabel="原因"
          reasons={REASONS[chosen.act]}
          isReasonNeeded
          send={async (reason) => {
            const { goodsSn, part, questionId, reports } = chosen.item;
            const lastReportId = reports.at(-1)?.reportId ?? 0;
            const action = chosen.act === 'hide' ? 'hide' : 'keep';
            const isFalse = chosen.act === 'false';
            await call(
              decideGoodsReport,
              { goodsSn, part, ...(questionId !== null && { questionId }), act: action, isFalse, reason, lastReportId },
              { quiet: true },
            );
            toast('已处理', 'ok');
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
