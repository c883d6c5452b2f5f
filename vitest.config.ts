import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'test/build.ts',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/harnesses/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'harnesses',
          include: ['test/harnesses/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
