import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import { type StaffUser, userList } from '#subjects/accounts/contract/list-users.ts';
import { AuthStatus, UserStatus } from '#contract/rules/statuses.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { StatusDialog } from './status-dialog.tsx';
import { PersonDrawer } from '#subjects/back-office/staff/person/person-drawer.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '用户', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  return {
    ...(await loadList(args, userList, adminQueryUserList)),
    sees: { money: staffCan(staff, 'withdrawal.read'), orders: staffCan(staff, 'order.read') },
    may: { unmask: staffCan(staff, 'user.unmask'), restrict: staffCan(staff, 'user.freeze') },
  };
}

const VIEWS = [
  { name: '今天注册', query: 'createTime=today' },
  { name: '卖家', query: 'hasSold=1&sort=-soldCount' },
  { name: '已限制', query: 'status=2' },
  { name: '有欠款', query: 'hasDebt=1' },
] as const;

const read = rowsOf(adminQueryUserList);

const AUTH: Readonly<Record<number, string>> = {
  [AuthStatus.None]: '未实名',
  [AuthStatus.Reviewing]: '审核中',
  [AuthStatus.Verified]: '已实名',
  [AuthStatus.Rejected]: '未通过',
} satisfies Record<AuthStatus, string>;
const STATUS: Readonly<Record<number, string>> = {
  [UserStatus.Active]: '',
  [UserStatus.Restricted]: '已限制',
  [UserStatus.Closed]: '已注销',
} satisfies Record<UserStatus, string>;

const cells: CellViews<StaffUser> = {
  nickName: (u) => (
    <span className="flex items-center gap-2.5">
      <Avatar name={u.nickName} src={u.avatar} size={28} />
      <span className="grid">
        <span className="font-medium">
          <Link to={`/backstage/users/${u.userId}`} className="hover:text-link">
            {u.nickName}
          </Link>
          {STATUS[u.status] && (
            <Tag tone="danger" className="ml-1.5">
              {STATUS[u.status]}
            </Tag>
          )}
        </span>
        <span className="flex gap-2 text-12 text-ink-3">
          <CopyButton text={u.unionNum} label="用户编号" />
          <span>{u.userId}</span>
        </span>
      </span>
    </span>
  ),
  realNameMask: (u) =>
    u.authStatus === AuthStatus.Verified ? u.realNameMask : <span className="text-ink-3">{AUTH[u.authStatus]}</span>,
  soldCount: (u) => (
    <>
      {u.soldCount} 件
      <span className="block text-12 text-ink-3">
        {u.sellerLevel} 级{roles(u)}
      </span>
    </>
  ),
  debt: (u) =>
    fenOf(u.debt) > 0 ? <Amount yuan={u.debt} className="text-danger" /> : <span className="text-ink-4">—</span>,
};

/** The roles of a user other than buyer and seller. */
function roles({ isQuickShop, isBooster, isAccompanyer }: StaffUser): string {
  const names = [isQuickShop && '商家', isBooster && '代练', isAccompanyer && '陪玩'].filter(Boolean);
  return names.length > 0 ? `，${names.join('、')}` : '';
}

function Card({ user }: { user: StaffUser }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="font-medium">{user.nickName}</b>
        {STATUS[user.status] && <Tag tone="danger">{STATUS[user.status]}</Tag>}
        <span className="ml-auto text-12 text-ink-3">{user.unionNum}</span>
      </span>
      <span className="flex gap-2 text-12 text-ink-3">
        {user.phoneMask}，{AUTH[user.authStatus]}，卖出 {user.soldCount} 件
        <span className="ml-auto">{shortAt(user.createTime)} 注册</span>
      </span>
    </>
  );
}

function Actions({
  user,
  canRestrict,
  seesOrders,
  onChoose,
}: {
  user: StaffUser;
  canRestrict: boolean;
  seesOrders: boolean;
  onChoose: (user: StaffUser) => void;
}) {
  return (
    <span className="inline-flex items-center gap-3">
      {seesOrders && (
        <Link to={`/backstage/orders?keyWord=${user.userId}`} className="link text-12">
          订单
        </Link>
      )}
      {canRestrict && user.status !== UserStatus.Closed && (
        <Button
          size="sm"
          kind={user.status === UserStatus.Restricted ? 'plain' : 'ghost'}
          onClick={() => onChoose(user)}
        >
          {user.status === UserStatus.Restricted ? '解除限制' : '限制账号'}
        </Button>
      )}
    </span>
  );
}

/** Users by number, phone or name. Phones stay masked, and each search for a person is recorded. */
export default function UsersPage() {
  const { sees, may, ...data } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<StaffUser | null>(null);
  return (
    <>
      <ListPage
        list={userList}
        data={data}
        load={read}
        builtIn={VIEWS}
        views={cells}
        card={(user) => <Card user={user} />}
        actions={(user) => (
          <Actions user={user} canRestrict={may.restrict} seesOrders={sees.orders} onChoose={setChosen} />
        )}
        drawer={(user, controls) => (
          <PersonDrawer row={user} controls={controls} rights={{ sees, may }} onRestrict={setChosen} />
        )}
        pageOf={({ userId }) => `/backstage/users/${userId}`}
        head={<p className="text-12 text-ink-3 max-md:hidden">手机号只显示部分，查找会留下记录</p>}
        empty="手机号需输入完整 11 位；编号以 U 开头。其他站点的用户和已清除的账号不会显示。"
      />
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
