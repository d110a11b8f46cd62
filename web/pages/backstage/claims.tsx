import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { type StaffClaim, staffClaimList } from '#contract/backstage-claims.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Amount } from '#web/ui/price.tsx';
import { parseQueueQuery, CaseCells, CaseQueue, CaseStateCells, scopeThatHas } from './cases/queue.tsx';

const SCOPES = ['open', 'checking', 'chasing', 'escalated', 'due', 'second', 'closed'] as const;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '理赔', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const query = parseQueueQuery(args.url.searchParams, SCOPES);
  const first = await market(args).call(staffClaimList, query);
  const elsewhere = scopeThatHas(args.url.searchParams, SCOPES, first);
  return elsewhere === null ? { first, query } : redirect(`/backstage/claims${elsewhere}`);
}

function Row({ item }: { item: StaffClaim }) {
  const clockName = item.decideBy
    ? '双人裁定'
    : item.deadline
      ? `追索第 ${item.day} / ${item.days} 天`
      : item.lookBy
        ? '等待受理'
        : '已结束';
  return (
    <tr>
      <CaseCells
        to={`/backstage/claims/${item.claimSn}`}
        sn={item.claimSn}
        openTime={item.openTime}
        gameName={item.gameName}
        title={item.bigTitle}
        note={`${item.tierName} · ${item.reasonName} · ${item.distName}`}
      />
      <td className="num font-semibold">
        <Amount yuan={item.paid ?? item.asked} />
      </td>
      <td data-label="申请人">{item.userName}</td>
      <CaseStateCells
        status={item.statusName}
        isOpen={item.decideBy !== null || item.deadline !== null || item.lookBy !== null}
        needsSecondPerson={item.waitsForSecond}
        clock={{ name: clockName, at: item.decideBy ?? item.deadline ?? item.lookBy, isOverdue: item.late }}
        staffName={item.staffName}
      />
    </tr>
  );
}

/** The queue of claims with their public deadlines. */
export default function AdminClaims() {
  const { first, query } = useLoaderData<typeof loader>();
  const list = useCursorList(
    first,
    (cursor) => call(staffClaimList, { ...query, cursor }, { quiet: true }),
    ({ claimSn }) => claimSn,
  );
  const { counts } = first;
  return (
    <CaseQueue
      name="理赔"
      first={first}
      list={list}
      placeholder="理赔或订单编号、用户编号"
      scopes={[
        { key: 'open', text: '处理中', count: counts.open },
        { key: 'checking', text: '待受理', count: counts.checking },
        { key: 'chasing', text: '追索中', count: counts.chasing },
        { key: 'escalated', text: '双人裁定', count: counts.escalated },
        { key: 'due', text: '临期与超时', count: counts.due },
        { key: 'second', text: '待复核', count: counts.second },
        { key: 'closed', text: '已结束' },
      ]}
      columns={['理赔', '账号', { num: '金额' }, '申请人', '状态', '时限', '客服']}
    >
      {list.items.map((item) => (
        <Row key={item.claimSn} item={item} />
      ))}
    </CaseQueue>
  );
}
