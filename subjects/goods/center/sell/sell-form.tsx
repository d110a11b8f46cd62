import { codes } from '#contract/codes.ts';
import { Clock } from 'lucide-react';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { releaseGoods, updatetGoods } from '#subjects/goods/contract/goods.ts';
import { accountTypes, goodsTypeName } from '#contract/rules/catalogue.ts';
import { call } from '#web/lib/api/api.ts';
import type { ApiFailure } from '#web/lib/api/api-failure.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { yuanOf } from '#web/lib/format/format.ts';
import { GameTile } from '../../web/parts/cover/cover.tsx';
import { failureMessage, isError } from '#web/lib/api/call-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Checkbox } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { bodyOf, emptyTyped, sellErrors, sellFieldOf, type Typed, typedOf } from './form-state.ts';
import { formMessage } from './form-messages.ts';
import { moneyOf, NetLines } from './net-card.tsx';
import { PicturesBox, type Uploads } from './pictures-box.tsx';
import { AttrsPart, Part, RegionPart, PricePart, TextPart } from './sections.tsx';
import type { Opened, SellData } from './sell-loader.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { useValued, withValuation } from './use-valued.ts';

const DRAFT_TEXT: Readonly<Record<DraftState, string>> = {
  none: '填写的内容会自动保存为草稿',
  saving: '正在保存草稿…',
  saved: '草稿已保存',
  failed: '草稿暂存在本机，联网后会自动再次保存',
  expired: '登录已过期，草稿暂存在本机，重新登录后继续填写',
};

function FormHead({ data, opened }: { data: SellData; opened: Opened }) {
  const { form, goods } = opened;
  const game = data.games.find(({ id }) => id === form.gameId);
  const typeName = game?.types.find(({ id }) => id === form.goodsTypeId)?.name ?? goodsTypeName(form.goodsTypeId);
  return (
    <div className="panel flex items-center gap-3 p-4">
      <GameTile name={form.gameName} icon={game?.icon} size={40} className="rounded-control!" />
      <div className="min-w-0">
        <h1 className="text-16 font-semibold">
          {goods ? '修改商品' : '发布'} {form.gameName} {typeName}
        </h1>
        <p className="text-12 text-ink-3">
          {goods
            ? `${goods.goodsSn}，改动标题、描述、图片或属性后需要重新审核`
            : `提交后由平台审核，${data.reviewText && `${data.reviewText}，`}通过后自动上架`}
        </p>
      </div>
      {!goods && (
        <Link to="/center/sell" className="btn btn-sm ml-auto">
          更换类型
        </Link>
      )}
    </div>
  );
}

function Restored({
  at,
  isEdit,
  isAccount,
  onClear,
}: {
  at: string;
  isEdit: boolean;
  /** The number of an account is never saved in a draft. */
  isAccount: boolean;
  onClear: () => void;
}) {
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-brand-25 px-4 py-2.5 text-13 text-ink-2"
      role="status"
    >
      <Clock className="icon text-brand-700" aria-hidden="true" />
      <span>
        已恢复
        <TimeLabel at={at} />
        没有提交的内容{isAccount && '，游戏账号需重新填写'}
      </span>
      <button type="button" className="link ml-auto" onClick={onClear}>
        {isEdit ? '放弃这些修改' : '清空重填'}
      </button>
    </div>
  );
}

function Rejected({ reason }: { reason: string }) {
  return (
    <div className="rounded-control border border-danger-line bg-danger-bg px-4 py-2.5 text-13" role="status">
      <b className="font-semibold text-danger">上次未通过：</b>
      {reason}
    </div>
  );
}

interface Problem {
  text: string;
  /** The seller confirms that the password was changed, and sends again. */
  needsPasswordChange?: boolean;
  link?: { to: string; label: string };
}

interface Sending {
  typed: Typed;
  passwordChanged: boolean;
}

/** Sends the form: a new goods, or an edit of one. */
async function sendGoods({ form, goods }: Opened, { typed, passwordChanged }: Sending, options: SendOptions) {
  const body = { ...bodyOf(typed, form), ...(passwordChanged && { passwordChanged }) };
  return goods
    ? await call(updatetGoods, { goodsSn: goods.goodsSn, ...body }, options)
    : await call(releaseGoods, { gameId: form.gameId, goodsTypeId: form.goodsTypeId, ...body }, options);
}

