import { Ellipsis, Link2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** How to open this page in the phone's browser, because WeChat saves no files. */
export default function LeaveWechat({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="微信里不能保存文件" onClose={onClose} shape="sheet">
      <div className="grid gap-4">
        <ol className="grid gap-3 rounded-control bg-sunken px-4 py-3 text-13">
          <li className="flex items-center gap-2">
            <b className="font-semibold">1</b>
            <span>
              点右上角的
              <Ellipsis className="icon mx-1 inline align-[-3px]" aria-label="更多" />
            </span>
          </li>
          <li className="flex gap-2">
            <b className="font-semibold">2</b>
            <span>选“在浏览器打开”，需要时重新登录，再保存</span>
          </li>
        </ol>
        <p className="text-12 text-ink-3">图片可以长按保存。</p>
        <Button kind="primary" size="lg" onClick={() => void copyText(window.location.href)}>
          <Link2 className="icon" aria-hidden="true" />
          复制这一页的链接
        </Button>
      </div>
    </Dialog>
  );
}
