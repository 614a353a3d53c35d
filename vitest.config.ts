import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { LANGUAGE: '"en"' },
  test: {
    include: ['client/**/*.test.{ts,tsx}', 'deploy/**/*.test.ts', 'scripts/**/*.test.ts', 'ssr/**/*.test.ts'],
    // Milliseconds. Some bundle all screens, and machines differ: what hangs is ended, what is slow is not.
    testTimeout: 180_000,
  },
});
