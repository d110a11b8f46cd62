import { ScanFace } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { finishFaceCheck } from '#subjects/verification/contract/identity.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Checkbox } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

declare global {
  interface Window {
    /** The device information collected by the vendor's script. */
    getMetaInfo?: () => unknown;
  }
}

/** Returns the device information of the vendor's script; empty without a script. Throws when the script cannot be loaded. */
export async function deviceInfo(source: string | null): Promise<string> {
  if (source === null) return '';
  if (!window.getMetaInfo)
    await new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = source;
      script.onload = resolve;
      script.onerror = () => reject(new Error('人脸核验的程序没有加载成功，请检查网络后重试'));
      document.head.append(script);
    });
  return JSON.stringify(window.getMetaInfo?.() ?? {});
}

/** The separate consent that a user gives before a check by face. */
export function FaceConsent({ error }: { error: Message | undefined }) {
  return (
    <div className="grid gap-2 rounded-control bg-sunken px-3 py-2.5 text-13 text-ink-2">
      <p>
        人脸核验在认证服务商的页面进行，用来确认是您本人；本站不会收到也不保存人脸图像，只保存核验结果。您也可以选择只用姓名和身份证号认证。
      </p>
      <Checkbox name="isAgreed" value="1">
        我单独同意采集并核验我的人脸信息
      </Checkbox>
      <FormError>{error}</FormError>
    </div>
  );
}

/** The result of a started check, displayed immediately on return from the vendor's page. The message of a failed one remains visible. */
export function FaceResult({ isBegun }: { isBegun: boolean }) {
  const [query, setQuery] = useSearchParams();
  const hasCome = query.has('face');
  const { busy, error, send } = useMutation(finishFaceCheck, {
    revalidates: 'always',
    done: () => toast('实名认证成功', 'ok'),
  });
  const look = () => void send({});
  const isLooked = useRef(false);
  useEffect(() => {
    if (!hasCome || !isBegun || isLooked.current) return;
    isLooked.current = true;
    setQuery(
      (now) => {
        now.delete('face');
        return now;
      },
      { replace: true },
    );
    look();
  });
  if (!isBegun)
    return (
      error !== null && (
        <div className="mx-4 mt-4 max-w-112 md:mt-5">
          <FormError>{error}</FormError>
        </div>
      )
    );
  return (
    <div className="mx-4 mt-4 grid max-w-112 gap-2 rounded-control border border-line px-3 py-3 md:mt-5">
      <p className="flex items-center gap-2 font-medium">
        <ScanFace className="icon" aria-hidden="true" />
        人脸核验进行中
      </p>
      <p className="text-13 text-ink-2">在认证服务商的页面完成后，回到这里看结果。超过 30 分钟需要重新开始。</p>
      <FormError>{error}</FormError>
      <Button className="justify-self-start" busy={busy} onClick={look}>
        查看结果
      </Button>
    </div>
  );
}
