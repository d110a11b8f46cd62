import { writeCookie } from '#web/lib/session/cookies.ts';
import { Choice } from '../parts/choice.tsx';
import { type Lines, LINES_COOKIE } from './lines.ts';

const YEAR_HOURS = 365 * 24;

/** Whether rows have one line or two; narrow screens have cards instead. */
export function LinesChoice({ value, onChange }: { value: Lines; onChange: (value: Lines) => void }) {
  return (
    <span className="max-[899px]:hidden">
      <Choice
        label="每行的高度"
        value={value}
        options={[
          ['two', '两行'],
          ['one', '一行'],
        ]}
        onChange={(next) => {
          writeCookie(LINES_COOKIE, next, YEAR_HOURS);
          onChange(next);
        }}
      />
    </span>
  );
}
