import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MemoryRouter } from 'react-router';
import { WantStatus } from '../../rules/want.ts';
import { Matches } from './want-row.tsx';

test('a want that was met offers no further listings', () => {
  const shown = (status: number) =>
    renderToStaticMarkup(
      <MemoryRouter>
        <Matches want={{ status, matches: 21, matched: [], matchUrl: '/wares?gid=2' }} />
      </MemoryRouter>,
    );
  expect(shown(WantStatus.Open)).toContain('查看全部符合的 21 件');
  expect(shown(WantStatus.Met)).toBe('');
});
