import { Fragment, useState } from 'react';
import { saveNoticeSettings, type noticeSettings } from '#subjects/notices/contract/inbox.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Channels } from './channels.tsx';

type Loaded = Data<typeof noticeSettings>;
type Kind = Loaded['kinds'][number];
type Channel = Kind['channels'][number];

const CHANNELS: readonly (readonly [Channel, string])[] = [
  ['site', '站内'],
  ['wechat', '微信'],
  ['sms', '短信'],
  ['email', '邮件'],
  ['push', '浏览器'],
];

const GROUP_NAMES: Readonly<Record<string, string>> = {
  order: '订单',
  money: '资金',
  goods: '商品',
  chat: '交易群',
  security: '安全',
  service: '服务与回收',
  activity: '活动',
};

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

function KindRow({ kind, reach, onChange }: { kind: Kind; reach: readonly Channel[]; onChange: (next: Kind) => void }) {
  const toggle = (channel: Channel, on: boolean) =>
    onChange({ ...kind, channels: on ? [...kind.channels, channel] : kind.channels.filter((c) => c !== channel) });
  return (
    <tr>
      <th scope="row" className="py-2 pr-3 text-left text-13 font-normal">
        {kind.name}
        {!kind.optional && <span className="ml-1.5 text-12 text-ink-3">不可关闭</span>}
      </th>
      {CHANNELS.map(([channel, name]) => {
        const fixed = kind.fixed.includes(channel);
        const isBound = channel === 'site' || reach.includes(channel);
        const isClosed = !kind.offered.includes(channel);
        // An earlier choice of a disabled channel is kept for when the site enables it, and is not shown until then.
        const isChecked = !isClosed && kind.channels.includes(channel);
        return (
          <td key={channel} data-label={name}>
            <Checkbox
              aria-label={`${kind.name}：${name}${isClosed ? '（本站未开通）' : isBound ? '' : '（未绑定）'}`}
              checked={isChecked}
              disabled={fixed || isClosed}
              onChange={(event) => toggle(channel, event.target.checked)}
            >
              <span className="md:hidden">{name}</span>
            </Checkbox>
          </td>
        );
      })}
      <td data-label="频率">
        <Select
          small
          aria-label={`${kind.name}：频率`}
          value={kind.frequency}
          onChange={(event) => onChange({ ...kind, frequency: event.target.value === 'daily' ? 'daily' : 'now' })}
        >
          <option value="now">即时</option>
          <option value="daily">每日汇总</option>
        </Select>
      </td>
    </tr>
  );
}

function Kinds({
  kinds,
  reach,
  onChange,
}: {
  kinds: readonly Kind[];
  reach: readonly Channel[];
  onChange: (next: Kind) => void;
}) {
  const groups = [...new Set(kinds.map((k) => k.group))];
  return (
    <table className="notice-kinds">
      <thead>
        <tr>
          <th scope="col">事项</th>
          {CHANNELS.map(([channel, name]) => (
            <th key={channel} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">频率</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <Fragment key={group}>
            <tr className="notice-group">
              <th scope="colgroup" colSpan={CHANNELS.length + 2}>
                {GROUP_NAMES[group] ?? group}
              </th>
            </tr>
            {kinds
              .filter((k) => k.group === group)
              .map((kind) => (
                <KindRow key={kind.kind} kind={kind} reach={reach} onChange={onChange} />
              ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function QuietHours({ quiet, onChange }: { quiet: Loaded['quiet']; onChange: (quiet: Loaded['quiet']) => void }) {
  const time = (label: string, minute: number, set: (minute: number) => void) => (
    <Field label={label} required>
      {(control) => (
        <Input
          {...control}
          small
          type="time"
          value={clock(minute)}
          className="w-32"
          onChange={(event) => event.target.value && set(minuteOf(event.target.value))}
        />
      )}
    </Field>
  );
  return (
    <section className="grid gap-3 border-t border-line-soft p-4" aria-labelledby="quiet">
      <h2 id="quiet" className="text-14 font-semibold">
        免打扰时段
      </h2>
      <Checkbox
        checked={quiet !== null}
        onChange={(event) => onChange(event.target.checked ? { fromMinute: 22 * 60, toMinute: 8 * 60 } : null)}
      >
        在这段时间里不发短信、微信、邮件和推送
        <span className="block text-12 text-ink-3">时段结束后补发；待发货、换绑、申诉等急事照常提醒</span>
      </Checkbox>
      {quiet && (
        <div className="flex flex-wrap gap-4">
          {time('开始', quiet.fromMinute, (fromMinute) => onChange({ ...quiet, fromMinute }))}
          {time('结束', quiet.toMinute, (toMinute) => onChange({ ...quiet, toMinute }))}
        </div>
      )}
    </section>
  );
}

interface SettingsData {
  settings: Loaded;
  wechat: { status: number; bindTime: string | null; isOpen: boolean };
  push: { publicKey: string; bound: number };
  hasMail: boolean;
}

/** Notification settings: available channels, the channels of each kind, quiet hours. */
export function Settings({ data }: { data: SettingsData }) {
  const { settings } = data;
  const [kinds, setKinds] = useState(settings.kinds);
  const [quiet, setQuiet] = useState(settings.quiet);
  const { busy, error, submit } = useMutation(saveNoticeSettings, {
    check: () => ({
      send: quiet && quiet.fromMinute === quiet.toMinute ? '免打扰的开始和结束时间不能相同' : undefined,
    }),
    done: () => toast('提醒设置已保存', 'ok'),
  });
  const changes = () => {
    const before = new Map(settings.kinds.map((k) => [k.kind, k]));
    const changed = kinds.filter((k) => k !== before.get(k.kind));
    return {
      kinds: changed.map(({ kind, channels, frequency }) => ({ kind, channels, frequency })),
      ...(quiet && { quietFrom: quiet.fromMinute, quietTo: quiet.toMinute }),
    };
  };
  return (
    <form onSubmit={submit(changes)}>
      <Channels data={data} />
      <Kinds
        kinds={kinds}
        reach={settings.reach}
        onChange={(next) => setKinds(kinds.map((k) => (k.kind === next.kind ? next : k)))}
      />
      <QuietHours quiet={quiet} onChange={setQuiet} />
      <div className="flex items-center gap-3 border-t border-line-soft px-4 py-3">
        <Button type="submit" kind="primary" busy={busy}>
          保存设置
        </Button>
        {error && (
          <p className="text-13 text-danger" role="alert">
            {error}
          </p>
        )}
      </div>
    </form>
  );
}
