import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_PASSWORD, DEMO_PAY_PASSWORD, DEMO_STAFF, DEMO_USERS, WITHOUT_PAY_PASSWORD } from '#server/demo/logins.ts';
import type { Context } from './context.ts';
import { ROOT } from './root.ts';

/** Prints the site's addresses once the server listens, and in demo mode the demo brands and log-ins. */
export function announce(ctx: Context, print: (text: string) => void): void {
  const { config } = ctx;
  const at = (host: string, path = '/'): string => `http://${host}:${config.port}${path}`;
  const printRow = (label: string, text: string): void => print(`${label.padEnd(10 - wide(label))}${text}`);
  print('');
  printRow('网站', at('localhost'));
  if (hasMobileSite()) printRow('手机站', at('localhost', '/h/'));
  printRow('后台', at(config.backstageHost, '/backstage'));
  printRow('接口文档', at('localhost', '/api/docs'));
  if (!config.demo) return;
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

/** Terminal columns that wide characters take beyond one each. */
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
