import { rateText } from '#contract/rules/fee.ts';
import { Stepper } from '#web/ui/stepper.tsx';
import type { PageData } from './middleman-loader.ts';

/** How a deal between two people runs, for who has not done one: who does what, who holds the money, what it costs. */
export function How({ fee }: { fee: PageData['fee'] }) {
  const steps = [
    ['一方发起', '写明内容、价格、约定，选谁付手续费'],
    ['对方接受', `打开链接核对，${fee.answerHours} 小时内有效`],
    ['付款到托管', '钱由平台保管，订单建群，客服在场'],
    ['按约定交付', '账号密码只填密封表单，每步留凭证'],
    ['确认后放款', '买家验收后放款；不符可申诉，款项暂停'],
  ] as const;
  return (
    <section className="panel mt-4" aria-labelledby="how">
      <div className="panel-head">
        <h2 id="how">怎么进行</h2>
        <p>
          手续费为价格的 {rateText(fee.bp)}，{fee.minimum} 到 {fee.maximum} 元
        </p>
      </div>
      <div className="px-4 py-5">
        <Stepper label="担保交易步骤" steps={steps.map(([title, note]) => ({ title, note, state: 'plan' }))} />
      </div>
    </section>
  );
}
