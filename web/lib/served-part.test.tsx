import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { moreOf, ServedPart, withMore } from './served-part.tsx';

test('a page that comes whole does not send what is only read, and the server has it', () => {
  const data = withMore({ sn: 'a' }, { text: 'read' }, true);
  expect(JSON.stringify(data)).toBe('{"sn":"a","more":null}');
  expect(moreOf(data)).toEqual({ text: 'read' });
});

test('a navigation brings it', () => {
  const data = withMore({ sn: 'a' }, { text: 'read' }, false);
  expect(JSON.stringify(data)).toBe('{"sn":"a","more":{"text":"read"}}');
  expect(moreOf(data)).toEqual({ text: 'read' });
});

test('what one request keeps is met by no other, however alike its data is', () => {
  const first = withMore({ sn: 'a' }, { text: 'of the first' }, true);
  const second = withMore({ sn: 'a' }, { text: 'of the second' }, true);
  expect(moreOf(first)).toEqual({ text: 'of the first' });
  expect(moreOf(second)).toEqual({ text: 'of the second' });
  // As the browser gets it, and as any copy is.
  expect(moreOf({ ...first })).toBeNull();
  expect(moreOf(JSON.parse(JSON.stringify(first)) as typeof first)).toBeNull();
});

test('without its data a part leaves its element to what the server rendered', () => {
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