/** The page that explains what happens next. */
function sentPath({ form, goods }: Opened, sent: { goodsSn: string; status: number }): string {
  const again = `&gameId=${form.gameId}&gt=${form.goodsTypeId}`;
  return `/center/sell?done=${sent.goodsSn}&status=${sent.status}${goods ? '&edited=1' : again}`;
}

function problemOf(failure: ApiFailure, back: string): Problem {
  if (isError(failure, codes.REAL_NAME_REQUIRED))
    return {
      text: failure.msg,
      link: { to: `/center/myself/identityAuthentication?returnUrl=${encodeURIComponent(back)}`, label: '去实名认证' },
    };
  if (failure.status === 401)
    return {
      text: '登录已过期，填写的内容已保存在本机',
      link: { to: `/login?returnUrl=${encodeURIComponent(back)}`, label: '重新登录' },
    };
  return { text: failureMessage(failure), needsPasswordChange: isError(failure, codes.GOODS_PASSWORD_DUE) };
}

interface ProblemsProps {
  problem: Problem;
  passwordChanged: boolean;
  onPasswordChanged: (changed: boolean) => void;
}

function Problems({ problem, passwordChanged, onPasswordChanged }: ProblemsProps) {
  if (problem.needsPasswordChange)
    return (
      <div className="grid gap-2 text-13" role="alert">
        <p className="text-attn">{problem.text}</p>
        <Checkbox checked={passwordChanged} onChange={(event) => onPasswordChanged(event.target.checked)}>
          已修改密码
        </Checkbox>
      </div>
    );
  return (
    <FormError>
      <span>
        {problem.text}
        {problem.link && (
          <Link to={problem.link.to} className="link ml-2">
            {problem.link.label}
          </Link>
        )}
      </span>
    </FormError>
  );
}

/** Why the form cannot be submitted while uploads are running or failed; null when none are. */
function uploadMessage({ running, failed }: Uploads): string | null {
  if (running > 0) return '图片还在上传，传完再提交';
  return failed > 0 ? `有 ${failed} 张图片没有传上去，请重新上传或放弃` : null;
}

/** The bottom bar on phones: proceeds, what is still missing, and the button; the state of the draft only when it did not reach the server. */
function SellBar({
  net,
  netLabel,
  missing,
  label,
  busy,
  state,
  children,
}: {
  net: string | null;
  netLabel: string;
  /** How many fields still need a value. */
  missing: number;
  label: string;
  busy: boolean;
  state: DraftState;
  children: ReactNode;
}) {
  return (
    <div className="sell-bar">
      {children}
      {!children && (state === 'failed' || state === 'expired') && (
        <p className="text-12 text-attn" role="status">
          {DRAFT_TEXT[state]}
        </p>
      )}
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1">
          {net === null ? (
            <span className="block text-13 text-ink-3">填写价格后显示到手</span>
          ) : (
            <span className="block">
              <span className="text-12 text-ink-3">{netLabel} </span>
              <Amount yuan={net} className="text-16 font-bold" />
            </span>
          )}
          <span className="block text-12 text-ink-3">{missing > 0 ? `还有 ${missing} 项没填` : '可以提交了'}</span>
        </p>
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          {label}
        </Button>
      </div>
    </div>
  );
}

/** Proceeds and the button, next to the form on wide screens. */
function SellAside({
  net,
  label,
  busy,
  state,
  children,
}: {
  net: ComponentProps<typeof NetLines>;
  label: string;
  busy: boolean;
  state: DraftState;
  children: ReactNode;
}) {
  return (
    <aside className="panel sticky top-19 grid gap-4 p-4 max-lg:hidden" aria-label="到手金额">
      <h2 className="text-14 font-semibold">成交后您能拿到</h2>
      <NetLines {...net} />
      <div className="grid gap-2">
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          {label}
        </Button>
        {children}
        <p className="text-12 text-ink-3" role="status">
          {DRAFT_TEXT[state]}
        </p>
      </div>
    </aside>
  );
}

/** Sends the form after a pending draft is saved; an error is shown next to its field and announced as a problem. */
function useSending(
  opened: Opened,
  { hold, goOn, forget }: ReturnType<typeof useDraft>,
  onProblem: (problem: Problem) => void,
) {
  const { form, areas, goods } = opened;
  const navigate = useNavigate();
  return useMutation(
    async (sending: Sending, options) => {
      await hold();
      return await sendGoods(opened, sending, options);
    },
    {
      check: ({ typed }) => sellErrors(typed, { form, areas, hasAccount: goods?.hasAccount ?? false }),
      failed: (failure) => {
        goOn();
        const field = failure.field === undefined ? null : sellFieldOf(failure.field, form);
        onProblem(problemOf(failure, `${window.location.pathname}${window.location.search}`));
        return field ? { [field]: failure.msg } : {};
      },
      done: async (sent) => {
        forget(false);
        await navigate(sentPath(opened, sent), goods ? { replace: true } : {});
      },
    },
  );
}

