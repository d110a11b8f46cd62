import { Circle, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { SetupItem } from '#subjects/back-office/contract/setup.ts';
import type { VendorTrial } from '#subjects/back-office/contract/vendors.ts';
import { Button } from '#web/ui/button.tsx';
import { TrialDialog } from '../parts/dialogs/trial-dialog.tsx';
import { GoOn, type Setup } from './forms.tsx';

/** A line of the checklist, with the page for completing it. */
function Line({ item }: { item: SetupItem }) {
  const Icon = item.isDone ? CircleCheck : Circle;
  return (
    <li className="flex items-center gap-2.5 border-b border-line-soft py-2.5 text-13 last:border-b-0">
      <Icon className={`icon size-4 shrink-0 ${item.isDone ? 'text-safe' : 'text-ink-4'}`} aria-hidden="true" />
      <span className="min-w-0">
        <span className="sr-only">{item.isDone ? '已完成：' : '待完成：'}</span>
        {item.text}
      </span>
      <Link to={item.to} className="link ml-auto shrink-0 text-12">
        {item.isDone ? '查看' : '去设置'}
      </Link>
    </li>
  );
}

/** The tests by the prefix of a vendor's key. */
const TRIALS: Readonly<Record<string, VendorTrial>> = {
  sms: 'sms',
  mail: 'mail',
  'real-name': 'realName',
  pay: 'pay',
  push: 'push',
  'official-account': 'officialAccount',
  'wechat-login': 'wechatLogin',
};

interface Tried {
  kind: VendorTrial;
  vendor: string;
}

/** Tests a vendor by its key; renders nothing for a vendor without a test. */
function TrialButton({ vendor, onTry }: { vendor: string; onTry: (tried: Tried) => void }) {
  const kind = TRIALS[vendor.split('.')[0] ?? ''];
  if (!kind) return null;
  return (
    <Button size="sm" kind="tonal" className="ml-auto" onClick={() => onTry({ kind, vendor })}>
      试一下
    </Button>
  );
}

/** The configured vendors, with a test for each. */
export function VendorsStep({ setup, onNext }: { setup: Setup; onNext: () => void }) {
  const [trial, setTrial] = useState<Tried | null>(null);
  const { revalidate } = useRevalidator();
  const vendors = setup.checks.filter(({ key }) => key.startsWith('vendor.'));
  return (
    <div className="grid gap-4">
      <p className="text-13 text-ink-2">
        短信、邮件、实名等服务商的密钥写在环境变量里。逐个点“试一下”，确认真的发得出去；可以关闭的，页面会如实说明。
      </p>
      <ul aria-label="服务商">
        {vendors.map((item) => (
          <li
            key={item.key}
            className="flex items-center gap-2.5 border-b border-line-soft py-2.5 text-13 last:border-b-0"
          >
            <span className={item.isDone ? undefined : 'text-attn'}>{item.text}</span>
            {item.canTry === true && <TrialButton vendor={item.key.replace(/^vendor\./, '')} onTry={setTrial} />}
          </li>
        ))}
      </ul>
      {trial && (
        <TrialDialog
          {...trial}
          onClose={() => {
            setTrial(null);
            void revalidate();
          }}
        />
      )}
      <GoOn step="vendors" label="继续" onNext={onNext} />
    </div>
  );
}

/** The last step: finished items, open items, and the button that ends the first start. */
export function ChecksStep({ setup, onNext }: { setup: Setup; onNext: () => void }) {
  const open = setup.checks.filter(({ isDone }) => !isDone).length;
  return (
    <div className="grid gap-4">
      <p className="text-13 text-ink-2">
        {open === 0
          ? '都准备好了。'
          : `还有 ${open} 项可以继续准备，不影响完成设置；完成后这一页关闭，各项在对应页面里修改。`}
      </p>
      <ul aria-label="检查清单">
        {setup.checks.map((item) => (
          <Line key={item.key} item={item} />
        ))}
      </ul>
      <GoOn step="finish" label="完成设置，进入工作台" onNext={onNext} />
    </div>
  );
}
