import { ChevronRight } from 'lucide-react';
import { type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { API_SCOPE_NAMES, API_SCOPES, OPEN_API_DOCUMENT } from '../rules/api-keys.ts';
import { SIGNING_EXAMPLE, WEBHOOK_EXAMPLE } from '../rules/api-example.ts';
import { WEBHOOK_EVENTS, webhookEvents } from '../rules/webhooks.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Tabs } from '#web/ui/lists/tabs.tsx';
import { callsAndErrors } from './open-api/calls.ts';
import { SIGNING, VERIFYING } from './open-api/examples.ts';

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: '开放接口文档',
    description: '用自己的程序发布商品、同步价格库存、接收订单事件：签名方法、接口和事件说明',
  });

export function loader(args: LoaderFunctionArgs) {
  return { host: args.url.origin, ...callsAndErrors() };
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="overflow-x-auto rounded-control bg-sunken p-3 pr-16 text-12 leading-text" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <Button
        size="sm"
        className="absolute top-2 right-2"
        aria-label={`复制${label}`}
        onClick={() => void copyText(text)}
      >
        复制
      </Button>
    </div>
  );
}

const LANGUAGES = { curl: 'curl', node: 'Node', python: 'Python' } as const;

function Examples({ of, host, label }: { of: Readonly<Record<string, string>>; host: string; label: string }) {
  const items = Object.entries(of).map(([language, text]) => ({
    key: language,
    label: LANGUAGES[language as keyof typeof LANGUAGES],
    content: (
      <div className="pt-3">
        <Code text={text.replaceAll('HOST', host)} label={label} />
      </div>
    ),
  }));
  return (
    <div className="min-w-0">
      <Tabs items={items} label={label} />
    </div>
  );
}

function Signing({ host }: { host: string }) {
  const e = SIGNING_EXAMPLE;
  return (
    <section className="article max-w-none grid-cols-[minmax(0,1fr)]" aria-labelledby="signing">
      <h2 id="signing">签名</h2>
      <p>
        每个请求带四个请求头：<code>x-api-key</code> 密钥编号、<code>x-api-timestamp</code>{' '}
        当前时间（秒，与服务器相差不超过 5 分钟）、<code>x-api-nonce</code> 本次请求的编号（16 至 64
        位字母、数字、-、_，每次不同）、
        <code>x-api-signature</code> 签名。
      </p>
      <p>
        签名是用签名密码对下面六行文本（换行符连接，末尾没有换行）做 HMAC-SHA256，写成小写十六进制：固定的
        HMAC-SHA256、请求方法、路径（含查询串，与实际发送的完全一致）、时间、请求编号、请求体的
        SHA-256（没有请求体时为空文本的 SHA-256）。
      </p>
      <Examples of={SIGNING} host={host} label="签名示例" />
      <h2>核对您的程序</h2>
      <p>
        用下面的签名密码和待签名文本，应得到同样的签名。请求体为 <code className="break-all">{e.body}</code>
      </p>
      <Code label="测试向量" text={`签名密码：${e.secret}\n\n待签名文本：\n${e.text}\n\n签名：\n${e.signature}`} />
    </section>
  );
}

