import { chromium } from '@playwright/test';
const BASE = 'http://localhost:4150';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const jobs = (process.argv[2] ?? '').split(',');
for (const job of jobs) {
  // user:size:theme:name:path
  const [user, size, theme, name, ...rest] = job.split('|');
  const path = rest.join('|');
  const context = await browser.newContext({ viewport: sizes[size as 'wide'], baseURL: BASE, colorScheme: theme as 'light', hasTouch: size === 'phone', isMobile: size === 'phone', javaScriptEnabled: !name!.startsWith('nojs') });
  const page = await context.newPage();
  page.on('console', (m) => { if (m.type() === 'error') console.log(name, 'console', m.text().slice(0, 200)); });
  page.on('pageerror', (e) => console.log(name, 'pageerror', String(e).slice(0, 300)));
  if (user) {
    const r = await context.request.post(`${BASE}/api/user/login`, { form: { username: user, password: 'youshi2026' }, headers: { 'x-timestamp': String(Date.now()) } });
    const j = await r.json(); if (j.code !== 0) console.log(user, j.msg); else {
      await context.addCookies([{ name: 'token', value: j.data.token, url: BASE }, { name: 'userId', value: j.data.userId, url: BASE }]); }
  }
  await page.goto(path!, { waitUntil: name!.startsWith('nojs') ? 'load' : 'networkidle', timeout: 60000 }).catch((e) => console.log(name, String(e).slice(0, 100)));
  await page.screenshot({ path: `/work/tmp/f-shots/${name}.png`, fullPage: !name!.includes('vp') });
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  console.log(name, page.url(), sideways ? 'SIDEWAYS' : '');
  await context.close();
}
await browser.close();
