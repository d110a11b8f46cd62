import { Check, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { gameEffects, publishGame } from '#subjects/games/contract/staff-games.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ErrorState } from '#web/ui/states.tsx';
import { readPart } from '#subjects/back-office/staff/parts/read.ts';
import { ChangeList } from './changes.tsx';
import type { GameForm } from './use-game-form.ts';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

/** The effects of a draft; null until they are loaded. `failure` is the message of a failed call. */
export interface Effects {
  data: Data<typeof gameEffects> | null;
  failure: string | null;
  reload: () => void;
}

function EffectLine({ tone, children }: { tone: 'ok' | 'warn'; children: React.ReactNode }) {
  const Icon = tone === 'ok' ? Check : TriangleAlert;
  return (
    <li className="flex gap-2 leading-[1.375rem]">
      <Icon className={`icon mt-1 size-3.5 ${tone === 'ok' ? 'text-safe' : 'text-attn'}`} aria-hidden="true" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

/** The effect of publishing on the game's listings: counts, and a trial on three real ones. */
export function EffectList({ effects: { data: effects, failure, reload } }: { effects: Effects }) {
  if (failure !== null) return <ErrorState message={failure} onRetry={reload} />;
  if (effects === null) return <p className="text-13 text-ink-3">正在核对在售商品…</p>;
  return (
    <div className="grid gap-4 text-13 sm:grid-cols-2">
      <div>
        <h3 className="mb-1 font-semibold">发布后商品会怎样</h3>
        <ul>
          {effects.effects.map(({ tone, text }, index) => (
            <EffectLine key={index} tone={tone}>
              {text}
            </EffectLine>
          ))}
        </ul>
      </div>
      {effects.tried.length > 0 && (
        <div>
          <h3 className="mb-1 font-semibold">拿 {effects.tried.length} 件真实商品试过</h3>
          <ul>
            {effects.tried.map(({ goodsSn, tone, text }) => (
              <EffectLine key={goodsSn} tone={tone}>
                {goodsSn} {text}
              </EffectLine>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Loads the effects of the draft with that number; a game without a draft has none. */
export function useEffects(gameId: number, rev: number): Effects {
  const [read, setRead] = useState<Pick<Effects, 'data' | 'failure'> & { of: string }>({
    data: null,
    failure: null,
    of: '',
  });
  const [round, setRound] = useState(0);
  const request = `${gameId} ${rev} ${round}`;
  useEffect(() => {
    if (rev === 0) return;
    return readPart(
      gameEffects,
      { gameId },
      (data) => setRead({ data, failure: null, of: request }),
      (failure) => setRead({ data: null, failure, of: request }),
    );
  }, [gameId, rev, request]);
  const { data, failure } = read.of === request ? read : { data: null, failure: null };
  return { data, failure, reload: () => setRound(round + 1) };
}

/** Differences, effects and a reason; then the draft is the next version on all nodes. */
export function PublishDialog({
  form,
  effects,
  onDone,
  onClose,
}: {
  form: GameForm;
  effects: Effects;
  onDone: (gameId: number) => void;
  onClose: () => void;
}) {
  const { info, saved, changes } = form;
  const [reason, setReason] = useState('');
  const [open, setOpen] = useState(info.state !== 'hidden');
  const publish = useMutation(publishGame, {
    fields: ['reason'],
    check: () => ({ reason: reason.trim().length < 2 ? '请填写原因，至少 2 个字' : undefined }),
    done: ({ gameId, version }) => {
      toast(`第 ${version} 版已发布`, 'ok');
      onDone(gameId);
    },
  });
  const { form: ref } = publish;
  const send = () =>
    void publish.send({ gameId: info.gameId, rev: saved.rev, version: info.version, reason: reason.trim(), open });
  return (
    <Dialog
      title={`发布第 ${info.version + 1} 版：${saved.doc.name}`}
      busy={publish.busy}
      onClose={onClose}
      footer={
        <FormFooter busy={publish.busy} onSend={send}>
          发布
        </FormFooter>
      }
    >
      <form
        ref={ref}
        className="grid gap-4"
        onSubmit={(e) => {
          e.preventDefault();
          send();
        }}
      >
        <div>
          <h3 className="mb-1 text-13 font-semibold">
            {info.version === 0 ? '新游戏' : `与线上第 ${info.version} 版的不同`}
          </h3>
          <div className="max-h-60 overflow-y-auto">
            <ChangeList changes={changes} />
          </div>
        </div>
        <EffectList effects={effects} />
        {info.state !== 'open' && (
          <Checkbox checked={open} onChange={(e) => setOpen(e.target.checked)}>
            {info.state === 'new' ? '发布后就在前台显示' : '同时在前台恢复显示'}
          </Checkbox>
        )}
        <Field label="原因" required error={publish.errors.reason} help="2 秒内全站生效，随时可以退回任何一版">
          {(control) => <Input {...control} value={reason} onChange={(e) => setReason(e.target.value)} />}
        </Field>
        <FormError>{publish.error}</FormError>
      </form>
    </Dialog>
  );
}
