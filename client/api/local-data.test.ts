import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOGOUT_QUESTION, draftPrefix, forgetLocalData } from './local-data';

const asked = vi.fn<(question: string) => boolean>();

beforeEach(() => {
  const entries: Record<string, string> = {};
  const methods = {
    setItem: (key: string, value: string) => void (entries[key] = value),
    removeItem: (key: string) => void delete entries[key],
  };
  vi.stubGlobal(
    'localStorage',
    new Proxy(entries, {
      get: (_, name) => methods[name as keyof typeof methods] ?? entries[name as string],
    }),
  );
  vi.stubGlobal('confirm', asked);
  asked.mockReset();
  localStorage.setItem(`${draftPrefix('app-1', 'sample@example.com')}a`, '{}');
  localStorage.setItem('tus::matricula-upload demo identity', '{}');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('who logs out leaves no upload behind, and is asked nothing', () => {
  expect(forgetLocalData('demo@example.com')).toBe(true);
  expect(asked).not.toHaveBeenCalled();
  expect(Object.keys(localStorage)).toEqual([`${draftPrefix('app-1', 'sample@example.com')}a`]);
});

test('answers that are nowhere else go only when that is wanted', () => {
  localStorage.setItem(`${draftPrefix('app-1', 'demo@example.com')}a`, '{}');
  asked.mockReturnValueOnce(false);
  expect(forgetLocalData('Demo@example.com')).toBe(false);
  expect(Object.keys(localStorage)).toHaveLength(3);
  asked.mockReturnValueOnce(true);
  expect(forgetLocalData('Demo@example.com')).toBe(true);
  expect(asked).toHaveBeenCalledWith(LOGOUT_QUESTION);
  expect(Object.keys(localStorage)).toEqual([`${draftPrefix('app-1', 'sample@example.com')}a`]);
});
