import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { approveWithdraw, rejectWithdraw, type StaffWithdrawal, staffWithdrawList } from '#contract/backstage-money.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { fenOf } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { fullAt, shortAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { LinkBadges } from './cases/link-badges.tsx';
import { FilterBar, FilterKeyword } from './parts/filter-bar.tsx';
import { ReasonDialog } from './parts/reason-dialog.tsx';
import { StatusTabs } from './parts/status-tabs.tsx';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '提现审核', noindex: true });
}

const PAGE = 30;

/** The tab in the URL: 0 to 3, or 'all'. Pending ones are the default. */
function queryOf(search: URLSearchParams) {
  // A keyword search covers all states.
  const tab = search.get('status') ?? (search.get('keyWord') ? 'all' : '0');
  return {
    status: /^[0-3]$/.test(tab) ? Number(tab) : undefined,
    keyWord: search.get('keyWord') || undefined,
    pageSize: PAGE,
  };
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const query = queryOf(args.url.searchParams);
  return {
    first: await request(staffWithdrawList, query),
    query,
    canDecide: staffCan(staff, 'withdrawal.decide'),
  };
}

const TONES = { 1: 'attn', 2: 'safe', 3: undefined } as const;

function Status({ item }: { item: StaffWithdrawal }) {
  if (item.status === WithdrawalStatus.Pending) {
    return item.firstBy ? <Tag tone="attn">待复核</Tag> : <Tag tone="attn">{item.statusName}</Tag>;
  }
  const tone = TONES[item.status as 1];
  return <Tag {...(tone && { tone })}>{item.statusName}</Tag>;
}

function Approvals({ item }: { item: StaffWithdrawal }) {
  const people = [item.firstBy, item.secondBy].filter((name) => name !== null);
  return (
    <span className="grid text-12 text-ink-3">
      {people.length > 0 && <span>{people.join('、')}</span>}
      {item.status === WithdrawalStatus.Pending && item.needsSecond && <span>需两人审核</span>}
      {item.note && <span className="text-ink-2">{item.note}</span>}
    </span>
  );
}

type Deciding = { kind: 'approve' | 'refuse'; item: StaffWithdrawal };