function Calls({ calls, errors, host }: ReturnType<typeof callsAndErrors> & { host: string }) {
  return (
    <section className="article max-w-none grid-cols-[minmax(0,1fr)]" aria-labelledby="calls">
      <h2 id="calls">接口</h2>
      <p>
        返回都是 <code>{'{code, data, msg}'}</code>：code 为 0 表示成功，其他见
        msg。金额是以元为单位的两位小数文本。请求体用 JSON。每个密钥每分钟最多读 300 次、写 120 次，超过返回 4290，按
        Retry-After 等待。
      </p>
      <p>
        点开一项看三种语言的示例；示例里的 <code>youshi</code> 和 <code>call</code>{' '}
        就是上面签名示例里的函数。参数和返回的全部字段见{' '}
        <a className="link" href="/api/open/docs">
          接口参考
        </a>
        ，也可以用 OpenAPI 文件生成客户端。
      </p>
      <div className="grid gap-2">
        {calls.map(({ method, path, scope, summary, about, examples }) => (
          <details key={path} className="group rounded-control border border-line-soft">
            <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
              <ChevronRight className="icon size-3.5 text-ink-3 group-open:rotate-90" aria-hidden="true" />
              <b className="font-medium">{summary}</b>
              <code className="min-w-0 text-12 break-all text-ink-3">
                {method} {path}
              </code>
              <span className="ml-auto text-12 text-ink-3">{scope ?? '不需要权限'}</span>
            </summary>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line-soft p-3">
              {about && <p className="text-13 text-ink-2">{about}</p>}
              <Examples of={examples} host={host} label={`${summary}示例`} />
            </div>
          </details>
        ))}
      </div>
      <h2>权限</h2>
      <ul>
        {API_SCOPES.map((scope) => (
          <li key={scope}>
            <code>{scope}</code> {API_SCOPE_NAMES[scope].name}：{API_SCOPE_NAMES[scope].about}
          </li>
        ))}
      </ul>
      <p>任何密钥都不能付款、提现、发货、删除商品，也看不到账号密码和买家资料，这些只能由本人登录后操作。</p>
      <h2>常见错误</h2>
      <ul>
        {errors.map(([code, text]) => (
          <li key={code}>
            <code>{code}</code> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Webhooks({ host }: { host: string }) {
  const e = WEBHOOK_EXAMPLE;
  return (
    <section className="article max-w-none grid-cols-[minmax(0,1fr)]" aria-labelledby="webhooks">
      <h2 id="webhooks">事件推送</h2>
      <p>
        在「开放接口」添加 https 地址后，发生下列事件时平台会向它 POST 一段 JSON。5 秒内返回 2xx 视为收到；否则按 10
        秒、1 分钟、5 分钟、30 分钟、2 小时、6 小时、12 小时、24 小时重试。同一事件可能推送多次、先后不定，请按{' '}
        <code>webhook-id</code> 去重，以接口查到的状态为准。连续 3 天收不到会停用并通知您。
      </p>
      <ul>
        {webhookEvents.map((event) => (
          <li key={event}>
            <code>{event}</code> {WEBHOOK_EVENTS[event]}
          </li>
        ))}
      </ul>
      <p>
        签名遵循 Standard Webhooks：对「编号.时间.请求体」做 HMAC-SHA256，密钥是签名密码去掉 whsec_ 后的 Base64 内容。
      </p>
      <Examples of={VERIFYING} host={host} label="验签示例" />
      <Code
        label="事件测试向量"
        text={`签名密码：${e.secret}\nwebhook-id: ${e.id}\nwebhook-timestamp: ${e.timestamp}\nwebhook-signature: ${e.signature}\n\n${e.body}`}
      />
    </section>
  );
}

/** The documentation of the open interface, with examples in three languages and a vector to compare with. */
export default function OpenApiDocs() {
  const { host, calls, errors } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '开放接口文档' }]} />
      <div className="panel grid grid-cols-[minmax(0,1fr)] gap-8 p-5 md:p-8">
        <header className="flex flex-wrap items-center gap-3">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="text-20 font-semibold">开放接口文档</h1>
            <p className="mt-1 text-13 text-ink-3">用自己的程序发布商品、同步价格和库存、接收订单事件</p>
          </div>
          <ButtonLink to={OPEN_API_DOCUMENT} reloadDocument>
            OpenAPI 文件
          </ButtonLink>
          <ButtonLink kind="primary" to="/center/openApi">
            管理密钥
          </ButtonLink>
        </header>
        <Signing host={host} />
        <Calls calls={calls} errors={errors} host={host} />
        <Webhooks host={host} />
      </div>
    </>
  );
}
