import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { IdentityForm } from './form.tsx';

const htmlOf = (demo: boolean): string =>
  renderToString(
    <RouterProvider
      router={createMemoryRouter([
        { path: '*', element: <IdentityForm demo={demo} face={null} onVerified={() => undefined} /> },
      ])}
    />,
  );

test('only a demo explains how its stand-in judges names', () => {
  expect(htmlOf(true)).toContain('演示市场不连接身份库');
  const elsewhere = htmlOf(false);
  expect(elsewhere).toContain('提交认证');
  expect(elsewhere).not.toContain('演示市场');
  expect(elsewhere).not.toContain('查无此人');
});
