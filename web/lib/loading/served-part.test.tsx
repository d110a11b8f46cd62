import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { serverOnlyDataOf, ServedPart, withServerOnlyData } from './served-part.tsx';

test('a page that comes whole does not send what is only read, and the server has it', () => {
  const data = withServerOnlyData({ sn: 'a' }, { text: 'read' }, true);
  expect(JSON.stringify(data)).toBe('{"sn":"a","more":null}');
  expect(serverOnlyDataOf(data)).toEqual({ text: 'read' });
});

test('a navigation brings it', () => {
  const data = withServerOnlyData({ sn: 'a' }, { text: 'read' }, false);
  expect(JSON.stringify(data)).toBe('{"sn":"a","more":{"text":"read"}}');
  expect(serverOnlyDataOf(data)).toEqual({ text: 'read' });
});

test('data of one request is not found by another, however similar it is', () => {
  const first = withServerOnlyData({ sn: 'a' }, { text: 'of the first' }, true);
  const second = withServerOnlyData({ sn: 'a' }, { text: 'of the second' }, true);
  expect(serverOnlyDataOf(first)).toEqual({ text: 'of the first' });
  expect(serverOnlyDataOf(second)).toEqual({ text: 'of the second' });
  // As received by the browser, and as in any copy.
  expect(serverOnlyDataOf({ ...first })).toBeNull();
  expect(serverOnlyDataOf(JSON.parse(JSON.stringify(first)) as typeof first)).toBeNull();
});

test('a part without its data leaves its element to the server’s markup', () => {
  const html = (part: React.ReactNode) =>
    renderToString(<RouterProvider router={createMemoryRouter([{ path: '*', element: part }])} />);
  expect(
    html(
      <ServedPart of={{}} name="p">
        {null}
      </ServedPart>,
    ),
  ).toBe('<div class="contents"></div>');
  expect(
    html(
      <ServedPart of={{}} name="p" className="x">
        {<b>read</b>}
      </ServedPart>,
    ),
  ).toContain('<b>read</b>');
});
