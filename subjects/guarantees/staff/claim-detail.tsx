import { type ReactNode, useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { staffClaimAction, staffClaimDetail, staffClaimSecond } from '#subjects/guarantees/contract/staff-claims.ts';
import type { Data } from '#contract/endpoint.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { staffLabel } from '#subjects/orders/rules/order-text.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ClaimClock } from '#subjects/disputes/web/parts/cases/claim-clock.tsx';
import { ClaimSteps } from '#subjects/disputes/web/parts/cases/claim-steps.tsx';
import { workbenchPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Proof } from '#subjects/orders/web/parts/handover/proof.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { LinkBadges } from '#subjects/back-office/staff/list/link-badges.tsx';
import { Receipts } from '#subjects/guarantees/staff/claim/receipts.tsx';
import { SameAccount } from '#subjects/guarantees/staff/claim/same-account.tsx';
import { SecondReview } from '#subjects/back-office/staff/parts/dialogs/second-review.tsx';
import { BackHead } from '#subjects/back-office/staff/parts/back-head.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '理赔案卷', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const file = await request(staffClaimDetail, { claimSn: args.params.sn ?? '' });
  const talk = staffCan(staff, 'chat.serve') ? workbenchPath(file.orderSn) : null;
  return { file, talk, now: new Date().toISOString() };
}

type File = Data<typeof staffClaimDetail>;
type ClaimAction = 'accept' | 'note' | 'pay' | 'refuse' | 'recovered';

const ACTIONS: Readonly<
  Record<ClaimAction, { label: string; question: string; reasons: readonly string[]; done: string; danger?: boolean }>
> = {
  accept: {
    label: '受理',
    question: '受理后开始追索计时；期满未追回且符合规则 5.5 的自动赔付，其余转双人裁定。',
    reasons: ['截图核实，开始联系卖家追回', '证明齐全，已联系原号主'],
    done: '已受理，追索开始计时',
  },
  note: {
    label: '记录进展',
    question: '写在公开时钟的最近一次动作里，申请人能看到全文，公示页只显示冒号前的部分。',
    reasons: ['已联系卖家，等待答复', '卖家答复配合追回', '已向游戏方提交申诉'],
    done: '已记录',
  },
  pay: {
    label: '通过并赔付',
    question: '提交后由另一位同事复核；通过后从包赔基金赔付到申请人余额，保障结束，账号的在售商品下架，不能撤回。',
    reasons: ['证据充分，卖家失联', '卖家确认无法追回'],
    done: '已赔付',
  },
  refuse: {
    label: '不予赔付',
    question: '须引用一条公开规则，并由另一位同事复核；通过后保障继续有效，申请人可以补充证明后再次申请。',
    reasons: ['记录显示账号曾转借他人使用', '证明与账号登录记录不符'],
    done: '已拒绝',
    danger: true,
  },
  recovered: {
    label: '账号已追回',
    question: '账号已回到申请人手里，由另一位同事复核后理赔结束，保障继续。',
    reasons: ['卖家已配合改回绑定，申请人确认可登录'],
    done: '已按追回结束',
  },
};

const hasHeld = (file: File): boolean => Number(file.held) > 0;
/** The smaller of two amounts in yuan. */
const lower = (a: string, b: string): string => (Number(a) < Number(b) ? a : b);

