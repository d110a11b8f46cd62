import { Download } from 'lucide-react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { inviteStats } from '#subjects/orders/contract/invite.ts';
import { market } from '#web/lib/pages/context.ts';
import { saveFile } from '#web/lib/media/save-file.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton, copyText } from '#web/ui/copy-button.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '推广二维码', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call, user, brand } = market(args);
  const { inviteCode, shareUrl, qrSvg, rateText } = await call(inviteStats, {});
  return {
    inviteCode,
    shareUrl,
    qrSvg,
    rateText,
    nickName: user?.nickName ?? '',
    site: brand.distBaseConf.websiteName,
  };
}

/** Downloads the QR code as a file. */
const save = (qrSvg: string, name: string): void => saveFile(name, new Blob([qrSvg], { type: 'image/svg+xml' }));

/** A card with the QR code of the user's share link, to display or to save. */
export default function QrCodePage() {
  const { inviteCode, shareUrl, qrSvg, rateText, nickName, site } = useLoaderData<typeof loader>();
  return (
    <section className="panel" aria-labelledby="qr">
      <div className="panel-head">
        <h1 id="qr" className="text-16 font-semibold">
          推广二维码
        </h1>
        <ButtonLink size="sm" to="/center/extend/extendMyExtension" className="ml-auto">
          查看推广收入
        </ButtonLink>
      </div>
      <div className="grid justify-items-center gap-4 p-6">
        <div className="grid w-full max-w-80 justify-items-center gap-3 rounded-card border border-line bg-brand-25 p-6 text-center">
          <b className="text-16 font-semibold">
            {nickName} 邀请您来{site}
          </b>
          <p className="text-13 text-ink-2">钱在平台，号到手再放款</p>
          <img
            src={`data:image/svg+xml;utf8,${encodeURIComponent(qrSvg)}`}
            width={208}
            height={208}
            alt="推广链接的二维码"
            className="rounded-control border border-line bg-white p-2"
          />
          <p className="text-13">
            邀请码{' '}
            <b className="text-16">
              <CopyButton text={inviteCode} label="邀请码" />
            </b>
          </p>
        </div>
        <div className="flex flex-wrap justify-center gap-2">
          <Button kind="primary" onClick={() => save(qrSvg, `invite-${inviteCode}.svg`)}>
            <Download className="icon" aria-hidden="true" />
            保存二维码
          </Button>
          <Button onClick={() => void copyText(shareUrl)}>复制链接</Button>
        </div>
        <p className="max-w-100 text-center text-12 text-ink-3">
          好友扫码注册后买到商品并交易成功，您得平台手续费收入的 {rateText}，直接进入可用余额。
        </p>
      </div>
    </section>
  );
}
