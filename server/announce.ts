import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_PASSWORD, DEMO_PAY_PASSWORD, DEMO_STAFF, DEMO_USERS, WITHOUT_PAY_PASSWORD } from '#server/demo/logins.ts';
import type { Context } from './context.ts';
import { openSetup } from '#subjects/back-office/server/service.ts';
import { ROOT } from './root.ts';

/** Prints the site's addresses once the server listens, and in demo mode the demo brands and log-ins. */
export function announce(ctx: Context, print: (text: string) => void): void {
  const { config } = ctx;
  // Outside the demo a site is reached by its own name, through the proxy, and never by a name of this machine.
  const site = new URL(config.demo ? `http://localhost:${config.port}` : config.siteUrl);
  const at = (host: string, path = '/'): string => {
    const url = new URL(path, site);
    url.hostname = host;
    return url.href;
  };
  const printRow = (label: string, text: string): void => print(`${label.padEnd(10 - wide(label))}${text}`);
  print('');
  printRow('网站', at(site.hostname));
  if (hasMobileSite()) printRow('手机站', at(site.hostname, '/h/'));
  printRow('后台', at(config.backstageHost, '/backstage'));
  printRow('接口文档', at(site.hostname, '/api/docs'));
  if (config.trial)
    printRow('试运行', `${at(config.backstageHost, '/backstage/trial')}  验证码和通知显示在这里，管理员能看`);
  if (!config.demo) return printRow('监听', `${config.host}:${config.port}，由前面的代理转来`);
  for (const { id, name } of ctx.dir.all())
    if (id !== ctx.dir.platform().id) printRow('分销站', `${ctx.dir.originOf(id)}/  ${name}`);
  printRow('自检', `${at('localhost', '/test')}  短信验证码和员工动态码都显示在这里，只有本机能打开`);
  print('');
  print(
    `演示账号（密码都是 ${DEMO_PASSWORD}，支付密码都是 ${DEMO_PAY_PASSWORD}，只有 ${WITHOUT_PAY_PASSWORD} 没有设）`,
  );
  for (const { phone, about } of DEMO_USERS) print(`  ${phone}  ${about}`);
  print(`后台账号（密码都是 ${DEMO_PASSWORD}，动态码见 /test）`);
  print(`  ${DEMO_STAFF.map((s) => `${s.login} ${s.about}`).join('；')}`);
  print('');
}

/** Prints the one-time address of the first administrator, at each start until it is used. It is written to the console only, not to the log. */
export async function announceSetup(ctx: Context, print: (text: string) => void): Promise<void> {
  const setup = await openSetup(ctx);
  if (!setup) return;
  print('');
  print('还没有管理员。请在浏览器里打开下面的一次性地址，开始首次设置（24 小时内有效，重新启动会再给一个）：');
  print(`  ${setup.address}`);
  print('');
}

/** Additional terminal columns of wide characters. */
function wide(text: string): number {
  return [...text].filter((c) => c > '\u2e80').length;
}

/** Whether the build contains the mobile site; the router names each route by its URL. */
function hasMobileSite(): boolean {
  try {
    return readFileSync(join(ROOT, 'build/server/index.js'), 'utf8').includes('"page:/h/"');
  } catch {
    return false;
  }
}
