import { useCallback, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  staffInspectionClaim,
  type staffInspectionInfo,
  staffInspectionOpen,
  staffInspectionRecord,
  staffInspectionSecond,
} from '#subjects/inspections/contract/inspection.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type OpenedForm, SealedViewer } from '#subjects/orders/web/parts/handover/sealed-viewer.tsx';
import { ProofPictures, ReadingsTable } from '#web/parts/readings-table.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type Reading, ReadingFields, sentReading } from '../reading-fields.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

type Info = Data<typeof staffInspectionInfo>;

/** Opens the credentials for the task's holder; above the limit a colleague must approve first. */
function Opener({ task }: { task: Info }) {
  const { revalidate } = useRevalidator();
  const [form, setForm] = useState<OpenedForm | null>(null);
  const [asking, setAsking] = useState(false);
  const { busy, error, send } = useMutation(staffInspectionOpen, {
    done: ({ form: opened }) => (opened ? setForm(opened) : setAsking(true)),
  });
  const close = useCallback(() => {
    setForm(null);
    void revalidate();
  }, [revalidate]);
  const mustAsk = task.needsSecond && !task.isAllowed;
  if (mustAsk && task.draft) return <p className="text-12 text-attn">{task.draft.by}已申请打开，等另一位同事复核</p>;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        kind="tonal"
        size="sm"
        busy={busy}
        onClick={() => (mustAsk ? setAsking(true) : void send({ taskId: task.taskId }))}
      >
        {mustAsk ? '申请打开密封信息' : '打开密封信息'}
      </Button>
      <span className="text-12 text-ink-3">
        {task.openedNum > 0 ? `已打开 ${task.openedNum} 次` : '登录后再填结果'}
      </span>
      <FormError>{error}</FormError>
      {form && <SealedViewer form={form} onClose={close} />}
      {asking && (
        <ReasonDialog
          title="申请打开密封信息"
          action="提交复核"
          question="这件商品金额较大，打开须另一位同事同意；同意后 24 小时内有效。"
          reasons={['登录逐项读取']}
          reasonLabel="原因"
          isReasonNeeded
          send={async (reason, options) => await call(staffInspectionOpen, { taskId: task.taskId, reason }, options)}
          onDone={() => {
            setAsking(false);
            toast('已提交，等同事复核', 'ok');
            void revalidate();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** The form for readings: every field of the game, without showing the seller's values. */
function RecordForm({ task }: { task: Info }) {
  const [reading, setReading] = useState<Reading>({ details: {}, pictures: [] });
  const { form, busy, errors, submit } = useMutation(staffInspectionRecord, {
    fields: ['pictures', ...task.fields.map((f) => `details.${f.key}`)],
    revalidates: 'always',
    done: ({ status, differs }) =>
      toast(
        status === 'closed'
          ? '商品已不在售，验号单已关闭'
          : status === 'review'
            ? `${differs} 项不同，等同事复核`
            : differs > 0
              ? `${differs} 项不同，已公示`
              : '与填写一致',
        'ok',
      ),
  });
  return (
    <form
      ref={form}
      className="grid gap-4"
      noValidate
      onSubmit={submit(() => ({ taskId: task.taskId, ...sentReading(reading) }))}
    >
      <ReadingFields
        intro="逐项填您在游戏里读到的；提交后才显示卖家填写的和差异。"
        fields={task.fields}
        isRequired={false}
        help="上传各项数据的截图，会在商品页公示，请遮住账号。"
        value={reading}
        errors={errors}
        busy={busy}
        onChange={setReading}
      />
    </form>
  );
}

/** A colleague's request: to open the credentials, or to confirm a re-inspection with differences. */
function Second({ task }: { task: Info }) {
  const { revalidate } = useRevalidator();
  const [allow, setAllow] = useState<boolean | null>(null);
  const { draft } = task;
  if (!draft) return null;
  const isOpen = draft.act === 'open';
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-attn-line bg-attn-bg px-4 py-2.5 text-13">
      <span className="min-w-0 flex-1">
        <b className="font-semibold">{draft.by}</b>
        {isOpen ? '申请打开密封信息' : '读到差异，复验费由基金退还'}：{draft.reason}
      </span>
      {draft.isMine ? (
        <span className="text-12 text-ink-3">等另一位同事复核</span>
      ) : (
        <>
          <Button size="sm" onClick={() => setAllow(false)}>
            退回
          </Button>
          <Button size="sm" kind="primary" onClick={() => setAllow(true)}>
            {isOpen ? '同意打开' : '确认结果'}
          </Button>
        </>
      )}
      {allow !== null && (
        <ReasonDialog
          title={allow ? '复核同意' : '退回'}
          action={allow ? '同意' : '退回'}
          question={
            isOpen
              ? '同意后对方 24 小时内可打开，您自己不能。'
              : allow
                ? `请对照截图。确认后结果公示，基金退还 ¥${task.fee}。`
                : '退回后由别的同事重新读取。'
          }
          reasons={allow ? ['已对照截图'] : ['截图看不清']}
          reasonLabel="说明"
          isReasonNeeded
          send={async (note, options) =>
            await call(
              staffInspectionSecond,
              { taskId: task.taskId, act: isOpen ? 'open' : 'repay', allow, note },
              options,
            )
          }
          onDone={() => {
            setAllow(null);
            void revalidate();
          }}
          onClose={() => setAllow(null)}
        />
      )}
    </div>
  );
}

/** One task: its holder, credentials, form and readings. */
export function TaskPanel({ task, canAct }: { task: Info; canAct: boolean }) {
  const claim = useMutation(staffInspectionClaim, { revalidates: 'always' });
  return (
    <section className="panel mb-4" aria-labelledby="task">
      <div className="panel-head flex-wrap">
        <h2 id="task">验号单 {task.taskId}</h2>
        <p>
          {task.gameName} {task.goodsSn}，{task.statusName}
          {task.inspector && `，${task.inspector}`}
        </p>
        <span className="ml-auto flex gap-2">
          {canAct && task.canClaim && (
            <Button size="sm" kind="primary" busy={claim.busy} onClick={() => void claim.send({ taskId: task.taskId })}>
              领取
            </Button>
          )}
          {canAct && task.canRecord && (
            <Button size="sm" busy={claim.busy} onClick={() => void claim.send({ taskId: task.taskId, back: 1 })}>
              放回队列
            </Button>
          )}
        </span>
        <FormError className="basis-full">{claim.error}</FormError>
      </div>
      <div className="grid gap-4 p-4">
        {task.title !== '' && <p className="text-13">{task.title}</p>}
        {task.why !== '' && <p className="text-13 text-ink-3">{task.why}</p>}
        {task.closedReason && <p className="text-13 text-ink-3">{task.closedReason}</p>}
        {canAct && task.canRecord && (
          <>
            <Opener task={task} />
            {task.openedNum > 0 && <RecordForm task={task} />}
          </>
        )}
        {task.readings.length > 0 && <ReadingsTable readings={task.readings} />}
        <ProofPictures pictures={task.pictures} label="验号截图" />
      </div>
      {canAct && <Second task={task} />}
    </section>
  );
}
