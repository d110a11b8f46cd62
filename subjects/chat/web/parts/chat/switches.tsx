import { Bell, BellOff, Volume2, VolumeX } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { canNotify, isNotifyOn, setNotify, subscribeNotify } from '../chat-link/notify.ts';
import { isSoundOn, setSound, subscribeSound } from '../chat-link/sound.ts';

const STYLE = 'hit inline-flex items-center gap-1 text-12 whitespace-nowrap text-ink-3 hover:text-ink';

/** 消息提示音, on this device. */
export function SoundSwitch() {
  const on = useSyncExternalStore(subscribeSound, isSoundOn, () => true);
  const Icon = on ? Volume2 : VolumeX;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label="消息提示音"
      title={on ? '关闭消息提示音' : '打开消息提示音'}
      className={STYLE}
      onClick={() => setSound(!on)}
    >
      <Icon className="icon" aria-hidden="true" />
      提示音
    </button>
  );
}

/** Desktop notifications, on this device; absent when the browser does not support them. */
export function NotifySwitch() {
  const on = useSyncExternalStore(subscribeNotify, isNotifyOn, () => false);
  const can = useSyncExternalStore(subscribeNotify, canNotify, () => true);
  if (!can) return null;
  const Icon = on ? Bell : BellOff;
  const toggle = async () => {
    if (!(await setNotify(!on))) toast('浏览器没有允许桌面通知，请在地址栏左侧的网站设置里打开', 'warn');
  };
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label="桌面通知"
      title={on ? '关闭桌面通知' : '打开桌面通知'}
      className={STYLE}
      onClick={() => void toggle()}
    >
      <Icon className="icon" aria-hidden="true" />
      通知
    </button>
  );
}
