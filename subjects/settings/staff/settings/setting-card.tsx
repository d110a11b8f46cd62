import { useState } from 'react';
import { decideSetting, revokeSetting, type StaffSetting } from '#subjects/settings/contract/staff-settings.ts';
import { unitOf } from '../../rules/setting-fields.ts';
import type { SettingSpec } from '../../rules/setting-groups.ts';
import { call } from '#web/lib/api/api.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { HistoryDialog, type HistoryItem } from './history-dialog.tsx';
import { rowsOf, type Values } from './setting-fields.tsx';
import { SettingForm } from './setting-form.tsx';

/** A value as text, with its unit. */
function shownValue(spec: SettingSpec, path: string, value: string): string {
  const field = spec.fields.find((one) => one.path === path);
  if (!field || value === '') return '—';
  if (field.type === 'flag') return value === '1' ? '是' : '否';
  const option = field.options?.find(([key]) => key === value)?.[1];
  const unit = unitOf(field.type);
  return option ?? (unit === '' ? value : unit === '%' ? `${value}%` : `${value} ${unit}`);
}

/** The current values, and next to them those of a change. */
function ValueList({ spec, values, changed }: { spec: SettingSpec; values: Values; changed?: Values | undefined }) {
  return (
    <div className="grid gap-2 px-4 py-3">
      {rowsOf(spec).map(({ row, fields }) => {
        const filled = fields.filter(({ path, optional }) => !optional || values[path] || changed?.[path]);
        if (filled.length === 0) return null;
        return (
          <dl key={row} className="flex flex-wrap gap-x-5 gap-y-1 text-13">
            {row !== '' && <dt className="w-24 flex-none font-medium">{row}</dt>}
            {filled.map(({ path, label }) => {
              const before = values[path] ?? '';
              const after = changed?.[path] ?? before;
              return (
                <div key={path} className="flex gap-1.5">
                  <dt className="text-ink-3">{label}</dt>
                  <dd className="num whitespace-pre-line">
                    {after === before ? (
                      shownValue(spec, path, before)
                    ) : (
                      <>
                        <s className="text-ink-3">{shownValue(spec, path, before)}</s>{' '}
                        <Tag tone="attn">{shownValue(spec, path, after)}</Tag>
                      </>
                    )}
                  </dd>
                </div>
              );
            })}
          </dl>
        );
      })}
    </div>
  );
}

type Decided = 'revoke' | 'approve' | 'reject' | 'withdraw';
type Open = { kind: 'form'; start: Values; reason: string } | { kind: Decided };

/** A pending change: planned, or awaiting the second person. */
function Waiting({
  item,
  canChange,
  onOpen,
}: {
  item: StaffSetting;
  canChange: boolean;
  onOpen: (open: Open) => void;
}) {
  const { planned, draft } = item;
  if (!planned && !draft) return null;
  const { createdBy, reason } = draft ?? planned ?? { createdBy: '', reason: '' };
  const starts = draft ? draft.fromTime : (planned?.fromTime ?? null);
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line-soft bg-attn-bg px-4 py-2 text-13">
      <span className="grow">
        {draft ? (draft.isMine ? '您已提交，等待另一位同事复核' : '等待复核') : '待生效'}
        {starts ? `，从 ${fullAt(starts)} 起` : draft ? '，通过后立即生效' : ''}。{createdBy ?? '命令行'}：{reason}
      </span>
      {canChange && draft?.isMine && (
        <Button size="sm" onClick={() => onOpen({ kind: 'withdraw' })}>
          撤回
        </Button>
      )}
      {canChange && draft && !draft.isMine && (
        <>
          <Button size="sm" kind="primary" onClick={() => onOpen({ kind: 'approve' })}>
            通过
          </Button>
          <Button size="sm" onClick={() => onOpen({ kind: 'reject' })}>
            退回
          </Button>
        </>
      )}
      {canChange && planned && (
        <Button size="sm" onClick={() => onOpen({ kind: 'revoke' })}>
          撤销
        </Button>
      )}
    </div>
  );
}

function Decision({
  item,
  kind,
  onDone,
  onClose,
}: {
  item: StaffSetting;
  kind: Decided;
  onDone: () => void;
  onClose: () => void;
}) {
  const title = {
    revoke: '撤销待生效的修改',
    approve: '通过这条修改',
    reject: '退回这条修改',
    withdraw: '撤回这条修改',
  }[kind];
  const { key } = item;
  return (
    <ReasonDialog
      title={title}
      action={title.slice(0, 2)}
      danger={kind !== 'approve'}
      question={kind === 'approve' ? '通过后按所写的时间生效，已下的订单不变。' : '现在的设置保持不变。'}
      reasonLabel="原因"
      isReasonNeeded
      send={async (reason, options) => {
        await (kind === 'revoke'
          ? call(revokeSetting, { key, version: item.planned?.version ?? 0, reason }, options)
          : call(decideSetting, { key, draftId: item.draft?.draftId ?? 0, act: kind, reason }, options));
        toast('已处理', 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** One setting: current values, pending change, form and history. */
export function SettingCard({
  spec,
  item,
  canChange,
  onDone,
}: {
  spec: SettingSpec;
  item: StaffSetting;
  canChange: boolean;
  onDone: () => void;
}) {
  const [open, setOpen] = useState<Open | null>(null);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const close = () => setOpen(null);
  const done = () => {
    close();
    onDone();
  };
  const restore = ({ values, version }: HistoryItem) => {
    setHistoryOpen(false);
    setOpen({ kind: 'form', start: values, reason: `恢复到第 ${version} 版` });
  };
  const isWaiting = item.planned !== null || item.draft !== null;
  return (
    <section className="panel overflow-hidden" aria-label={spec.name}>
      <div className="flex flex-wrap items-start gap-2 px-4 pt-3">
        <div className="min-w-0 grow">
          <h2 className="text-16 font-semibold">
            {spec.name}
            {item.needsSecond && <Tag className="ml-2 align-middle">需两人</Tag>}
          </h2>
          <p className="text-12 text-ink-3">{spec.hint}</p>
          <p className="text-12 text-ink-3">
            第 {item.version} 版 · {shortAt(item.changeTime)} 起 · {item.changedBy ?? '系统'}
            {item.reason !== '' && `：${item.reason}`}
          </p>
        </div>
        <span className="flex flex-none gap-2">
          <Button size="sm" kind="ghost" onClick={() => setHistoryOpen(true)}>
            历史
          </Button>
          {canChange && open?.kind !== 'form' && (
            <Button
              size="sm"
              disabled={isWaiting}
              title={isWaiting ? '先处理等待中的修改' : undefined}
              onClick={() => setOpen({ kind: 'form', start: item.values, reason: '' })}
            >
              修改
            </Button>
          )}
        </span>
      </div>
      {open?.kind === 'form' ? (
        <div className="mt-3">
          <SettingForm
            key={open.reason}
            spec={spec}
            item={item}
            start={open.start}
            reasonStart={open.reason}
            onDone={done}
            onClose={close}
          />
        </div>
      ) : (
        <ValueList spec={spec} values={item.values} changed={(item.draft ?? item.planned)?.values} />
      )}
      <Waiting item={item} canChange={canChange} onOpen={setOpen} />
      {isHistoryOpen && (
        <HistoryDialog
          name={spec.name}
          settingKey={spec.key}
          {...(canChange && !isWaiting && open?.kind !== 'form' && { onRestore: restore })}
          onClose={() => setHistoryOpen(false)}
        />
      )}
      {open && open.kind !== 'form' && <Decision item={item} kind={open.kind} onDone={done} onClose={close} />}
    </section>
  );
}
