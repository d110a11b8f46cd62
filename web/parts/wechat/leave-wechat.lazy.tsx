import { Link2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { BrowserSteps } from './browser-steps.tsx';

/** How to open this page in the phone's browser, because WeChat saves no files. */
export default function LeaveWechat({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="微信里不能保存文件" onClose={onClose} shape="sheet">
      <div className="grid gap-4">
        <BrowserSteps steps={['选“在浏览器打开”，需要时重新登录，再保存']} />
        <p className="text-12 text-ink-3">图片可以长按保存。</p>
        <Button kind="primary" size="lg" onClick={() => void copyText(window.location.href)}>
          <Link2 className="icon" aria-hidden="true" />
          复制这一页的链接
        </Button>
      </div>
    </Dialog>
  );
}
