/**
 * Sentences that parties of an order often need at a step, inserted into the field with one click. None contains data
 * for a sealed form, and none requests or offers a code in the conversation: account thieves could otherwise use the
 * market's own sentences.
 */

interface Now {
  viewer: 'buyer' | 'seller';
  /** Key of the due step (db/catalogue/handover.ts); null without one. */
  step: string | null;
  /** The viewer is the actor of the due step. */
  isMine: boolean;
}

const ASK_STAFF = '请客服看一下';
const WAIT = '我需要 5 分钟';

const MINE: Readonly<Record<string, readonly string[]>> = {
  credentials: ['资料已提交，请查收', '登录前请先告诉我一声'],
  old_devices: ['旧设备已退出，截图已上传', '还有一台设备退不掉，怎么处理？'],
  phone: ['我这边没收到短信', '换绑好了，截图已上传'],
  mail: ['我这边没收到邮件', '换绑好了，截图已上传'],
  password: ['密码已改好', '改密码遇到问题，请客服帮忙'],
  realname: ['实名已改好', '实名页面提示失败'],
  accept: ['正在核对，稍等', '这一项和描述不一样'],
};

const THEIRS: Readonly<Record<string, readonly string[]>> = {
  credentials: ['资料准备好了吗？'],
  check_login: ['登录核对好了吗？', '需要我配合请随时说'],
  old_devices: ['旧设备退出了吗？'],
  phone: ['我准备好了，随时可以换绑'],
  mail: ['我准备好了，随时可以换绑'],
  accept: ['有问题随时在群里说'],
};

const IDLE = { buyer: ['什么时候可以开始？'], seller: ['现在方便开始吗？'] } as const;

/** The sentences for this moment; none when there is nothing to agree on. */
export function quickSentences({ viewer, step, isMine }: Now): readonly string[] {
  if (step === null) return [...IDLE[viewer], ASK_STAFF];
  const own = isMine ? (MINE[step] ?? []) : (THEIRS[step] ?? IDLE[viewer]);
  return [...own, ...(isMine ? [WAIT] : []), ASK_STAFF];
}
