import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { trialMessages } from '#subjects/back-office/contract/trial.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Codes, Notices, Panel, useRefresh } from '#web/parts/sent-messages.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '试运行', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(trialMessages, {});
}

/** The codes and notices of a trial, which are not delivered, and how to end the trial. */
export default function TrialPage() {
  const { marketName, codes, notices } = useLoaderData<typeof loader>();
  useRefresh();
  return (
    <>
      <div className="admin-head">
        <h1>试运行</h1>
        <p>短信和邮件没有真的发出，都显示在这里；每 3 秒更新，重新启动后清空</p>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="验证码" note="用户页面上看不到">
          <Codes sms={codes} />
        </Panel>
        <Panel title="通知">
          <Notices notices={notices} />
        </Panel>
      </div>
      <section className="panel mt-4" aria-label="正式开张">
        <div className="panel-head">
          <h2>正式开张</h2>
        </div>
        <ol className="list-decimal space-y-1 py-3 pr-4 pl-9 text-13">
          <li>停掉服务器，在它的机器上运行 npm run go-live，输入市场名称“{marketName}”。全部数据会被清除。</li>
          <li>去掉 TRIAL=1，填写真实的短信、支付等服务商，运行 npm run doctor 检查。</li>
          <li>运行 npm start，打开打印出的一次性地址，重新完成首次设置。</li>
        </ol>
      </section>
    </>
  );
}
