import { AuthStatus, UserStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { adminQueryUserList } from '#contract/backstage.ts';
import { setUserStatus } from '#contract/backstage-users.ts';
import type { Data } from '#contract/endpoint.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { countText, fenOf } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { fullAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { FilterBar, FilterSelect, FilterKeyword } from './parts/filter-bar.tsx';
import { ReasonDialog } from './parts/reason-dialog.tsx';
import { AdminTable } from './parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '用户', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const param = (name: string) => args.url.searchParams.get(name) || undefined;
  const query = { keyWord: param('keyWord'), authStatus: param('authStatus'), status: param('status'), pageSize: 30 };
  return {
    first: await request(adminQueryUserList, query),
    query,
    canRestrict: staffCan(staff, 'user.freeze'),
    seesOrders: staffCan(staff, 'order.read'),
  };
}

type User = Data<typeof adminQueryUserList>['list'][number];

const AUTH: Readonly<Record<number, string>> = {
  [AuthStatus.None]: '未实名',
  [AuthStatus.Reviewing]: '审核中',
  [AuthStatus.Verified]: '已实名',
  [AuthStatus.Rejected]: '未通过',
};
const STATUS: Readonly<Record<number, string>> = { [UserStatus.Restricted]: '已限制', [UserStatus.Closed]: '已注销' };

function Row({
  user,
  canRestrict,
  seesOrders,
  onChoose,
}: {
  user: User;
  canRestrict: boolean;
  seesOrders: boolean;
  onChoose: () => void;
}) {
  const flags = [user.isQuickShop && '商家', user.isBooster && '代练', user.isAccompanyer && '陪玩'].filter(Boolean);
  return (
    <tr>
      <td data-wide="">
        <span className="flex items-center gap-2.5">
          <Avatar name={user.nickName} src={user.avatar} size={32} />
          <span className="grid">
            <span className="font-medium">
              {user.nickName}
              {STATUS[user.status] && (
                <Tag tone="danger" className="ml-1.5">
                  {STATUS[user.status]}
                </Tag>
              )}
            </span>
            <span className="flex gap-2 text-12 text-ink-3">
              <CopyButton text={user.unionNum} label="用户编号" />
              <span>{user.userId}</span>
            </span>
          </span>
        </span>
      </td>
      <td>{user.phoneMask}</td>
      <td>
        {user.authStatus === AuthStatus.Verified ? (
          <span>{user.realNameMask}</span>
        ) : (
          <span className="text-ink-3">{AUTH[user.authStatus]}</span>
        )}
      </td>
      <td>
        {user.sellerLevel} 级，卖出 {user.soldCount} 件
        {fenOf(user.debt) > 0 && <span className="block text-danger">欠款 {user.debt} 元</span>}
        {flags.length > 0 && <span className="block text-12 text-ink-3">{flags.join('、')}</span>}
      </td>
      <td className="text-ink-2">{user.distName}</td>
      <td className="text-12 text-ink-3">
        <TimeLabel at={user.lastSeenTime} className="block" />
        <span title={fullAt(user.createTime)}>{fullAt(user.createTime).slice(0, 10)} 注册</span>
      </td>
      <td className="num">
        <span className="inline-flex items-center gap-3">
          {seesOrders && (
            <Link to={`/backstage/orders?keyWord=${user.userId}`} className="link text-12">
              订单
            </Link>
          )}
          {canRestrict && user.status !== UserStatus.Closed && (
            <Button size="sm" kind={user.status === UserStatus.Restricted ? 'plain' : 'ghost'} onClick={onChoose}>
              {user.status === UserStatus.Restricted ? '解除限制' : '限制账号'}
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

function StatusDialog({ user, onDone, onClose }: { user: User; onDone: () => void; onClose: () => void }) {
  const isLifting = user.status === UserStatus.Restricted;
  return (
    <ReasonDialog
      title={isLifting ? '解除限制' : '限制账号'}
      action={isLifting ? '解除限制' : '限制账号'}
      danger={!isLifting}
      question={
        isLifting
          ? `${user.nickName} 将恢复下单、发布、提现等全部操作。`
          : `${user.nickName} 将不能下单、付款、发布、提现和发消息，仍可登录查看；已有订单和资金不受影响。`
      }
      reasons={isLifting ? ['申诉成立', '误操作'] : ['涉嫌欺诈', '多次恶意取消', '发布违规内容']}
      reasonLabel="原因"
      isReasonNeeded
      send={(reason) =>
        call(setUserStatus, { userId: user.userId, status: isLifting ? '1' : '2', reason }, { quiet: true })
      }
      onDone={() => {
        toast(isLifting ? '已解除限制' : '已限制账号', 'ok');
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function Filters() {
  return (
    <FilterBar names={['authStatus', 'status', 'keyWord']}>
      <FilterSelect
        name="authStatus"
        label="实名"
        all="实名不限"
        options={[
          [String(AuthStatus.Verified), '已实名'],
          [String(AuthStatus.None), '未实名'],
        ]}
      />
      <FilterSelect
        name="status"
        label="账号状态"
        all="状态不限"
        options={[
          [String(UserStatus.Active), '正常'],
          [String(UserStatus.Restricted), '已限制'],
          [String(UserStatus.Closed), '已注销'],
        ]}
      />
      <FilterKeyword placeholder="昵称、编号或完整手机号" />
    </FilterBar>
  );
}

/** Users by number, phone or name. Phones stay masked, and each search for a person is recorded. */
export default function UsersPage() {
  const { first, query, canRestrict, seesOrders } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<User | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(adminQueryUserList, { ...query, cursor }, { quiet: true }),
    ({ userId }) => userId,
  );
  return (
    <>
      <div className="office-head">
        <h1>用户</h1>
        <p>
          {countText(first.total, first.more)} 人
          <span className="max-md:hidden">，手机号只显示部分，查找会留下记录</span>
        </p>
        <div className="ml-auto max-lg:ml-0">
          <Filters />
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="用户">
        {items.length === 0 ? (
          <EmptyState
            title={query.keyWord ? '没有找到这位用户' : '没有符合条件的用户'}
            action={query.keyWord ? <ButtonLink to="/backstage/users">看全部用户</ButtonLink> : null}
          >
            手机号需输入完整 11 位；编号以 U 开头。其他站点的用户和已清除的账号不会显示。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={['用户', '手机号', '实名', '卖家', '站点', '最近访问', { num: '操作' }]}>
              {items.map((user) => (
                <Row
                  key={user.userId}
                  user={user}
                  canRestrict={canRestrict}
                  seesOrders={seesOrders}
                  onChoose={() => setChosen(user)}
                />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {chosen && (
        <StatusDialog
          user={chosen}
          onClose={() => setChosen(null)}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
        />
      )}
    </>
  );
}
