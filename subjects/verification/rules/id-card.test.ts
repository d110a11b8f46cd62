import { describe, expect, it } from 'vitest';
import { idCardFrom15, idCardProblem, parseIdCard } from './id-card.ts';

const now = Date.parse('2026-11-20T12:00:00+08:00');

describe('identity numbers', () => {
  it.each([
    ['11010519491231002X', '1949-12-31', false, '北京'],
    ['11010519491231002x', '1949-12-31', false, '北京'],
    ['440524188001010014', undefined, undefined, undefined],
    ['34052419800101001X', '1980-01-01', true, '安徽'],
    ['110101199003077774', '1990-03-07', true, '北京'],
    ['110101200802290016', '2008-02-29', true, '北京'],
    ['310101201211200017', '2012-11-20', true, '上海'],
  ])('%s', (text, birthDate, isMale, province) => {
    const card = parseIdCard(text, now);
    if (birthDate === undefined) expect(card).toBeNull();
    else expect(card).toEqual({ number: text.toUpperCase(), birthDate, isMale, province });
  });

  it('converts an old number of 15 digits to 18', () => {
    expect(idCardFrom15('130503670401001')).toBe('130503196704010016');
    expect(idCardFrom15('440524800101001')).toBe('440524198001010013');
    expect(idCardFrom15('110105491231002')).toBe('11010519491231002X');
    expect(parseIdCard('130503670401001', now)?.number).toBe('130503196704010016');
  });

  it.each([
    ['', '身份证号不能为空'],
    ['1101051949123100', '身份证号长度错误'],
    ['110101199003077774 ', '身份证号长度错误'],
    ['110101200801010013', '身份证号错误'],
    ['110105194902310026', '身份证号错误'],
    ['000000199003077777', '身份证号错误'],
    ['13050367133100A', '身份证号错误'],
    ['130503671331001', '身份证号错误'],
    ['１１０１０１１９９００３０７７７７４', '身份证号错误'],
    ['110101199003077774', null],
  ])('%j: %s', (text, problem) => {
    expect(idCardProblem(text, now)).toBe(problem);
  });

  it('rejects future dates and dates before any living person', () => {
    const born = Date.parse('2012-11-20T00:00:00+08:00');
    expect(parseIdCard('310101201211200017', born)).not.toBeNull();
    expect(parseIdCard('310101201211200017', born - 1)).toBeNull();
    expect(parseIdCard('440524188001010014', Date.parse('1999-01-01'))).not.toBeNull();
  });

  it('belongs to someone born at most 120 calendar years ago', () => {
    expect(parseIdCard(idCardFrom15('110101060101001'), now)?.birthDate).toBe('1906-01-01');
    expect(parseIdCard(idCardFrom15('110101051231001'), now)).toBeNull();
  });

  it('is the whole text', () => {
    const longer = ['110101199003077774 ', '1101011990030777745', ' 110101199003077774', 'x110101199003077774'];
    expect(longer.map((text) => parseIdCard(text, now))).toEqual([null, null, null, null]);
  });

  it('has one right check character among eleven', () => {
    const right = [...'0123456789X'].filter((c) => parseIdCard(`11010119900307777${c}`, now) !== null);
    expect(right).toEqual(['4']);
  });
});