/** The form that publishes or edits a listing; input is never lost. */
export function SellFormPage({ data, opened }: { data: SellData; opened: Opened }) {
  const { form, areas, goods, draftKey, draft } = opened;
  const hasAccount = goods?.hasAccount ?? false;
  const [base] = useState(() =>
    goods ? typedOf(goods) : data.valued ? withValuation(emptyTyped, data.valued) : emptyTyped,
  );
  const saved = useDraft({ draftKey, userId: data.userId, base, saved: draft });
  const { typed, change, forget, restored, state } = saved;
  useValued(goods ? undefined : data.valued, change);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [passwordChanged, setPasswordChanged] = useState(false);
  const [uploads, setUploads] = useState<Uploads>({ running: 0, failed: 0 });
  const { form: ref, busy, errors, setErrors, send } = useSending(opened, saved, setProblem);
  const isAccount = accountTypes.includes(form.goodsTypeId);
  const messages = formMessage(form.goodsTypeId);
  const setPictures = (next: (before: Typed['pictures']) => Typed['pictures']) => {
    change((before) => ({ ...before, pictures: next(before.pictures) }));
    setProblem(null);
    setErrors({ ...errors, pictures: undefined });
  };
  const set = (part: Partial<Typed>) => {
    change((before) => ({ ...before, ...part }));
    setProblem(null);
    setErrors(
      Object.fromEntries(
        Object.entries(errors).filter(([name]) => {
          const [field = '', key] = name.split(':');
          return key === undefined
            ? !(field in part)
            : part.details === undefined || part.details[key] === typed.details[key];
        }),
      ),
    );
  };

  const wrong = Object.keys(sellErrors(typed, { form, areas, hasAccount })).length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const uploadProblem = uploadMessage(uploads);
    const text = wrong > 0 ? `还有 ${wrong} 项需要修改` : uploadProblem;
    setProblem(text === null ? null : { text });
    if (wrong > 0 || uploadProblem === null) void send({ typed, passwordChanged });
  };

  const passwordProps = { passwordChanged, onPasswordChanged: setPasswordChanged };
  const parts = { form, areas, typed, errors, set };
  const money = moneyOf(typed.price, data.fees);
  const label = goods ? '提交修改' : '提交审核';
  return (
    <form ref={ref} noValidate className="grid gap-4" onSubmit={submit}>
      <FormHead data={data} opened={opened} />
      {goods?.reviewNote && <Rejected reason={goods.reviewNote} />}
      {restored && (
        <Restored
          at={restored}
          isEdit={goods !== undefined}
          isAccount={isAccount && !hasAccount}
          onClear={() => {
            forget(true);
            setErrors({});
          }}
        />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_280px]">
        <div className="grid min-w-0 gap-4">
          <RegionPart {...parts} hasAccount={hasAccount} />
          <AttrsPart {...parts} />
          <Part title="图片" note="第一张是封面">
            <PicturesBox
              pictures={typed.pictures}
              max={form.maxPictures}
              error={errors.pictures}
              help="可选择多张，也可拖入或粘贴；拖动（手机上按住后拖动）或用箭头调整顺序。PNG 或 JPEG，每张不超过 10M，请遮住账号和手机号。"
              onChange={setPictures}
              onUploads={setUploads}
            />
          </Part>
          <TextPart {...parts} />
          <PricePart {...parts} fees={data.fees} holdHours={data.holdHours} demand={opened.demand} />
        </div>
        <SellAside
          net={{
            price: typed.price,
            fees: data.fees,
            holdHours: data.holdHours,
            unit: !isAccount,
            netLabel: messages.net,
          }}
          label={label}
          busy={busy}
          state={state}
        >
          {problem && <Problems problem={problem} {...passwordProps} />}
        </SellAside>
      </div>
      <SellBar
        net={money && yuanOf(money.netFen)}
        netLabel={messages.net}
        missing={wrong}
        label={label}
        busy={busy}
        state={state}
      >
        {problem && <Problems problem={problem} {...passwordProps} />}
      </SellBar>
    </form>
  );
}
