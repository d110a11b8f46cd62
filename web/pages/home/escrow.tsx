import { ArrowRight, Lock } from 'lucide-react';
import { Link } from 'react-router';

const STEPS = [
  ['付款', '钱进平台托管账户'],
  ['核对', '客服逐项核对账号'],
  ['换绑', '手机、密码、实名换成您的'],
  ['放款', '保护期过了没有申诉，才给卖家'],
] as const;

/** Handling of the money when a trade goes wrong, the first question of a new buyer. */
const WHEN_WRONG = [
  ['卖家到时没发货', '自动全额退款'],
  ['号和验号结果不符', '申诉期间，钱不放给卖家'],
  ['买了包赔，号被找回', '到期没追回，由平台赔付'],
] as const;

/** The flow of money and account, as a picture: the buyer pays the market, receives the account, and only then is the seller paid. */
function Flow() {
  return (
    <svg
      className="escrow max-md:hidden"
      viewBox="0 0 728 168"
      role="img"
      aria-label="您付款到平台托管，卖家把号交给您，您验收后平台才放款给卖家"
    >
      <path className="escrow-safe" d="M70 56H256m-9-6 9 6-9 6" />
      <path className="escrow-wait" d="M466 56H652m-9-6 9 6-9 6" />
      <path d="M692 92v26a22 22 0 0 1-22 22H58a22 22 0 0 1-22-22V94m-6 9 6-9 6 9" />
      <circle className="escrow-you" cx="36" cy="56" r="30" />
      <circle cx="692" cy="56" r="30" />
      <rect className="escrow-vault" x="264" y="18" width="196" height="76" rx="12" />
      <Lock className="icon" x="286" y="42" width="28" height="28" strokeWidth={1.6} />
      <rect x="160" y="122" width="408" height="36" rx="18" />
      <g textAnchor="middle">
        <text x="36" y="61">
          您
        </text>
        <text x="692" y="61">
          卖家
        </text>
        <text x="163" y="40">
          ① 付款
        </text>
        <text x="559" y="40">
          ④ 放款
        </text>
        <text x="364" y="145">
          ② 客服核对　③ 手机、密码、实名逐步换绑
        </text>
      </g>
      <text className="escrow-title" x="330" y="52">
        平台托管
      </text>
      <text x="330" y="74">
        钱在这里等您验收
      </text>
    </svg>
  );
}

/** The head of the home page: the promise, and the way of the money as a picture; on phones as four short lines. */
export function EscrowHero({ guideTo }: { guideTo: string | null }) {
  return (
    <section className="panel home-escrow">
      <h1>钱在平台，号到手再放款</h1>
      <p className="mt-1 text-ink-2 max-md:text-13">
        全包价一眼看清，每一步都知道钱在谁手里
        {guideTo && (
          <Link to={guideTo} className="link ml-2 inline-flex items-center gap-1 max-md:hidden">
            看一笔完整的交易
            <ArrowRight className="icon size-3.5" aria-hidden="true" />
          </Link>
        )}
      </p>
      <Flow />
      <dl className="mt-2 grid grid-cols-3 gap-6 border-t border-line-soft pt-4 max-md:hidden">
        {WHEN_WRONG.map(([name, text]) => (
          <div key={name}>
            <dt className="text-12 text-ink-3">{name}</dt>
            <dd className="mt-0.5 font-semibold">{text}</dd>
          </div>
        ))}
      </dl>
      <ol className="mt-3 grid grid-cols-4 gap-2 md:hidden">
        {STEPS.map(([name, text], index) => (
          <li key={name} title={text} className="flex items-center gap-1.5 text-13 font-semibold">
            <i className="grid size-5 flex-none place-items-center rounded-full bg-act text-11 text-ink-on not-italic">
              {index + 1}
            </i>
            {name}
          </li>
        ))}
      </ol>
    </section>
  );
}
