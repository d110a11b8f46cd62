import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { ListBody, selectionOf } from './list-body.tsx';

test('a selection is its parameters without the page, in whatever address it is', () => {
  expect(selectionOf('?status=1&pages=3')).toBe('status=1');
  expect(selectionOf('?pages=3')).toBe('');
  expect(selectionOf('')).toBe(selectionOf('?pages=1'));
  expect(selectionOf('?status=1&keyWord=x')).not.toBe(selectionOf('?status=2&keyWord=x'));
});

test('nothing is dimmed while nothing loads', () => {
  const router = createMemoryRouter([{ path: '/', element: <ListBody path="/">行</ListBody> }]);
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  expect(html).toContain('aria-busy="false"');
  expect(html).not.toContain('opacity-60');
});
