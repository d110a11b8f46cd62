import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { staffServiceList, staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import { serviceList, type StaffService } from '#subjects/services/contract/list-services.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { ServiceWeeks } from './service-weeks.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '服务订单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const typeId = args.url.searchParams.get('typeId');
  const one = typeId === '60' || typeId === '61' ? { typeId } : {};
  const [list, { weeks }] = await Promise.all([
    loadList(args, serviceList, staffServiceList),
    call(staffServiceWeeks, one as never),
  ]);
  return { ...list, weeks };
}

const VIEWS = [
  { name: '代练', query: 'typeId=60' },
  { name: '陪玩', query: 'typeId=61' },
  { name: '进行中', query: 'state=waiting%2Cworking%2Cpaused%2Cending%2Cchecking&sort=dueTime' },
  { name: '已超时', query: 'late=1&sort=dueTime' },
  { name: '申诉中', query: 'disputed=1' },
  { name: '申请取消', query: 'cancelAsked=1' },
  { name: '上报处罚', query: 'banned=1' },
] as const;

const read = rowsOf(staffServiceList);
/** A boosting order has its own page for rulings; companion play is an ordinary order. */
const pathOf = (o: StaffService): string =>
  o.typeId === BOOSTING ? `/backstage/boosting?sn=${o.orderSn}` : `/backstage/orders/${o.orderSn}`;

/** The progress of an order, as text. */
function progressText(o: StaffService): string {
  if (o.donePercent !== null) return `${o.donePercent}%`;
  return o.playedMinutes === null
    ? `订 ${o.orderedMinutes ?? 0} 分钟`
    : `已玩 ${o.playedMinutes}/${o.orderedMinutes ?? 0} 分钟`;
}

function State({ of: o }: { of: StaffService }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-1">
        <Tag {...(o.state === 'done' && { tone: 'safe' as const })}>{o.stateName}</Tag>
        {o.disputed && <Tag tone="danger">申诉中</Tag>}
        {o.late && <Tag tone="attn">超时</Tag>}
        {o.cancelAsked && <Tag tone="attn">申请取消</Tag>}
        {o.banned && <Tag tone="attn">处罚</Tag>}
      </span>
      <span className="block text-12 text-ink-3">{progressText(o)}</span>
    </>
  );
}

const cells: CellViews<StaffService> = {
  orderSn: (o) => (
    <>
      <Link to={pathOf(o)} className="list-sn">
        {o.orderSn}
      </Link>
      <time className="block text-12 text-ink-3" dateTime={o.createTime} title={fullAt(o.createTime)}>
        {shortAt(o.createTime)}
      </time>
    </>
  ),
  title: (o) => (
    <span className="list-goods">
      <span className="line-clamp-1">{o.title}</span>
      <span className="line-clamp-1 text-12 text-ink-3">
        <TypeTag typeId={o.typeId} name={o.typeName} className="mr-1.5" />
        {o.modeName}
      </span>
    </span>
  ),
  stateName: (o) => <State of={o} />,
  totalPrice: (o) => <Amount yuan={o.totalPrice} className="font-semibold" />,
};

function Card({ of: o }: { of: StaffService }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="line-clamp-1 font-medium">{o.title}</b>
        <span className="ml-auto flex-none font-semibold">
          <Amount yuan={o.totalPrice} />
        </span>
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <Tag {...(o.state === 'done' && { tone: 'safe' as const })}>{o.stateName}</Tag>
        {o.disputed && <Tag tone="danger">申诉中</Tag>}
        {o.late && <Tag tone="attn">超时</Tag>}
        <span className="line-clamp-1">
          {o.buyerName} → {o.providerName}
        </span>
        <span className="ml-auto flex-none">{shortAt(o.createTime)}</span>
      </span>
    </>
  );
}

/** All orders of boosting and companion play visible to the caller, with figures by week. */
export default function ServicesPage() {
  const { weeks, ...data } = useLoaderData<typeof loader>();
  return (
    <ListPage
      list={serviceList}
      data={data}
      load={read}
      builtIn={VIEWS}
      views={cells}
      card={(o) => <Card of={o} />}
      sumOf={({ totalPrice }) => totalPrice}
      pageOf={pathOf}
      intro={<ServiceWeeks weeks={weeks} />}
      empty="去掉一个筛选，或核对编号与手机号是否完整。"
    />
  );
}
