import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { GameDoc, StepDoc } from '#subjects/games/contract/game-doc.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { RowButtons } from '#subjects/back-office/staff/parts/form/row-buttons.tsx';
import { StepForm } from './step-form.tsx';
import type { GameForm } from './use-game-form.ts';

export const actorNames: Readonly<Record<StepDoc['actor'], string>> = { seller: '卖家', buyer: '买家', staff: '客服' };

/** One set of steps: for whole accounts, or for the goods types that share it. */
interface Plan {
  path: string;
  name: string;
  steps: StepDoc[];
  put: (handover: GameDoc['handover'], steps: StepDoc[]) => GameDoc['handover'];
}

function plansOf(doc: GameDoc): Plan[] {
  const nameOf = (id: number) => doc.goodsTypes.find((t) => t.id === id)?.name;
  const accounts = doc.goodsTypes.filter(({ id }) => accountTypes.includes(id)).map(({ name }) => name);
  const own: Plan[] =
    accounts.length > 0 || doc.handover.accounts.length > 0
      ? [
          {
            path: 'handover.accounts',
            name: accounts.join('、') || '账号（未开放）',
            steps: doc.handover.accounts,
            put: (handover, steps) => ({ ...handover, accounts: steps }),
          },
        ]
      : [];
  return [
    ...own,
    ...doc.handover.deliveries.map((delivery, at): Plan => {
      const names = delivery.goodsTypes.map(nameOf).filter((n) => n !== undefined);
      return {
        path: `handover.deliveries.${at}.steps`,
        name: names.join('、') || '未开放的类型',
        steps: delivery.steps,
        put: (handover, steps) => ({
          ...handover,
          deliveries: handover.deliveries.map((d, i) => (i === at ? { ...d, steps } : d)),
        }),
      };
    }),
  ];
}

/** Returns a key that no step of the set uses. */
function freeKey(steps: readonly StepDoc[]): string {
  for (let n = steps.length + 1; ; n++) if (!steps.some(({ key }) => key === `step_${n}`)) return `step_${n}`;
}

function minutesText(minutes: number): string {
  if (!Number.isFinite(minutes)) return '';
  if (minutes >= 1440 && minutes % 1440 === 0) return `${minutes / 1440} 天`;
  return minutes >= 60 && minutes % 60 === 0 ? `${minutes / 60} 小时` : `${minutes} 分钟`;
}

/** The hand-over steps of each goods type: actor, action, order and deadline. Existing orders keep their steps. */
export function StepsTab({ form }: { form: GameForm }) {
  const { doc, errors, change } = form;
  const plans = plansOf(doc);
  const [path, setPath] = useState(plans[0]?.path);
  const plan = plans.find((p) => p.path === path) ?? plans[0];
  const [chosen, setChosen] = useState(0);
  if (!plan)
    return (
      <div className="panel">
        <EmptyState title="还没有要交付的商品类型">先在「商品类型」里打开一种。</EmptyState>
      </div>
    );
  const put = (steps: StepDoc[]) => change({ handover: plan.put(doc.handover, steps) });
  const at = Math.min(chosen, plan.steps.length - 1);
  const add = () => {
    const step: StepDoc = {
      key: freeKey(plan.steps),
      title: '',
      actor: 'seller',
      minutes: 30,
      evidence: false,
      required: true,
      beforeShip: false,
      explain: '',
    };
    // Before the buyer's last step.
    const where = Math.max(0, plan.steps.length - 1);
    put([...plan.steps.slice(0, where), step, ...plan.steps.slice(where)]);
    setChosen(where);
  };
  const faultsAt = (i: number) =>
    Object.keys(errors).some((p) => errors[p] && (p === `${plan.path}.${i}` || p.startsWith(`${plan.path}.${i}.`)));
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <span className="segments" role="group" aria-label="步骤属于">
          {plans.map((p) => (
            <button
              key={p.path}
              type="button"
              aria-pressed={p.path === plan.path}
              onClick={() => {
                setPath(p.path);
                setChosen(0);
              }}
            >
              {p.name}
            </button>
          ))}
        </span>
        <span className="text-12 text-ink-3">已有订单照下单时的步骤走，改动只用于新订单</span>
      </div>
      <FormError>{errors['handover.deliveries']}</FormError>
      <div className="grid items-start gap-3 lg:grid-cols-[440px_minmax(0,1fr)]">
        <section className="panel min-w-0" aria-label="步骤">
          <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2.5">
            <h2 className="text-14 font-semibold">步骤</h2>
            <span className="text-12 text-ink-3">{plan.steps.length} 步</span>
            <Button size="sm" kind="ghost" className="ml-auto" onClick={add}>
              <Plus className="icon size-3.5" aria-hidden="true" />
              加一步
            </Button>
          </div>
          <FormError>{errors[plan.path]}</FormError>
          <ol>
            {plan.steps.map((step, i) => (
              <li
                key={`${step.key}-${i}`}
                className={cx(
                  'flex items-center gap-2 border-b border-line-soft px-3 py-1.5',
                  i === at && 'bg-brand-50 shadow-[inset_3px_0_0_var(--act)]',
                )}
              >
                <span className="w-5 flex-none text-right text-12 text-ink-3">{i + 1}</span>
                <button
                  type="button"
                  className="min-w-0 flex-1 text-left"
                  aria-current={i === at || undefined}
                  onClick={() => setChosen(i)}
                >
                  <span className={cx('block truncate', i === at && 'font-semibold')}>{step.title || '未命名'}</span>
                  <span className="text-12 text-ink-3">
                    {actorNames[step.actor]}，{step.beforeShip ? '发货前' : '发货后'}，{minutesText(step.minutes)}
                    {step.evidence && '，要截图'}
                    {!step.required && '，选做'}
                  </span>
                </button>
                {faultsAt(i) && <Tag tone="danger">有误</Tag>}
                {step.secret && <Tag>密封</Tag>}
                <RowButtons list={plan.steps} index={i} name={step.title} onChange={put} />
              </li>
            ))}
          </ol>
        </section>
        {plan.steps[at] && (
          <StepForm
            key={`${plan.path}.${at}`}
            form={form}
            step={plan.steps[at]}
            path={`${plan.path}.${at}`}
            onChange={(step) => put(plan.steps.map((s, i) => (i === at ? step : s)))}
          />
        )}
      </div>
    </div>
  );
}
