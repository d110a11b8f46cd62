import { useState } from 'react';
import { type NoticeKind, noticeTextHistory, restoreNoticeText } from '#subjects/notices/contract/staff-texts.ts';
import { type NoticeChannel, noticeChannelNames, noticeChannels } from '../../rules/notice-text.ts';
import { call } from '#web/lib/api/api.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { ChannelForm } from './channel-form.tsx';
import { TextForm } from './text-form.tsx';
import { TextHistory } from '#subjects/back-office/staff/parts/dialogs/text-history.tsx';
import type { Wording } from './trial-dialog.tsx';

/** The current text of a channel, and the newest version of its own text. */
function wordingOf({ texts, shipped }: NoticeKind, channel: NoticeChannel) {
  const own = texts.find((text) => text.channel === channel);
  const site = texts.find((text) => text.channel === 'site') ?? shipped;
  const { title, body } = own && !own.removed ? own : site;
  return { own, start: { title, body, template: own?.template ?? '' } };
}

/** The texts of a kind of notice by channel: form, preview, history, and restoring the shipped text. */
export function KindEditor({
  item,
  site,
  channel,
  canEdit,
  onDone,
}: {
  item: NoticeKind;
  site: string;
  channel: NoticeChannel;
  canEdit: boolean;
  onDone: () => void;
}) {
  const { own, start } = wordingOf(item, channel);
  const [form, setForm] = useState<{ start: Wording; reason: string; count: number }>({ start, reason: '', count: 0 });
  const [open, setOpen] = useState<'history' | 'restore' | null>(null);
  const restart = (next: Wording, reason: string) => setForm({ start: next, reason, count: form.count + 1 });
  const has = (one: NoticeChannel) => item.texts.some((text) => text.channel === one && !text.removed);
  return (
    <>
      <BackHead to={`/backstage/texts?group=${item.group}`} name="通知文案">
        <h1>{item.name}</h1>
        <p>{item.kind}</p>
      </BackHead>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_300px]">
        <section className="panel overflow-hidden" aria-label="文案">
          <LinkTabs
            label="渠道"
            className="admin-tabs"
            items={noticeChannels.map((one) => ({
              key: one,
              label: noticeChannelNames[one],
              to: `?kind=${item.kind}&channel=${one}`,
              isCurrent: one === channel,
              badge: one !== 'site' && has(one) ? <Tag>单独文案</Tag> : undefined,
            }))}
          />
          <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-2 text-12 text-ink-3">
            <span className="grow">{stateText(own, channel)}</span>
            {own && (
              <Button size="sm" kind="ghost" onClick={() => setOpen('history')}>
                历史版本
              </Button>
            )}
            {canEdit && own && !own.isDefault && (
              <Button size="sm" onClick={() => setOpen('restore')}>
                {channel === 'site' ? '恢复默认' : '改用站内文案'}
              </Button>
            )}
          </div>
          <TextForm
            key={`${form.count}:${own?.version ?? 0}`}
            item={item}
            site={site}
            channel={channel}
            version={own?.version ?? 0}
            start={form.count > 0 ? form.start : start}
            reasonStart={form.reason}
            canEdit={canEdit}
            onDone={() => {
              setForm({ start, reason: '', count: 0 });
              onDone();
            }}
          />
        </section>
        <ChannelForm key={item.version} item={item} canEdit={canEdit} onDone={onDone} />
      </div>
      {open === 'history' && (
        <TextHistory
          title={`${item.name}，${noticeChannelNames[channel]}`}
          load={async () => (await call(noticeTextHistory, { kind: item.kind, channel }, { quiet: true })).list}
          {...(canEdit && {
            onRestore: (one) => {
              restart({ title: one.title, body: one.body, template: one.template ?? '' }, `恢复第 ${one.version} 版`);
              setOpen(null);
            },
          })}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'restore' && (
        <ReasonDialog
          title={channel === 'site' ? '恢复默认文案' : '改用站内文案'}
          action="恢复"
          question={
            channel === 'site' ? `恢复为：${item.shipped.title}，${item.shipped.body}` : '这个渠道不再有单独的文案。'
          }
          reasonLabel="原因"
          isReasonNeeded
          send={(reason, options) =>
            call(restoreNoticeText, { kind: item.kind, channel, version: own?.version ?? 0, reason }, options)
          }
          onDone={() => {
            toast('已恢复', 'ok');
            setForm({ start, reason: '', count: 0 });
            setOpen(null);
            onDone();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function stateText(own: NoticeKind['texts'][number] | undefined, channel: NoticeChannel): string {
  if (!own || own.removed)
    return channel === 'site' ? '默认文案' : '没有单独的文案，与站内相同；保存后这个渠道单独使用';
  if (own.changedBy === null) return '默认文案';
  return `第 ${own.version} 版，${own.changedBy} ${fullAt(own.changeTime)}：${own.reason}`;
}
