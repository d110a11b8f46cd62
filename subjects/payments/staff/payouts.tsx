import { Link, type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import { exportPayoutList, type PayoutList, payoutLists } from '#subjects/payments/contract/staff-payouts.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '打款名单', noindex: true });
}

const PAGE = 30;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  return { first: await request(payoutLists, { pageSize: PAGE }), canAct: staffCan(staff, 'payout.book') };
}

function Progress({ list }: { list: PayoutList }) {
  if (list.openCount === 0 && list.draftCount === 0) return <Tag tone="safe">已登记完</Tag>;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {list.draftCount > 0 && <Tag tone="attn">待复核 {list.draftCount}</Tag>}
      {list.openCount > list.draftCount && <Tag>待登记 {list.openCount - list.draftCount}</Tag>}
    </span>
  );
}

function Row({ list }: { list: PayoutList }) {
  const to = `/backstage/payouts/${list.listSn}`;
  return (
    <tr>
      <td data-wide="">
        <Link to={to} className="font-medium hover:text-link">
          {list.listSn}
        </Link>
        <span className="block text-12 text-ink-3">文件格式第 {list.format} 版</span>
      </td>
      <td className="num" data-label="笔数">
        {list.lineCount}
      </td>
      <td className="num font-semibold" data-label="合计">
        <Amount yuan={list.total} />
      </td>
      <td>
        <Progress list={list} />
      </td>
      <td className="text-12 text-ink-3">
        {list.createdBy}{' '}
        <time dateTime={list.createTime} title={fullAt(list.createTime)}>
          {shortAt(list.createTime)} 导出
        </time>
      </td>
      <td className="num">
        <Link to={to} className="link text-13">
          查看
        </Link>
      </td>
    </tr>
  );
}

/** Approved payouts that are in no list, and the button that exports them. */
function Unlisted({ count, total, canAct }: { count: number; total: string; canAct: boolean }) {
  const navigate = useNavigate();
  const { busy, error, send } = useMutation(exportPayoutList, {
    done: ({ listSn, lineCount }) => {
      toast(`已导出 ${lineCount} 笔`, 'ok');
      void navigate(`/backstage/payouts/${listSn}`);
      return true;
    },
  });
  return (
    <section className="panel mb-4 flex flex-wrap items-center gap-x-6 gap-y-3 p-4" aria-label="待导出">
      <p>
        <span className="text-ink-3">待导出</span> <b className="text-16">{count}</b> 笔，合计{' '}
        <Amount yuan={total} className="text-16 font-semibold" />
      </p>
      {canAct && (
        <Button kind="primary" busy={busy} disabled={count === 0} onClick={() => void send({})}>
          导出名单
        </Button>
      )}
      <FormError>{error}</FormError>
      <p className="text-12 text-ink-3">
        一份最多 500 笔；导出后每笔只在这一份里。银行回单由一人登记，另一人复核后入账。
      </p>
    </section>
  );
}

/** Lists of payouts to bank cards: exported by finance, entered by one person, booked by another. */
export default function PayoutsPage() {
  const { first, canAct } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(payoutLists, { pageSize: PAGE, cursor }, { quiet: true }),
    ({ listSn }) => listSn,
  );
  return (
    <>
      <div className="admin-head">
        <h1>打款名单</h1>
        <p>{first.isOpen ? '银行卡提现由财务按名单打款' : '银行卡提现没有按名单打款，这里只有以前的名单'}</p>
      </div>
      {(first.isOpen || first.unlisted.count > 0) && <Unlisted {...first.unlisted} canAct={canAct} />}
      <section className="panel overflow-hidden" aria-label="打款名单">
        {items.length === 0 ? (
          <EmptyState title="还没有名单">提现审核通过、收款是银行卡的，会在上面等待导出。</EmptyState>
        ) : (
          <>
            <AdminTable columns={['名单', { num: '笔数' }, { num: '合计' }, '进度', '导出', { num: '操作' }]}>
              {items.map((list) => (
                <Row key={list.listSn} list={list} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </>
  );
}
