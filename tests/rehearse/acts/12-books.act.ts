/** At the end: the books are whole, nothing failed in the background, and the doctor finds nothing wrong. */
import { expect } from '@playwright/test';
import { test } from '../stage.ts';

test('the ledger is consistent, no job failed, and every vendor was used', async ({ cast }) => {
  const { page } = cast.colleague('zhangsan');
  await page.goto('/backstage/ledger');
  await page.getByRole('button', { name: '全面核对' }).click();
  await expect(page.getByText('全部规则通过')).toBeVisible();
  await expect(page.getByRole('region', { name: '账目核对' })).not.toContainText('不符');
  await page.goto('/backstage/jobs');
  await expect(page.getByText('没有失败的任务')).toBeVisible();
  await page.goto('/backstage/audit');
  await page.getByText('校验链与每夜核对').click();
  await page.getByRole('button', { name: '立即校验' }).click();
  await expect(page.getByText(/首尾相接，没有改动/).first()).toBeVisible();
  await page.goto('/backstage/vendors');
  await expect(page.getByRole('region', { name: '服务商' })).not.toContainText(/熔断|替身|失败 [1-9]/);
});

test('the doctor finds no problem in the running market', async ({ stage }) => {
  const { code, output } = await stage.npm('doctor', [], { PORT: String(stage.nodes[0].port) });
  expect(code, output).toBe(0);
  // The readiness check of a proxy, and the metrics of monitoring.
  for (const { port } of stage.nodes) {
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, {
      headers: { authorization: `Bearer ${stage.settings.METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toMatch(/audit_chain_whole|http_seconds/);
  }
});

test('a node stops when asked, and no log has an error', async ({ stage, cast }) => {
  // Pages that are still open would ask a stopped node for what they show, and get no answer.
  await cast.leave();
  for (const node of stage.nodes) {
    await node.stop();
    expect(node.said).toContain('已停止');
    const faults = node.said.split('\n').filter((line) => /"level":(50|60)/.test(line));
    expect(faults, 'errors in the log').toEqual([]);
  }
});
