import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { type searchAlertList, updateSearchAlert } from '#subjects/offers/contract/alerts.ts';
import type { Data, Input } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Alert = Data<typeof searchAlertList>['list'][number];
type AlertAction = Input<typeof updateSearchAlert>['act'];

const DONE: Readonly<Record<AlertAction, string>> = {
  now: '有新商品会马上提醒',
  daily: '改为每天 20:00 汇总提醒',
  pause: '已暂停提醒',
  resume: '已恢复提醒',
  remove: '订阅已删除',
};

function Row({ alert }: { alert: Alert }) {
  const [isConfirming, setConfirming] = useState(false);
  const { revalidate } = useRevalidator();
  const { busy, send } = useMutation(updateSearchAlert, {
    toasts: true,
    // Also after a failure: the list shows the current state.
    revalidates: 'always',
    done: (_, { act: action }) => toast(DONE[action], 'ok'),
  });
  const update = (action: AlertAction) => void send({ alertId: alert.alertId, act: action });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 flex-1 gap-0.5 max-md:basis-full">
        <Link to={alert.path} className="hit truncate text-14 hover:text-link">
          {alert.title}
        </Link>
        <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
          <span>
            订阅于 <TimeLabel at={alert.createTime} />
          </span>
          <span>订阅后有 {alert.matches} 件在售符合</span>
          {alert.lastTime && (
            <span>
              最近 <TimeLabel at={alert.lastTime} />
            </span>
          )}
          {alert.paused && <span className="text-attn">已暂停</span>}
        </p>
      </div>
      <Select
        small
        aria-label={`${alert.title} 的提醒频率`}
        className="w-auto!"
        value={alert.frequency}
        disabled={busy || alert.paused}
        onChange={(event) => update(event.target.value === 'daily' ? 'daily' : 'now')}
      >
        <option value="now">马上提醒</option>
        <option value="daily">每天 20:00</option>
      </Select>
      <Button size="sm" busy={busy} onClick={() => update(alert.paused ? 'resume' : 'pause')}>
        {alert.paused ? '恢复' : '暂停'}
      </Button>
      <Button size="sm" onClick={() => setConfirming(true)}>
        删除
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title="删除订阅"
          action="删除订阅"
          back="再想想"
          danger
          question={`删除“${alert.title}”后不再提醒，可以在列表里重新订阅。`}
          send={(_, options) => call(updateSearchAlert, { alertId: alert.alertId, act: 'remove' }, options)}
          onDone={() => {
            setConfirming(false);
            toast(DONE.remove, 'ok');
            void revalidate();
          }}
          onClose={() => setConfirming(false)}
        />
      )}
    </li>
  );
}

/** Saved searches: the notification frequency of each, and its removal. */
export function AlertList({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <section className="panel" id="alerts" aria-labelledby="alerts-head">
      <div className="panel-head">
        <h2 id="alerts-head" className="text-16 font-semibold">
          搜索订阅
        </h2>
        <p className="max-md:hidden">在商品列表点“订阅该搜索”添加；收藏的商品在收藏里设置提醒</p>
      </div>
      {alerts.length > 0 ? (
        <ul>
          {alerts.map((alert) => (
            <Row key={alert.alertId} alert={alert} />
          ))}
        </ul>
      ) : (
        <p className="px-4 py-6 text-center text-13 text-ink-3">
          还没有订阅，
          <Link to="/wares" className="link">
            去列表里选好条件
          </Link>
          就能订阅
        </p>
      )}
    </section>
  );
}
