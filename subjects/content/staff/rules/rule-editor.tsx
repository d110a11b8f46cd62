import { useState } from 'react';
import { dropRuleDraft, revokeRule, type RuleEntry, ruleTextHistory } from '#subjects/content/contract/staff-rules.ts';
import { textStateNames } from '../../rules/public-texts.ts';
import { call } from '#web/lib/api/api.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { TextHistory } from '#subjects/back-office/staff/parts/dialogs/text-history.tsx';
import { RuleForm, type RuleText } from './rule-form.tsx';

const STATE_TONES = { counts: 'safe', planned: 'attn', past: undefined, revoked: undefined } as const;

/** The planned version, with a button to revoke it. */
function Planned({ item, canEdit, onRevoke }: { item: RuleEntry; canEdit: boolean; onRevoke: () => void }) {
  if (!item.planned) return null;
  const { version, fromTime, createdBy, reason, retired } = item.planned;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line-soft bg-attn-bg px-4 py-2 text-13">
      <span className="grow">
        第 {version} 版将从 {fullAt(fromTime)} 起{retired ? '停用这条规则' : '生效'}，用户已能看到。
        {createdBy ?? '系统'}：{reason}
      </span>
      {canEdit && (
        <Button size="sm" onClick={onRevoke}>
          撤销
        </Button>
      )}
    </div>
  );
}

/** A rule or an agreement: the version in force, the draft, the difference, and publication from a time on. */
export function RuleEditor({ item, canEdit, onDone }: { item: RuleEntry; canEdit: boolean; onDone: () => void }) {
  const { key, code, current, draft } = item;
  const isRule = key.startsWith('rule:');
  const newest: RuleText = draft ?? current ?? { title: '', body: '' };
  const [start, setStart] = useState<RuleText & { count: number; reason: string }>({ ...newest, count: 0, reason: '' });
  const [open, setOpen] = useState<'history' | 'revoke' | 'drop' | null>(null);
  const close = () => setOpen(null);
  const done = (text: string) => {
    toast(text, 'ok');
    close();
    onDone();
  };
  return (
    <>
      <BackHead to={`/backstage/rules?tab=${isRule ? 'rules' : 'agreements'}`} name="规则与协议">
        <h1>
          {isRule && `${code} `}
          {item.name || '新规则'}
        </h1>
        <p>
          {current
            ? `第 ${current.version} 版，自 ${fullAt(current.fromTime)} 起${current.retired ? '停用' : '生效'}`
            : '还没有发布'}
        </p>
      </BackHead>
      <section className="panel overflow-hidden" aria-label="编辑">
        <Planned item={item} canEdit={canEdit} onRevoke={() => setOpen('revoke')} />
        <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-2 text-12 text-ink-3">
          <span className="grow">
            {draft ? `草稿，${draft.author} 保存于 ${fullAt(draft.saveTime)}，用户看不到` : '没有草稿'}
          </span>
          {canEdit && draft && (
            <Button size="sm" kind="ghost" onClick={() => setOpen('drop')}>
              放弃草稿
            </Button>
          )}
          {item.version > 0 && (
            <Button size="sm" kind="ghost" onClick={() => setOpen('history')}>
              历史版本
            </Button>
          )}
        </div>
        <RuleForm
          key={start.count}
          item={item}
          start={start}
          reasonStart={start.reason}
          canEdit={canEdit}
          onDone={onDone}
        />
      </section>
      {open === 'history' && (
        <TextHistory
          title={isRule ? `规则 ${code}` : item.name}
          load={async () =>
            (await call(ruleTextHistory, { key }, { quiet: true })).list.map((one) => ({
              ...one,
              changedBy: one.createdBy,
              changeTime: one.fromTime,
              note: one.state === 'revoked' ? `${one.revokedBy ?? '命令行'}撤销` : one.retired ? '停用这条规则' : '',
              tag: { name: textStateNames[one.state], tone: STATE_TONES[one.state] },
            }))
          }
          {...(canEdit && {
            onRestore: ({ title, body, version }) => {
              setStart({ title, body, count: start.count + 1, reason: `恢复第 ${version} 版` });
              close();
            },
          })}
          onClose={close}
        />
      )}
      {open === 'revoke' && item.planned && (
        <ReasonDialog
          title="撤销待生效的版本"
          action="撤销"
          danger
          question="现在生效的版本保持不变，用户不再看到这个版本。"
          reasonLabel="原因"
          isReasonNeeded
          send={(reason, options) => call(revokeRule, { key, version: item.planned?.version ?? 0, reason }, options)}
          onDone={() => done('已撤销')}
          onClose={close}
        />
      )}
      {open === 'drop' && draft && (
        <ReasonDialog
          title="放弃草稿"
          action="放弃"
          danger
          question="草稿的文字会丢失，已发布的版本不变。"
          send={(_, options) => call(dropRuleDraft, { key, draftVersion: draft.draftVersion }, options)}
          onDone={() => done('草稿已放弃')}
          onClose={close}
        />
      )}
    </>
  );
}
