import { useState } from 'react';
import { followAlerts } from '#subjects/offers/contract/alerts.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Followed } from '#web/parts/goods/followed.ts';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** Which changes of followed listings are notified; each is a switch. */
export function FollowBells({ item }: { item: Followed }) {
  const [on, setOn] = useState({ drop: item.alertDrop, back: item.alertBack });
  const { busy, send } = useMutation(
    (name: 'drop' | 'back', options) => {
      const next = { ...on, [name]: !on[name] };
      return call(
        followAlerts,
        { goodsSn: item.goodsSn, drop: next.drop ? '1' : '0', back: next.back ? '1' : '0' },
        options,
      );
    },
    {
      toasts: true,
      done: (result, name) => {
        setOn(result);
        toast(result[name] ? '已打开提醒' : '已关闭提醒', 'ok');
      },
    },
  );
  const toggle = (name: 'drop' | 'back'): void => {
    void send(name);
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 text-12 text-ink-3" role="group" aria-label="提醒">
      提醒
      {(
        [
          ['drop', '降价'],
          ['back', '重新上架'],
        ] as const
      ).map(([name, label]) => (
        <button
          key={name}
          type="button"
          className={cx('chip', on[name] && 'chip-tint')}
          aria-pressed={on[name]}
          disabled={busy}
          onClick={() => toggle(name)}
        >
          {label}
          {on[name] ? '：开' : '：关'}
        </button>
      ))}
    </span>
  );
}
