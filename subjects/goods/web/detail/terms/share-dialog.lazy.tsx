import { Download, Ellipsis, Link2, Share2 } from 'lucide-react';
import { isWechat, payerBrowser } from '#subjects/payments/rules/payer-browser.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

/** Opens the browser's share sheet. */
async function shareNatively(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url });
  } catch {
    // Closing the sheet is not an error.
  }
}

/**
 * The ways to share a listing: the share sheet of the device, its link, the drawn card, and a code that a phone scans.
 */
export default function ShareDialog({
  goodsSn,
  title,
  path,
  onClose,
}: {
  goodsSn: string;
  title: string;
  path: string;
  onClose: () => void;
}) {
  const url = new URL(path, window.location.origin).href;
  const card = `/og/goods/${goodsSn}.jpg`;
  const isInWechat = isWechat(navigator.userAgent);
  return (
    <Dialog title="分享商品" onClose={onClose}>
      <div className="grid gap-4">
        <img
          src={card}
          width={1200}
          height={630}
          alt="商品分享卡片"
          className="aspect-1200/630 h-auto w-full rounded-control border border-line bg-sunken"
        />
        <div className="grid grid-cols-[1fr_auto] items-center gap-4">
          <div className="grid gap-2">
            <p className="truncate rounded-control bg-sunken px-3 py-2 text-12 text-ink-2">{url}</p>
            <div className="flex flex-wrap gap-2">
              <Button kind="primary" onClick={() => void copyText(`${title} ${url}`)}>
                <Link2 className="icon" aria-hidden="true" />
                复制链接
              </Button>
              {'share' in navigator && (
                <Button onClick={() => void shareNatively(title, url)}>
                  <Share2 className="icon" aria-hidden="true" />
                  更多方式
                </Button>
              )}
              {payerBrowser(navigator.userAgent) !== 'wechat' && (
                <a href={card} download={`${goodsSn}.jpg`} className={buttonClass({})}>
                  <Download className="icon" aria-hidden="true" />
                  保存卡片
                </a>
              )}
            </div>
            {isInWechat && (
              <p className="text-13 text-ink-2">
                点右上角的
                <Ellipsis className="icon mx-1 inline align-[-3px]" aria-label="更多" />
                可发给朋友或分享到朋友圈；长按上面的卡片可保存或转发。
              </p>
            )}
          </div>
          <figure className="grid justify-items-center gap-1 text-12 text-ink-3 max-md:hidden">
            <img
              src={`/art/qr/goods/${goodsSn}.svg`}
              width={96}
              height={96}
              alt="商品页的二维码"
              className="rounded-control bg-white p-1.5"
            />
            手机扫码打开
          </figure>
        </div>
      </div>
    </Dialog>
  );
}
