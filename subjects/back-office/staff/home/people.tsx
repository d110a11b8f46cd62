import { Link } from 'react-router';
import { synonymList } from '#subjects/goods/contract/staff-synonyms.ts';
import { vendorList } from '#subjects/back-office/contract/vendors.ts';
import type { Data } from '#contract/endpoint.ts';
import { serviceStats } from '#subjects/chat/contract/im-support.ts';
import { cx } from '#web/ui/class-names.ts';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Panel } from '../parts/panel.tsx';
import { usePanel } from '../parts/use-panel.ts';
import { secondsText } from '../parts/seconds.ts';
import { vendorState } from '../system/vendor-state.ts';

/** The number of conversations and the response time of each member of customer service. */
export function StaffPanel({ initial }: { initial: Data<typeof serviceStats> | null }) {
  const state = usePanel(serviceStats, { days: 1 }, { everyMs: 60_000, initial });
  return (
    <Panel
      title="客服"
      note="近一天"
      of={state}
      minHeight={200}
      aside={
        <Link to="/backstage/service" className="link">
          排班
        </Link>
      }
    >
      {({ list }) =>
        list.length === 0 ? (
          <EmptyState title="还没有客服">在「员工与角色」里添加客服后会显示在这里。</EmptyState>
        ) : (
          <ScrollX label="客服近一天">
            <table className="admin-table">
              <thead>
                <tr>
                  <th scope="col">客服</th>
                  <th scope="col">接待中</th>
                  <th scope="col" className="num">
                    首次回复
                  </th>
                  <th scope="col" className="num">
                    今日接待
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map((row) => (
                  <tr key={row.staffId} className={row.onDuty ? undefined : 'opacity-60'}>
                    <td>
                      <i className={cx('dot mr-2', row.onDuty && row.online && 'dot-on')} aria-hidden="true" />
                      {row.name}
                      {!row.onDuty && <span className="ml-1.5 text-12 text-ink-3">已下班</span>}
                    </td>
                    <td>
                      <span className="flex items-center gap-2">
                        <span className="board-line w-20" aria-hidden="true">
                          <i
                            className={row.load >= row.maxChats ? 'board-full' : undefined}
                            style={{ width: `${Math.min(100, (row.load / Math.max(1, row.maxChats)) * 100)}%` }}
                          />
                        </span>
                        {row.load} / {row.maxChats}
                      </span>
                    </td>
                    <td className="num">{secondsText(row.firstReplySeconds)}</td>
                    <td className="num">{row.groups}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
        )
      }
    </Panel>
  );
}

type Vendor = Data<typeof vendorList>['list'][number];

/** Called within the hour, or not to be called. */
const isWorthARow = ({ state, calls, circuit }: Vendor): boolean =>
  state !== 'off' && (calls > 0 || circuit !== 'closed');

/** The others in one line, so that those with figures stand out. */
function Quiet({ vendors }: { vendors: readonly Vendor[] }) {
  if (vendors.length === 0) return null;
  return (
    <tr>
      <td colSpan={4} className="text-12 text-ink-3">
        没有调用：{vendors.map(({ label }) => label).join('、')}
      </td>
    </tr>
  );
}

/** Vendors with the figures of the last hour. */
export function VendorsPanel({ initial }: { initial: Data<typeof vendorList> | null }) {
  const state = usePanel(vendorList, {}, { everyMs: 60_000, initial });
  return (
    <Panel
      title="服务商"
      note="近一小时"
      of={state}
      minHeight={200}
      aside={
        <Link to="/backstage/vendors" className="link">
          全部
        </Link>
      }
    >
      {({ list }) => (
        <ScrollX label="服务商近一小时">
          <table className="admin-table">
            <thead>
              <tr>
                <th scope="col">服务商</th>
                <th scope="col">状态</th>
                <th scope="col" className="num">
                  成功率
                </th>
                <th scope="col" className="num">
                  中位耗时
                </th>
              </tr>
            </thead>
            <tbody>
              {list.filter(isWorthARow).map((vendor) => (
                <tr key={vendor.key}>
                  <td>
                    {vendor.label}
                    <span className="block text-12 text-ink-3">{vendor.subject}</span>
                  </td>
                  <td className={vendorState(vendor)[1]}>{vendorState(vendor)[0]}</td>
                  <td className="num">
                    {vendor.calls === 0
                      ? '没有调用'
                      : `${(((vendor.calls - vendor.failures - vendor.rejected) / vendor.calls) * 100).toFixed(2)}%`}
                  </td>
                  <td className="num">{vendor.calls === 0 ? '' : `${vendor.medianMs} 毫秒`}</td>
                </tr>
              ))}
              <Quiet vendors={list.filter((vendor) => vendor.state !== 'off' && !isWorthARow(vendor))} />
            </tbody>
          </table>
        </ScrollX>
      )}
    </Panel>
  );
}

/** Searches without results, with the action that fixes them. */
export function MissesPanel({ initial }: { initial: Data<typeof synonymList> | null }) {
  const state = usePanel(synonymList, {}, { initial });
  return (
    <Panel
      title="搜不到的词"
      of={state}
      minHeight={200}
      aside={
        <Link to="/backstage/synonyms" className="link">
          全部
        </Link>
      }
    >
      {({ misses }) =>
        misses.length === 0 ? (
          <EmptyState title="没有搜不到的词">用户搜过的词都有结果。</EmptyState>
        ) : (
          <ul className="person-rows">
            {misses.slice(0, 7).map((miss) => (
              <li key={miss.missId}>
                <span className="min-w-0 truncate">{miss.keyword}</span>
                <span className="text-12 text-ink-3">{miss.gameName}</span>
                <span className="ml-auto whitespace-nowrap">{miss.times} 次</span>
                <Link
                  to={`/backstage/synonyms?keyWord=${encodeURIComponent(miss.keyword)}`}
                  className="link whitespace-nowrap"
                >
                  加同义词
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Panel>
  );
}
