import { Link } from 'react-router';
import { personHead, personMoney, personOrders } from '#subjects/back-office/contract/person.ts';
import type { StaffUser } from '#subjects/accounts/contract/list-users.ts';
import { UserStatus } from '#contract/rules/statuses.ts';
import { countText, fenOf, grouped } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Drawer, DrawerFacts, DrawerPart, DrawerWait, useRecord } from '../list/drawer.tsx';
import type { DrawerControls } from '../list/list-page.tsx';
import { Facts, PersonAlert, Tags } from './head.tsx';
import { Payees } from './money-parts.tsx';

interface Rights {
  sees: { money: boolean; orders: boolean };
  may: { unmask: boolean; restrict: boolean };
}

function Money({ userId }: { userId: string }) {
  const { data, message, again } = useRecord(personMoney, { userId });
  if (!data) return <DrawerWait message={message} onRetry={again} />;
  const { balances, escrow } = data;
  const held = balances?.holds.count ?? 0;
  return (
    <>
      <DrawerPart title="资金" note={balances === null ? '本站的往来' : held > 0 ? `${held} 笔冻结` : '没有冻结'}>
        <DrawerFacts
          facts={[
            ...(balances === null
              ? []
              : ([
                  ['可用', <Amount key="available" yuan={balances.available} />],
                  ['冻结', <Amount key="frozen" yuan={balances.frozen} />],
                  ['保证金', <Amount key="deposit" yuan={balances.deposit} />],
                ] as const)),
            ['托管中', `${grouped(escrow.amount)} 元，${countText(escrow.orders, escrow.totalCapped)} 笔`],
            ['已提现', `${grouped(data.withdrawn.amount)} 元，${data.withdrawn.count} 次`],
            ['欠款', fenOf(data.debt) > 0 ? <Amount key="debt" yuan={data.debt} className="text-danger" /> : '没有'],
          ]}
        />
      </DrawerPart>
      <DrawerPart title="收款账户">
        <Payees money={data} />
      </DrawerPart>
    </>
  );
}

const LATEST = 5;

function Orders({ userId, side }: { userId: string; side: 'sold' | 'bought' }) {
  const { data, message, again } = useRecord(personOrders, { userId, side });
  if (!data) return <DrawerWait message={message} onRetry={again} />;
  if (data.list.length === 0) return null;
  return (
    <DrawerPart
      title={side === 'sold' ? '最近卖出' : '最近买入'}
      note={`${data.figures.done} 笔成交，${data.figures.disputed} 笔有申诉`}
    >
      <ul className="person-rows">
        {data.list.slice(0, LATEST).map((order) => (
          <li key={order.orderSn}>
            <span className="min-w-0">
              <Link to={`/backstage/orders/${order.orderSn}`} className="link line-clamp-1">
                {order.title}
              </Link>
              <span className="block text-12 text-ink-3">
                {shortAt(order.createTime)}，{order.other.nickName}
                {order.isLinked && <span className="text-attn">，关联</span>}
              </span>
            </span>
            <span className="ml-auto text-right">
              <Amount yuan={order.total} className="font-semibold" />
              <span className="block text-12 text-ink-3">{order.statusName}</span>
            </span>
          </li>
        ))}
      </ul>
    </DrawerPart>
  );
}

/** A user next to the list: identity, money, latest orders. Links and records are on the page. */
export function PersonDrawer({
  row,
  controls,
  rights,
  onRestrict,
}: {
  row: StaffUser;
  controls: DrawerControls;
  rights: Rights;
  onRestrict: (user: StaffUser) => void;
}) {
  const { userId } = row;
  const { data: head, message, again } = useRecord(personHead, { userId });
  const { sees, may } = rights;
  return (
    <Drawer number={row.unionNum} label="用户编号" page={`/backstage/users/${userId}`} controls={controls}>
      {head ? (
        <>
          <div className="list-drawer-part">
            <div className="flex items-center gap-3">
              <Avatar name={head.nickName} src={head.avatar} size={40} />
              <div className="flex min-w-0 flex-wrap items-center gap-1.5">
                <h1 className="text-16 font-semibold">{head.nickName}</h1>
                <Tags head={head} />
              </div>
            </div>
            <Facts head={head} may={may} />
            <p className="flex flex-wrap gap-2">
              <ButtonLink size="sm" kind="primary" to={`/backstage/users/${userId}`}>
                用户详情
              </ButtonLink>
              {sees.orders && (
                <ButtonLink size="sm" to={`/backstage/orders?keyWord=${userId}`}>
                  全部订单
                </ButtonLink>
              )}
              {may.restrict && head.status !== UserStatus.Closed && (
                <Button size="sm" kind="danger" onClick={() => onRestrict(row)}>
                  {head.status === UserStatus.Restricted ? '解除限制' : '限制账号'}
                </Button>
              )}
            </p>
          </div>
          {head.alert && (
            <div className="list-drawer-part">
              <PersonAlert alert={head.alert} seesMoney={false} page={`/backstage/users/${userId}`} />
            </div>
          )}
          {sees.money && <Money userId={userId} />}
          {sees.orders && <Orders userId={userId} side={(head.counts.sold ?? 0) > 0 ? 'sold' : 'bought'} />}
        </>
      ) : (
        <DrawerWait message={message} onRetry={again} />
      )}
    </Drawer>
  );
}
