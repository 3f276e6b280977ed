// The tests in a real browser: the page as it is built, served by the real program.
import { defineConfig } from '@playwright/test';
import { BROWSER } from './e2e/browser';

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../target/page/results',
  globalSetup: './e2e/setup.ts',
  // Machines are slow and shared: a limit only ends what hangs, it measures nothing.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 2,
  fullyParallel: true,
  // On a shared machine a stall may hit one test; what fails twice is broken, and the report names what did once.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: !!process.env.CI,
  reporter: [['list'], ['html', { outputFolder: '../target/page/report', open: 'never' }]],
  use: {
    launchOptions: BROWSER,
    viewport: { width: 1280, height: 800 },
    actionTimeout: 30_000,
    // What it recorded of every step would take a third of the time; `scripts/page --browser --trace on` has it.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
