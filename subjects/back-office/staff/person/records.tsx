import { type ReactNode, useEffect, useState } from 'react';
import { personRecords, personSignOut } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { PageLink } from '../parts/page-link.tsx';
import { Panel } from '../parts/panel.tsx';
import { ReasonDialog } from '../parts/dialogs/reason-dialog.tsx';
import { usePanel } from '../parts/use-panel.ts';
import { notesChanged, onChanged } from './changes.ts';

type Records = Data<typeof personRecords>;

const none = (text: string) => <p className="px-4 py-3 text-13 text-ink-3">{text}</p>;

/** One kind of record: its rows, or a message when there are none. */
function Rows<T>({ of, empty, children }: { of: readonly T[]; empty: string; children: (row: T) => ReactNode }) {
  if (of.length === 0) return none(empty);
  return <ul className="person-rows">{of.map(children)}</ul>;
}

function Goods({ goods }: { goods: NonNullable<Records['goods']> }) {
  return (
    <Rows of={goods} empty="没有发布过商品。">
      {(row) => (
        <li key={row.sn}>
          <span className="min-w-0">
            <b className="line-clamp-1 font-medium">{row.title}</b>
            <span className="block text-12 text-ink-3">
              {row.sn}，{row.note}，{fullAt(row.time).slice(0, 10)}
            </span>
          </span>
          <span className="ml-auto text-right">
            <Amount yuan={row.price} />
            <span className="block text-12 text-ink-3">{row.statusName}</span>
          </span>
        </li>
      )}
    </Rows>
  );
}

function Cases({ rows, path, empty }: { rows: NonNullable<Records['disputes']>; path: string; empty: string }) {
  return (
    <Rows of={rows} empty={empty}>
      {(row) => (
        <li key={row.sn}>
          <span className="min-w-0">
            <PageLink to={`${path}/${row.sn}`}>{row.sn}</PageLink> {row.title}
            <span className="block text-12 text-ink-3">
              {row.note !== '' && `${row.note}，`}
              {fullAt(row.time)}
            </span>
          </span>
          <Tag className="ml-auto">{row.statusName}</Tag>
        </li>
      )}
    </Rows>
  );
}

function Reviews({ reviews }: { reviews: NonNullable<Records['reviews']> }) {
  return (
    <Rows of={reviews} empty="没有评价。">
      {(row) => (
        <li key={`${row.orderSn}-${row.isOwn}`}>
          <span className="min-w-0">
            <span className="line-clamp-2">{row.content || '没有写文字'}</span>
            <span className="block text-12 text-ink-3">
              {row.isOwn ? '本人写的' : '收到的'}，
              <PageLink to={`/backstage/orders/${row.orderSn}`}>{row.orderSn}</PageLink>，{shortAt(row.time)}
            </span>
          </span>
          <span className="ml-auto whitespace-nowrap">{row.score} 星</span>
        </li>
      )}
    </Rows>
  );
}

function Devices({ records, onEnd }: { records: Records; onEnd: ((sessionId: string | undefined) => void) | null }) {
  return (
    <div className="person-devices">
      {records.sessions.map((row) => (
        <div key={row.sessionId}>
          <b className="font-medium">{row.device}</b>
          <span className="text-12 text-ink-3">
            {row.network || '网络未知'}，<TimeLabel at={row.lastSeenTime} /> 在线
          </span>
          <span className="text-12 text-ink-3">
            {shortAt(row.createTime)} 登录
            {onEnd && (
              <button type="button" className="link hit ml-2" onClick={() => onEnd(row.sessionId)}>
                下线
              </button>
            )}
          </span>
        </div>
      ))}
      {records.browsers.map((row) => (
        <div key={row.code}>
          <b className="font-medium">浏览器 {row.code}</b>
          <span className="text-12 text-ink-3">
            {fullAt(row.firstTime).slice(0, 10)} 起，最近 {shortAt(row.lastTime)}
          </span>
          {row.sharedWith > 0 && (
            <a href="#links" className="text-12 text-attn">
              另有 {row.sharedWith} 人用过
            </a>
          )}
        </div>
      ))}
      {records.sessions.length === 0 && records.browsers.length === 0 && none('没有登录过。')}
    </div>
  );
}

