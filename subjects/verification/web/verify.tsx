import { BadgeCheck, CircleSlash, MessageCircleQuestion } from 'lucide-react';
import { type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { serQqList } from '#subjects/verification/contract/service-numbers.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ServiceCheck } from './parts/trust/service-check.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FakeReport } from './fake-report.tsx';

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '客服验真', description: '输入 QQ、微信、手机号或收款账户，当场验证是不是本站真客服' });

export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const numbers = await optional(call(serQqList, {}));
  return { numbers: numbers?.list ?? [], signedIn: user !== null };
}

const RULES = [
  [BadgeCheck, '真客服只在本站聊天里', '每条客服消息带身份标记，点开能看到工号和负责的订单'],
  [CircleSlash, '不会让您站外付款', '货款只付到平台托管，任何个人收款码都是假的'],
  [MessageCircleQuestion, '不会要密码和验证码', '账号交接只在订单的密封表单里填写'],
] as const;

/** Customer service verification: check a number, see the official ones, report a fake one. */
export default function VerifyPage() {
  const { numbers, signedIn } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-4 py-6 max-md:py-4">
      <h1 className="text-20 font-semibold">客服验真</h1>
      <section className="panel p-4 md:p-6" aria-label="验证客服号码">
        <ServiceCheck />
      </section>
      <ul className="grid gap-3 md:grid-cols-3">
        {RULES.map(([Icon, title, text]) => (
          <li key={title} className="panel flex gap-3 p-4">
            <Icon className="icon mt-0.5 size-5 text-brand-600" strokeWidth={1.6} aria-hidden="true" />
            <span>
              <b className="block text-14 font-semibold">{title}</b>
              <span className="text-12 text-ink-3">{text}</span>
            </span>
          </li>
        ))}
      </ul>
      {numbers.length > 0 && (
        <section className="panel" aria-labelledby="official">
          <div className="panel-head">
            <h2 id="official">官方客服号码</h2>
            <p>不在这里的，先验证再联系</p>
          </div>
          <ul className="grid md:grid-cols-2">
            {numbers.map(({ kind, value, name }) => (
              <li key={`${kind}${value}`} className="flex items-baseline gap-3 px-4 py-2.5 text-13">
                <span className="text-ink-3">{name}</span>
                <CopyButton text={value} label={name} className="font-medium" />
              </li>
            ))}
          </ul>
        </section>
      )}
      <FakeReport signedIn={signedIn} />
    </div>
  );
}