/** The action's dialog; rejecting a claim also requires the rule. */
function ActionDialog({ file, action, onClose }: { file: File; action: ClaimAction; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const [ruleNo, setRuleNo] = useState('');
  const [spares, setSpares] = useState(false);
  const [amount, setAmount] = useState(() => lower(file.asked, file.limit));
  const { label, question, reasons, done, danger } = ACTIONS[action];
  const extra: ReactNode =
    action === 'refuse' ? (
      <Field label="引用规则" required>
        {(control) => (
          <Select {...control} value={ruleNo} onChange={(event) => setRuleNo(event.target.value)}>
            <option value="">请选择</option>
            {file.ruleBook.map(({ no, title }) => (
              <option key={no} value={no}>
                {no} {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
    ) : null;
  return (
    <ReasonDialog
      title={label}
      action={label}
      danger={danger === true}
      question={
        <div className="grid gap-3">
          <p>{question}</p>
          {action === 'pay' && (
            <>
              <Field
                label="赔付金额（元）"
                required
                help={`申请 ${grouped(file.asked)} 元；${file.reasonName}目前最多 ${grouped(file.limit)} 元：${file.limitText}。`}
              >
                {(control) => (
                  <Input
                    {...control}
                    inputMode="decimal"
                    autoComplete="off"
                    value={amount}
                    onChange={(event) => setAmount(event.target.value)}
                  />
                )}
              </Field>
              <Checkbox checked={spares} onChange={(event) => setSpares(event.target.checked)}>
                损失与卖家无关，不向卖家追偿（冻结货款 {grouped(file.held)} 元、保证金、余额与欠款）
              </Checkbox>
            </>
          )}
          {extra}
        </div>
      }
      reasons={reasons}
      reasonLabel="说明"
      isReasonNeeded
      send={async (text) => {
        const body = {
          claimSn: file.claimSn,
          act: action,
          text,
          ...(ruleNo && { ruleNo }),
          ...(action === 'pay' && { amount: amount.trim() }),
          ...(spares && { sparesSeller: '1' as const }),
        };
        const { waits: isPending } = await call(staffClaimAction, body, { quiet: true });
        toast(isPending ? '已提交，等待另一位同事复核' : done, 'ok');
      }}
      onDone={() => {
        onClose();
        void revalidate();
      }}
      onClose={onClose}
    />
  );
}

/** A decision that needs a second person. */
function Draft({ file }: { file: File }) {
  const { draft, claimSn } = file;
  if (!draft) return null;
  return (
    <SecondReview
      title={`待复核：${draft.act === 'pay' ? '赔付' : (ACTIONS[draft.act as ClaimAction]?.label ?? '')}`}
      by={draft.by}
      isMine={draft.isMine}
      mayDecide={file.acts.includes('second')}
      allow={{ question: '通过后立即执行，不能撤回。', done: '已执行' }}
      reject={{ question: '退回后由提交人修改，或由其他同事处理。', done: '已退回' }}
      send={(decided) => call(staffClaimSecond, { claimSn, draftId: draft.draftId, ...decided }, { quiet: true })}
    >
      <p>
        {draft.act === 'pay' && <Amount yuan={draft.amount ?? file.asked} className="mr-3 font-semibold" />}
        {draft.text}
        {draft.sparesSeller && <span className="ml-3 text-ink-3">不向卖家追偿</span>}
      </p>
    </SecondReview>
  );
}

interface HeadProps {
  file: File;
  /** The order's conversation; null for staff without the chat permission. */
  talk: string | null;
  now: string;
  onAction: (action: ClaimAction) => void;
}

function Head({ file, talk, now, onAction }: HeadProps) {
  const actions = (Object.keys(ACTIONS) as ClaimAction[]).filter((action) => file.acts.includes(action));
  return (
    <section className="panel" aria-label="理赔状态">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line-soft px-4 py-3">
        <h1 className="text-16 font-semibold">{file.statusName}</h1>
        <Tag>{file.tierName}</Tag>
        <span className="text-14 font-semibold">
          <Amount yuan={file.paid ?? file.asked} />
        </span>
        <span className="ml-auto flex flex-wrap gap-2">
          {actions.map((action) => (
            <Button
              key={action}
              size="sm"
              kind={
                action === 'refuse'
                  ? 'danger'
                  : action === (actions[0] === 'accept' ? 'accept' : 'pay')
                    ? 'primary'
                    : 'plain'
              }
              onClick={() => onAction(action)}
            >
              {ACTIONS[action].label}
            </Button>
          ))}
        </span>
      </div>
      <div className="px-4 py-3">
        <ClaimClock clock={file.clock} now={now} />
        {file.escalations.length > 0 && (
          <p className="mt-2 text-13 text-ink-2">没有自动赔付：{file.escalations.join('；')}。</p>
        )}
        {file.refusal && <p className="mt-2 text-13 text-ink-2">不予赔付：{file.refusal}</p>}
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line-soft px-4 py-2 text-13">
        <UserLink id={file.userId}>
          <span className="text-ink-3">申请人</span> {file.userName}
        </UserLink>
        <UserLink id={file.sellerId}>
          <span className="text-ink-3">卖家</span> {file.sellerName}
        </UserLink>
        <LinkBadges links={file.related} />
        <Link to={`/backstage/orders/${file.orderSn}`} className="link">
          订单 {file.orderSn}
        </Link>
        {talk && (
          <Link to={talk} className="link">
            进入会话
          </Link>
        )}
        <span className="text-ink-3">{file.staffName ? staffLabel(file.staffName) : '客服未分配'}</span>
        <span className="text-ink-3">{file.distName}</span>
      </p>
    </section>
  );
}

/** One claim for staff: its deadlines, the evidence, the terms of the cover, and its history. */
export default function AdminClaim() {
  const { file, talk, now } = useLoaderData<typeof loader>();
  const [action, setAction] = useState<ClaimAction | null>(null);
  return (
    <>
      <BackHead to="/backstage/claims" name="理赔">
        <span className="text-ink-3">{file.claimSn}</span>
      </BackHead>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Head file={file} talk={talk} now={now} onAction={setAction} />
        <Draft file={file} />
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <section className="panel" aria-label="申请内容">
            <div className="panel-head">
              <h2>申请内容</h2>
              <p>{file.reasonName}</p>
            </div>
            <div className="grid gap-2 px-4 py-3">
              <p className="leading-text break-words whitespace-pre-line">{file.explain}</p>
              <Proof pictures={file.pictures} />
            </div>
          </section>
          <section className="panel" aria-label="保障条款">
            <div className="panel-head">
              <h2>保障条款</h2>
              <p>第 {Math.max(1, file.holders)} 位持有人</p>
            </div>
            <div className="grid gap-1.5 px-4 py-3 text-13">
              <p>{file.coverText}。</p>
              {file.exclusions.map((sentence) => (
                <p key={sentence} className="text-ink-3">
                  不赔：{sentence}。
                </p>
              ))}
              <p className="flex flex-wrap gap-x-5 text-ink-2">
                <span>
                  商品价 <Amount yuan={file.price} />
                </span>
                <span>
                  保费 <Amount yuan={file.premium} />
                </span>
                <span>
                  保障上限 <Amount yuan={file.payoutMax} />
                </span>
                <span>
                  该原因目前最多 <Amount yuan={file.limit} className="font-semibold" />
                </span>
              </p>
              {hasHeld(file) && (
                <p className="text-ink-2">
                  卖家还有 <Amount yuan={file.held} className="font-semibold" />{' '}
                  货款未放出，理赔期间停止计时；赔付时先从中收回（规则 5.3）。
                </p>
              )}
              <p className="text-ink-3">{file.limitText}。</p>
              {file.recourse && (
                <p className="text-ink-2">
                  {file.recourse.spared ? (
                    '已认定损失与卖家无关，未追偿。'
                  ) : (
                    <>
                      追偿：冻结货款 <Amount yuan={file.recourse.held} />
                      ，保证金 <Amount yuan={file.recourse.deposit} />
                      ，记为卖家欠款 <Amount yuan={file.recourse.debt} />。
                    </>
                  )}
                </p>
              )}
            </div>
          </section>
        </div>
        {(file.takesReceipts || file.receipts.length > 0) && <Receipts file={file} />}
        <SameAccount file={file} />
        <ClaimSteps steps={file.steps} />
        {file.before.length > 0 && (
          <section className="panel" aria-label="以往理赔">
            <div className="panel-head">
              <h2>以往理赔</h2>
            </div>
            <ul className="px-4 py-1 text-13">
              {file.before.map((e) => (
                <li key={e.claimSn} className="flex flex-wrap gap-x-4 border-b border-line-soft py-2 last:border-b-0">
                  <Link to={`/backstage/claims/${e.claimSn}`} className="link">
                    {e.claimSn}
                  </Link>
                  <span>{e.statusName}</span>
                  <Amount yuan={e.asked} />
                  <time className="text-ink-3">{fullAt(e.time)}</time>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {action && <ActionDialog file={file} action={action} onClose={() => setAction(null)} />}
    </>
  );
}