function Row({
  item,
  canDecide,
  onDecide,
}: {
  item: StaffWithdrawal;
  canDecide: boolean;
  onDecide: (d: Deciding) => void;
}) {
  return (
    <tr>
      <td data-wide="">
        <Link to={`/backstage/users?keyWord=${item.userId}`} className="font-medium hover:text-link">
          {item.nickName}
        </Link>
        <span className="block text-12 text-ink-3">
          {item.realNameMask ?? '未实名'}，卖出 {item.soldNum} 件
        </span>
        {fenOf(item.debt) > 0 && (
          <Tag tone="danger">
            欠款 <Amount yuan={item.debt} />
          </Tag>
        )}
        <LinkBadges links={item.related} of="与交易对方" />
      </td>
      <td className="num font-semibold">
        <Amount yuan={item.amount} />
      </td>
      <td>
        {item.accountType} <span className="text-ink-2">{item.accountMask}</span>
      </td>
      <td className="text-12 text-ink-3">
        <span className="block text-ink-2">
          <CopyButton text={item.withdrawSn} label="提现编号" />
        </span>
        <time dateTime={item.createTime} title={fullAt(item.createTime)}>
          {shortAt(item.createTime)} 申请
        </time>
        {item.paidTime && (
          <span className="ml-2">
            {shortAt(item.paidTime)} {item.status === WithdrawalStatus.Paid ? '到账' : '打款'}
          </span>
        )}
      </td>
      <td>
        <Status item={item} />
      </td>
      <td>
        <Approvals item={item} />
      </td>
      <td className="num">
        {canDecide && item.status === WithdrawalStatus.Pending && (
          <span className="inline-flex gap-2">
            <Button size="sm" kind="danger" onClick={() => onDecide({ kind: 'refuse', item })}>
              退回
            </Button>
            <Button
              size="sm"
              kind="primary"
              disabled={item.isMine}
              title={item.isMine ? '您已初审，需另一位同事复核' : undefined}
              onClick={() => onDecide({ kind: 'approve', item })}
            >
              {item.firstBy ? '复核通过' : '通过'}
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

function DecideDialog({ deciding, onDone, onClose }: { deciding: Deciding; onDone: () => void; onClose: () => void }) {
  const { kind, item } = deciding;
  const who = (
    <>
      {item.nickName}（{item.realNameMask ?? '未实名'}）提现 <Amount yuan={item.amount} className="font-semibold" /> 到
      {item.accountType} {item.accountMask}。
    </>
  );
  if (kind === 'refuse')
    return (
      <ReasonDialog
        title="退回提现"
        action="退回"
        danger
        question={<>{who}退回后金额回到用户的可用余额，用户能看到原因。</>}
        reasons={['收款账户信息有误，请核对后重新提交', '收款人与实名信息不一致', '账户存在异常，请联系客服核实']}
        reasonLabel="退回原因"
        isReasonNeeded
        send={(reason) => call(rejectWithdraw, { withdrawSn: item.withdrawSn, reason }, { quiet: true })}
        onDone={onDone}
        onClose={onClose}
      />
    );
  return (
    <ReasonDialog
      title={item.firstBy ? '复核提现' : '通过提现'}
      action={item.firstBy ? '复核通过' : '通过'}
      question={
        <>
          {who}
          {item.needsSecond && !item.firstBy
            ? '金额较大，通过后还需另一位同事复核才会打款。'
            : '通过后立即打款，不能撤回。'}
        </>
      }
      send={async () => {
        const { needsSecond } = await call(approveWithdraw, { withdrawSn: item.withdrawSn }, { quiet: true });
        toast(needsSecond ? '已初审，等待另一位同事复核' : '已通过，正在打款', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Withdrawals, pending ones first; each is decided with one confirmation, above the limit by two people. */
export default function WithdrawalsPage() {
  const { first, query, canDecide } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffWithdrawList, { ...query, cursor }, { quiet: true }),
    ({ withdrawSn }) => withdrawSn,
  );
  return (
    <>
      <div className="office-head">
        <h1>提现审核</h1>
        <p>
          超过 <Amount yuan={first.secondPerson} /> 需两人审核
        </p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['keyWord']} preserve={['status']}>
            <FilterKeyword placeholder="提现编号、用户编号或昵称" />
          </FilterBar>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="提现申请">
        <StatusTabs
          name="status"
          label="状态"
          items={[
            { key: '0', text: '待审核', count: first.counts['0'] },
            { key: '1', text: '打款中', count: first.counts['1'] },
            { key: '2', text: '已到账' },
            { key: '3', text: '已退回' },
            { key: 'all', text: '全部' },
          ]}
        />
        {items.length === 0 ? (
          <EmptyState
            title={
              query.status === WithdrawalStatus.Pending
                ? '没有待审核的提现'
                : query.keyWord
                  ? '没有找到这笔提现'
                  : '没有提现记录'
            }
            action={
              query.keyWord ? (
                <ButtonLink to={`/backstage/withdrawals?status=all&keyWord=${encodeURIComponent(query.keyWord)}`}>
                  在全部提现中查找
                </ButtonLink>
              ) : null
            }
          >
            用户申请提现后金额会先冻结，审核通过才打款。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={['用户', { num: '金额' }, '收款账户', '编号与时间', '状态', '审核', { num: '操作' }]}>
              {items.map((item) => (
                <Row key={item.withdrawSn} item={item} canDecide={canDecide} onDecide={setDeciding} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {deciding && (
        <DecideDialog
          deciding={deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            if (deciding.kind === 'refuse') toast('已退回，金额回到用户余额', 'ok');
            setDeciding(null);
            void revalidate();
          }}
        />
      )}
    </>
  );
}
