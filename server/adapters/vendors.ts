import type { Logger } from 'pino';
import type { TokenStore } from '#server/db/vendor-token.ts';
import type { AliyunSmsConfig, TencentSmsConfig, VendorsConfig } from '#server/config/config-vendors.ts';
import { guarded, type VendorRegistry } from '#server/kernel/vendors.ts';
import type { LinkPush } from '#server/ports/link-push.ts';
import type { Mail } from '#server/ports/mail.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import type { Push } from '#server/ports/push.ts';
import type { RealName } from '#server/ports/real-name.ts';
import type { Sms } from '#server/ports/sms.ts';
import type { WechatLogin } from '#server/ports/wechat-login.ts';
import { baiduLinkPush } from './link-push/baidu.ts';
import { localLinkPush } from './link-push/local.ts';
import { localMail } from './mail/local.ts';
import { smtpMail } from './mail/smtp.ts';
import { localOfficialAccount } from './official-account/local.ts';
import { wechatOfficialAccount } from './official-account/wechat.ts';
import { PUSH_SERVICES, webPush } from './push/web.ts';
import { aliyunRealName } from './real-name/aliyun.ts';
import { localRealName } from './real-name/local.ts';
import { aliyunSms } from './sms/aliyun.ts';
import { backedSms } from './sms/backed.ts';
import { localSms } from './sms/local.ts';
import { tencentSms } from './sms/tencent.ts';
import type { Environment } from './vendor-request.ts';
import { localWechatLogin } from './wechat-login/local.ts';
import { officialAccountLogin } from './wechat-login/official-account.ts';

interface Options {
  config: {
    readonly vendors: VendorsConfig;
    readonly smsSink: string | undefined;
    readonly mailSink: string | undefined;
    readonly demo: boolean;
    readonly trial: boolean;
  };
  registry: VendorRegistry;
  environment: Environment;
  log: Logger;
}

/** Where the stand-ins show their messages; undefined outside demo and trial, where messages must not be shown. */
const shownAt = ({ demo, trial }: Options['config']): string | undefined =>
  demo ? '/test' : trial ? '后台「试运行」' : undefined;

/** The configured SMS vendors; undefined when switched off. */
export function openSms({ config, registry, environment, log }: Options): Sms | undefined {
  const { sms } = config.vendors;
  if (sms.kind === 'stand-in' || sms.kind === 'off') {
    const vendor = registry.add({ key: 'sms', label: '短信', subject: '短信', state: sms.kind });
    if (sms.kind === 'off') return undefined;
    return guarded(localSms({ sink: config.smsSink, log, shownAt: shownAt(config) }), vendor, ['send']);
  }
  const route = (vendor: AliyunSmsConfig | TencentSmsConfig, role: string) => ({
    sms: vendor.kind === 'aliyun' ? aliyunSms(vendor, environment) : tencentSms(vendor, environment),
    vendor: registry.add({
      key: `sms.${vendor.kind}`,
      label: `${vendor.kind === 'aliyun' ? '阿里云' : '腾讯云'}短信${role}`,
      subject: '短信',
      state: 'on',
    }),
  });
  const { backup } = sms;
  return backedSms(backup === undefined ? [route(sms, '')] : [route(sms, '（主）'), route(backup, '（备）')]);
}

/** The configured mail server; undefined when switched off. */
export function openMail({ config, registry, log }: Options): Mail | undefined {
  const { mail } = config.vendors;
  if (mail.kind === 'smtp') {
    const label = `邮件（${mail.host}）`;
    return smtpMail(mail, registry.add({ key: 'mail.smtp', label, subject: '邮件', state: 'on' }));
  }
  const vendor = registry.add({ key: 'mail', label: '邮件', subject: '邮件', state: mail.kind });
  if (mail.kind === 'off') return undefined;
  return guarded(localMail({ sink: config.mailSink, log, shownAt: shownAt(config) }), vendor, ['send']);
}

/** The configured source of real names; undefined when switched off. */
export function openRealName({ config, registry, environment }: Options): RealName | undefined {
  const { realName } = config.vendors;
  if (realName.kind === 'aliyun') {
    const label = `阿里云实名（${realName.elements === 3 ? '三' : '二'}要素）`;
    const vendor = registry.add({ key: 'real-name.aliyun', label, subject: '实名认证', state: 'on' });
    return aliyunRealName(realName, environment, vendor);
  }
  const vendor = registry.add({ key: 'real-name', label: '实名认证', subject: '实名认证', state: realName.kind });
  return realName.kind === 'off' ? undefined : guarded(localRealName(), vendor, ['verify']);
}

/** The configured service account that sends messages; undefined when switched off. */
export function openOfficialAccount(
  { config, registry }: Options,
  store: (name: string) => TokenStore,
): OfficialAccount | undefined {
  const { officialAccount: account } = config.vendors;
  const state = account.kind === 'wechat' ? 'on' : account.kind;
  const vendor = registry.add({ key: 'official-account', label: '微信公众号', subject: '公众号消息', state });
  if (account.kind === 'off') return undefined;
  const port =
    account.kind === 'wechat'
      ? wechatOfficialAccount(account, { token: store('official-account'), ticket: store('official-account-page') })
      : localOfficialAccount({ show: config.demo || config.trial });
  return guarded(port, vendor, ['send', 'sceneUrl', 'pageTicket']);
}

/** Log-in by WeChat; undefined when switched off. `key` signs the stand-in's codes. */
export function openWechatLogin({ config, registry, environment }: Options, key: Buffer): WechatLogin | undefined {
  const { wechatLogin: login } = config.vendors;
  const state = login.kind === 'official-account' ? 'on' : login.kind;
  const vendor = registry.add({ key: 'wechat-login', label: '微信登录', subject: '微信登录与收款人', state });
  if (login.kind === 'off') return undefined;
  const port = login.kind === 'official-account' ? officialAccountLogin(login, environment) : localWechatLogin({ key });
  return guarded(port, vendor, ['exchange']);
}

/** The search engine that is notified of new pages; undefined when switched off. */
export function openLinkPush({ config, registry, environment }: Options): LinkPush | undefined {
  const { linkPush } = config.vendors;
  const state = linkPush.kind === 'baidu' ? 'on' : linkPush.kind;
  const vendor = registry.add({ key: 'link-push', label: '百度链接提交', subject: '搜索引擎推送', state });
  if (linkPush.kind === 'off') return undefined;
  const port = linkPush.kind === 'baidu' ? baiduLinkPush(linkPush, environment) : localLinkPush(environment);
  return guarded(port, vendor, ['submit']);
}

/** Push to browsers with our own key; each browser's service is a vendor. */
export function openPush({ registry, environment }: Options, vapid: { key: Buffer; subject: string }): Push {
  const vendors = new Map(
    PUSH_SERVICES.map(({ key, label }) => [
      key as string,
      registry.add({ key: `push.${key}`, label, subject: '浏览器推送', state: 'on' }),
    ]),
  );
  return webPush({ ...vapid, environment, vendors });
}
