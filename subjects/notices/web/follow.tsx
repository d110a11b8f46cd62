import { CircleCheck, CircleX, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { followAccount, PublicWechatQRCode } from '#subjects/notices/contract/wechat-push.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button } from '#web/ui/button.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '关注公众号', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { url, name } = await market(args).call(PublicWechatQRCode, {});
  // A real official account's QR code leads to WeChat, not here.
  if (!url.startsWith(args.url.origin)) return notFound();
  return { name, scene: args.params.scene ?? null };
}

/** Simulates a phone that scans the official account's QR code */
export default function FollowPage() {
  const { name, scene } = useLoaderData<typeof loader>();
  const [bound, setBound] = useState<boolean | null>(null);
  const { busy, error, send } = useMutation(followAccount, { done: (result) => setBound(result.bound) });
  const follow = () => {
    if (scene === null) setBound(true);
    else void send({ scene });
  };
  return (
    <section className="panel w-full max-w-100 overflow-hidden" aria-labelledby="follow">
      <p className="flex items-center justify-center gap-2 border-b border-attn-line bg-attn-bg px-4 py-2 text-13 text-attn">
        <FlaskConical className="icon" aria-hidden="true" />
        演示环境，模拟手机微信
      </p>
      <div className="grid justify-items-center gap-3 px-4 py-6 text-center">
        <h1 id="follow" className="text-16 font-semibold">
          {name}
        </h1>
        {bound === null ? (
          <>
            <p className="text-13 text-ink-2">
              {scene === null ? '关注后可接收平台公告' : '关注后，订单、资金和商品提醒会发到这个微信'}
            </p>
            <Button kind="primary" busy={busy} onClick={follow}>
              关注公众号
            </Button>
            {error && (
              <p className="text-13 text-danger" role="alert">
                {error}
              </p>
            )}
          </>
        ) : (
          <p className="flex items-center gap-2 text-14 font-medium" role="status">
            {bound ? (
              <CircleCheck className="icon size-5 text-safe" aria-hidden="true" />
            ) : (
              <CircleX className="icon size-5 text-ink-3" aria-hidden="true" />
            )}
            {bound ? (scene === null ? '已关注' : '已关注并绑定，可以关闭本页') : '二维码已过期或已使用，请重新获取'}
          </p>
        )}
      </div>
    </section>
  );
}
