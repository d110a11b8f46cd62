import { CircleCheck, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { LOGIN_POLL_MS, SPINNER_MS } from '#contract/rules/limits.ts';
import { wechatLogin, wechatLoginResult } from '#subjects/accounts/contract/wechat.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, failureMessage } from '#web/lib/api/call-errors.ts';
import { poll } from '#web/lib/api/poll.ts';
import { canRedirect, redirectTo } from './redirect-login.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

type Code = Data<typeof wechatLogin>;
type Result = Data<typeof wechatLoginResult>;
type Stage = 'loading' | 'waiting' | 'scanned' | 'done' | 'expired' | 'failed';

/** A code is valid for five minutes; polling ends with it. */
const MAX_POLLS = 200;

const TEXTS: Readonly<Record<Stage, string>> = {
  loading: '正在获取二维码',
  waiting: '使用手机微信扫一扫',
  scanned: '已扫码，请在手机上确认',
  done: '已确认，正在进入',
  expired: '二维码已失效',
  failed: '二维码没有取到',
};

/** Waits for the loading indicator's minimum time, so that it does not flash. */
const pause = () => new Promise((resolve) => setTimeout(resolve, SPINNER_MS));

interface WechatRequest {
  act: 'login' | 'bind';
  onDone: (result: Result) => void;
}

/** Requests a code, polls it every 1.5 s, and calls back once when the phone has confirmed. */
function useCode({ act: action, onDone }: WechatRequest) {
  const [code, setCode] = useState<Code | null>(null);
  const [stage, setStage] = useState<Stage>('loading');
  const [problem, setProblem] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });

  useEffect(() => {
    let over = false;
    const request = call(wechatLogin, { act: action }, { quiet: true });
    Promise.all([request, pause()]).then(
      ([got]) => {
        if (over) return;
        setCode(got);
        setStage('waiting');
      },
      (thrown: unknown) => {
        if (over) return;
        setProblem(failureMessage(asFailure(thrown)));
        setStage('failed');
      },
    );
    return () => {
      over = true;
    };
  }, [action, round]);

  const again = () => {
    setStage('loading');
    setCode(null);
    setProblem(null);
    setRound(round + 1);
  };

  const id = code?.code;
  useEffect(() => {
    if (id === undefined) return;
    return poll({
      everyMs: LOGIN_POLL_MS,
      max: MAX_POLLS,
      request: () => call(wechatLoginResult, { code: `${id}u` }, { quiet: true }),
      isEnd: (result) => {
        if (result.status === 'pending') return false;
        if (result.status === 'scanned') setStage('scanned');
        else if (result.status === 'expired') setStage('expired');
        else {
          setStage('done');
          done.current(result);
        }
        return result.status !== 'scanned';
      },
      onGiveUp: () => setStage('expired'),
    });
  }, [id]);

  return { code, stage, problem, again };
}

/** The QR code, or why there is none with a button for a new one. */
function Picture({ code, stage, onAgain }: { code: Code | null; stage: Stage; onAgain: () => void }) {
  const over = stage === 'expired' || stage === 'failed';
  return (
    <div className="relative grid size-54 place-items-center rounded-control border border-line bg-white p-2">
      {stage === 'loading' && <span className="spinner text-brand-600" aria-hidden="true" />}
      {code && (
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(code.qrSvg)}`}
          width={198}
          height={198}
          alt="登录二维码"
          className={over || stage === 'done' ? 'opacity-10' : undefined}
        />
      )}
      {stage === 'done' && (
        <CircleCheck className="icon absolute size-12 text-safe" strokeWidth={1.5} aria-hidden="true" />
      )}
      {over && (
        <Button className="absolute!" onClick={onAgain}>
          <RotateCcw className="icon" aria-hidden="true" />
          换一个
        </Button>
      )}
    </div>
  );
}

/** Log-in by WeChat's QR, or binding a WeChat; closes on a click outside (product.md 2). */
export default function WechatDialog({ onClose, ...request }: WechatRequest & { onClose: () => void }) {
  const { code, stage, problem, again } = useCode(request);
  return (
    <Dialog title={request.act === 'bind' ? '绑定微信' : '微信扫码登录'} asksFirst={false} onClose={onClose}>
      <div className="grid justify-items-center gap-3 py-2 text-center">
        <Picture code={code} stage={stage} onAgain={again} />
        <p className="text-14 font-medium" role="status">
          {TEXTS[stage]}
        </p>
        <FormError>{problem}</FormError>
        <p className="max-w-72 text-12 text-ink-3">二维码 5 分钟内有效，只登录这个浏览器。请勿扫别人发来的登录码。</p>
        {/* Reserves the height of the code, so that the dialog does not shift when it appears. */}
        <div className="flex min-h-8 flex-wrap items-center justify-center gap-x-4 gap-y-2">
          {code && canRedirect(code.redirectUrl) && stage === 'waiting' && (
            <Button
              size="sm"
              onClick={() => redirectTo(code.redirectUrl, new URLSearchParams(window.location.search).get('returnUrl'))}
            >
              在这台设备上用微信{request.act === 'bind' ? '绑定' : '登录'}
            </Button>
          )}
          {code?.url.startsWith(window.location.origin) && stage === 'waiting' && (
            <a href={code.url} target="_blank" rel="noopener" className="link hit text-12">
              没有手机？打开演示手机
            </a>
          )}
        </div>
      </div>
    </Dialog>
  );
}