function Notes({ notes }: { notes: Records['notes'] }) {
  return (
    <Rows of={notes} empty="还没有备注。同事需要知道的事可以写在这里。">
      {(row) => (
        <li key={row.time + row.text}>
          <span className="min-w-0">
            <span className="break-words">{row.text}</span>
            <span className="block text-12 text-ink-3">
              {row.staffName}，{fullAt(row.time)}
            </span>
          </span>
        </li>
      )}
    </Rows>
  );
}

function Actions({ actions }: { actions: NonNullable<Records['actions']> }) {
  return (
    <Rows of={actions} empty="员工没有对这位用户做过操作。">
      {(row) => (
        <li key={row.time + row.actName}>
          <span className="min-w-0">
            {row.actName}
            <span className="block text-12 text-ink-3">
              {row.staffName}，{fullAt(row.time)}
              {row.detail !== '' && `，${row.detail}`}
            </span>
          </span>
        </li>
      )}
    </Rows>
  );
}

/** Listings, cases, reviews, devices, notices, notes and staff actions. */
export function RecordPanels({ userId, maySignOut }: { userId: string; maySignOut: boolean }) {
  const state = usePanel(personRecords, { userId });
  const { reload } = state;
  const [ending, setEnding] = useState<{ sessionId: string | undefined } | null>(null);
  useEffect(() => onChanged(reload), [reload]);
  const panel = (title: string, body: (records: Records) => ReactNode, aside?: ReactNode) => (
    <Panel title={title} of={state} minHeight={180} {...(aside !== undefined && { aside })}>
      {body}
    </Panel>
  );
  const { data } = state;
  return (
    <>
      <div className="person-columns">
        {panel('备注', ({ notes }) => (
          <Notes notes={notes} />
        ))}
        {data?.goods !== null && panel('商品', ({ goods }) => <Goods goods={goods ?? []} />)}
        {data?.disputes !== null &&
          panel('申诉', ({ disputes }) => (
            <Cases rows={disputes ?? []} path="/backstage/disputes" empty="最近的订单没有申诉。" />
          ))}
        {data?.claims !== null &&
          panel('理赔', ({ claims }) => (
            <Cases rows={claims ?? []} path="/backstage/claims" empty="没有申请过理赔。" />
          ))}
        {data?.reviews !== null && panel('评价', ({ reviews }) => <Reviews reviews={reviews ?? []} />)}
        {panel('通知', ({ notices }) => (
          <Rows of={notices} empty="没有发过通知。">
            {(row) => (
              <li key={row.time + row.title}>
                <span className="min-w-0">
                  <b className="font-medium">{row.title}</b>
                  <span className="line-clamp-2 text-12 text-ink-2">{row.body}</span>
                  <span className="block text-12 text-ink-3">{fullAt(row.time)}</span>
                </span>
                <span className="ml-auto text-12 whitespace-nowrap text-ink-3">{row.isRead ? '已读' : '未读'}</span>
              </li>
            )}
          </Rows>
        ))}
        {data?.actions !== null && panel('操作记录', ({ actions }) => <Actions actions={actions ?? []} />)}
      </div>
      {panel(
        '设备与登录',
        (records) => (
          <Devices records={records} onEnd={maySignOut ? (sessionId) => setEnding({ sessionId }) : null} />
        ),
        maySignOut && (data?.sessions.length ?? 0) > 0 ? (
          <Button size="sm" kind="ghost" onClick={() => setEnding({ sessionId: undefined })}>
            全部下线
          </Button>
        ) : undefined,
      )}
      {ending && (
        <ReasonDialog
          title={ending.sessionId === undefined ? '全部下线' : '让这台设备下线'}
          action="下线"
          question="对方会立即退出登录，下次要重新登录；密码不变。"
          reasons={['用户反映账号被盗', '排查异常登录']}
          reasonLabel="原因"
          isReasonNeeded
          danger
          send={async (reason) => {
            const { ended } = await call(personSignOut, { userId, reason, ...ending }, { quiet: true });
            toast(ended === 0 ? '这些登录已经结束' : `已下线 ${ended} 处`, 'ok');
          }}
          onDone={() => {
            setEnding(null);
            notesChanged();
          }}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}
