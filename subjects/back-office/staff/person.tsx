import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { personHead } from '#subjects/back-office/contract/person.ts';
import { staffCan } from '../rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { BackHead } from './parts/back-head.tsx';
import { PersonAlert, PersonHead } from './person/head.tsx';
import { LinksPanel } from './person/links.tsx';
import { MoneyPanel } from './person/money.tsx';
import { OrdersPanel } from './person/orders.tsx';
import { RecordPanels } from './person/records.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '用户详情', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const head = await request(personHead, { userId: args.params['userId'] ?? '' });
  const may = (permission: Parameters<typeof staffCan>[1]) => staffCan(staff, permission);
  return {
    head,
    sees: { money: may('withdrawal.read'), orders: may('order.read') },
    may: {
      unmask: may('user.unmask'),
      restrict: may('user.freeze'),
      judgeLinks: may('trust.decide'),
      decideMoney: may('withdrawal.decide'),
    },
  };
}

/** Everything about one user: identity, money, links to others, orders and records. */
export default function PersonPage() {
  const { head, sees, may } = useLoaderData<typeof loader>();
  const { userId } = head;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <BackHead to="/backstage/users" name="用户">
          <span className="text-13 font-medium">{head.nickName}</span>
        </BackHead>
        <PersonHead head={head} may={may} sees={sees} />
      </div>
      <PersonAlert alert={head.alert} seesMoney={sees.money} />
      {sees.money && <MoneyPanel key={`money-${userId}`} userId={userId} mayDecide={may.decideMoney} />}
      <LinksPanel key={`links-${userId}`} head={head} mayJudge={may.judgeLinks} />
      {sees.orders && <OrdersPanel key={`orders-${userId}`} userId={userId} counts={head.counts} />}
      <RecordPanels key={`records-${userId}`} userId={userId} maySignOut={may.restrict} />
    </div>
  );
}
