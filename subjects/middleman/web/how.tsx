import { useState } from 'react';
import { ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { type Step, Stepper } from '#web/ui/forms/stepper.tsx';
import { FeeSums, feeText, type FeePayer, FeePayerField } from './fee-sums.tsx';
import type { PageData } from './middleman-loader.ts';

type Fee = PageData['fee'];

/** Price and fee payer with the resulting sums; works without a log-in. */
function Calculator({ fee }: { fee: Fee }) {
  const [price, setPrice] = useState('1000');
  const [payer, setPayer] = useState<FeePayer>('half');
  return (
    <section className="grid content-start gap-4" aria-labelledby="calculator">
      <h2 id="calculator" className="text-14 font-semibold">
        算一算手续费
      </h2>
      <div className="grid grid-cols-2 gap-4">
        <Field label="谈好的价格（元）" required>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              maxLength={9}
              value={price}
              onChange={(event) => setPrice(event.target.value)}
            />
          )}
        </Field>
        <FeePayerField payer={payer} onChoose={setPayer} />
      </div>
      <FeeSums fee={fee} price={price} payer={payer} />
      <p className="text-12 text-ink-3">{feeText(fee)}。没有其他费用，对方没有接受就不收。</p>
    </section>
  );
}

/** For visitors: description, cost, and the log-in. */
export function Welcome({ fee, login }: { fee: Fee; login: string }) {
  return (
    <div className="grid gap-x-10 gap-y-6 p-4 md:grid-cols-2 md:p-6">
      <div className="grid content-start gap-4">
        <p className="text-16 font-semibold">在别处谈好了，又不敢先付钱或先给号？</p>
        <p className="text-13 text-ink-2">
          一方填好内容和价格，把链接发给对方；对方接受后付款到平台托管，买家确认收货才放款给卖家。账号、金币、道具都可以，也可以与游戏无关。
        </p>
        <p className="flex flex-wrap gap-3">
          <ButtonLink to={login} kind="primary" size="lg">
            登录后发起
          </ButtonLink>
        </p>
        <p className="text-12 text-ink-3">已收到对方的链接？直接打开它即可查看并接受。</p>
      </div>
      <Calculator fee={fee} />
    </div>
  );
}

function stepsOf(fee: Fee): Step[] {
  const plan = (title: string, note: string): Step => ({ title, note, state: 'plan' });
  return [
    plan('一方发起', '写清内容、价格、约定和手续费由谁承担'),
    plan('对方接受', `凭链接查看，${fee.answerHours} 小时内接受或拒绝`),
    plan('买家付款', `接受后 ${fee.payHours} 小时内付到平台托管，交易群自动建立，客服在场`),
    plan('交付验收', '账号按该游戏的换绑步骤逐步交付，其他内容以发起时写的为准'),
    plan('确认放款', '买家确认收货后，货款过保护期转入卖家余额'),
  ];
}

const QUESTIONS: readonly { question: string; answer: string }[] = [
  { question: '谁能看到这笔交易？', answer: '只有双方和持有链接的人，不会出现在商品列表和搜索里。' },
  { question: '对方不接受或不付款怎么办？', answer: '没有付款就没有费用：过期自动关闭，发起人也可以随时撤回。' },
  {
    question: '付款后有争议怎么办？',
    answer: '货款仍在托管，任何一方都可以在订单里申诉，客服按双方约定和聊天记录裁决。',
  },
  { question: '对方让我在站外付款？', answer: '不要付。平台只托管订单页里的付款，站外转账无法追回。' },
];

/** How a private deal works, step by step, with frequent questions. */
export function HowItWorks({ fee }: { fee: Fee }) {
  return (
    <section className="panel mt-4" aria-labelledby="how">
      <div className="panel-head">
        <h2 id="how">怎么交易</h2>
      </div>
      <div className="px-4 py-6 md:px-6">
        <Stepper steps={stepsOf(fee)} label="担保交易的步骤" />
      </div>
      <dl className="grid gap-x-10 gap-y-4 border-t border-line-soft p-4 text-13 md:grid-cols-2 md:p-6">
        {QUESTIONS.map(({ question, answer }) => (
          <div key={question} className="grid content-start gap-1">
            <dt className="font-semibold">{question}</dt>
            <dd className="text-ink-2">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
